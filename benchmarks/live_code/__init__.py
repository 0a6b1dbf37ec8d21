"""Parts of `consort bench strudel`."""
