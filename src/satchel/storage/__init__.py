"""Where files lie and how they come there: places, downloads, wheels that carry data, model folders."""
