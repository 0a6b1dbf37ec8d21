select blob_key from files
union select blob_key from versions
