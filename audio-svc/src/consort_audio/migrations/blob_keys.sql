select blob_key from files;
