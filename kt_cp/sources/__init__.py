"""The five source programs, each as its document runs and shows it."""
