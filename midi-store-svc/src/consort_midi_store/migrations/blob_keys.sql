select blob_key from files;
select blob_key from versions;
