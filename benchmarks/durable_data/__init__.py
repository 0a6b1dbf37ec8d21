"""Parts of `consort bench durability`.

- `writers`: clients that keep storing things and remember what was acknowledged
- `kills`: 30 times `kill -9`
- `backup_under_load`: a backup of a large studio that is in use, restored elsewhere
"""
