-- The song that each client used last: what its tools mean when they name none. Rows of clients that stay away expire.
drop table song_used_last;
create table last_used_songs (
    client      text primary key,
    song_id     text not null references songs on delete cascade,
    used_at     timestamptz not null default clock_timestamp()
);
create index last_used_songs_by_age on last_used_songs (used_at);
