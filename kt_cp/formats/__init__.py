"""Tours and outcomes as text: values in, strings out, and back again."""
