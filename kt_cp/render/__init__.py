"""Pictures: values in, strings out."""
