"""Still and moving pictures in SVG, and plots; nothing here writes files or prints."""
