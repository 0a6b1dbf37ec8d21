"""The tools that read a script without changing it: validate_script, analyze_song_structure."""
