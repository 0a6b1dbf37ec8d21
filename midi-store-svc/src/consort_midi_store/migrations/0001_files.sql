create table files (
    id          text primary key,
    name        text not null unique,
    blob_key    text not null,
    bytes       integer not null,
    summary     jsonb not null,
    created_at  timestamptz not null default clock_timestamp(),
    updated_at  timestamptz not null default clock_timestamp()
);

-- pages of the list, newest first
create index files_newest on files (created_at desc, id desc);
create index files_by_blob on files (blob_key);
