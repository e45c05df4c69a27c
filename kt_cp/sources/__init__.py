"""The programs of the source documents, each as its document means it to run."""
