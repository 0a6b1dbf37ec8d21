"""transform_phrase: a phrase developed by the classical means."""
