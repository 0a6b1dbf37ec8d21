-- what was overwritten: earlier bytes of stored files (owner: their id) and of files in export/ (owner: 'export/NAME')
create table versions (
    owner       text not null,
    number      integer not null,
    blob_key    text not null,
    bytes       integer not null,
    replaced_at timestamptz not null default clock_timestamp(),
    primary key (owner, number)
);

create index versions_by_blob on versions (blob_key);
