"""HTML pages for the browser: the player and the recorder."""
