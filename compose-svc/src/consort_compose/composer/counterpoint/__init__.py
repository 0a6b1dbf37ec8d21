"""A new voice against an existing one: species counterpoint and free countermelody, by exact search."""
