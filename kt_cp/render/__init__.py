"""Pictures: values in, SVG out, still or moving, and plots; nothing here writes files or prints."""
