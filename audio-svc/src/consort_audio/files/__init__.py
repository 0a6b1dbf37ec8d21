"""Audio files: store, describe, list, cut and download them."""
