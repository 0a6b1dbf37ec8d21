-- A song is a line of states; undo and redo move `state` along it. `version` only ever goes up.
create table songs (
    id          text primary key,
    title       text not null,
    version     bigint not null default 1,
    state       integer not null default 0,
    note_count  integer not null default 0,
    created_at  timestamptz not null default clock_timestamp(),
    updated_at  timestamptz not null default clock_timestamp()
);
create index songs_newest on songs (updated_at desc, id desc);

-- everything of a state but its notes
create table song_states (
    song_id     text not null references songs on delete cascade,
    number      integer not null,
    action      text not null,
    touched     jsonb not null,
    document    jsonb not null,
    note_count  integer not null,
    primary key (song_id, number)
);

-- notes of one track, some hundred in the order of time, never changed: they belong to the states from born to before died
create table note_chunks (
    id          bigint generated always as identity primary key,
    song_id     text not null references songs on delete cascade,
    track       integer not null,
    born        integer not null,
    died        integer,
    first_start double precision not null,
    last_start  double precision not null,
    last_end    double precision not null,
    note_count  integer not null,
    lowest      smallint not null,
    highest     smallint not null,
    notes       text not null
);
create index note_chunks_of_song on note_chunks (song_id);

-- what the last versions changed, for callers who say which version they have seen
create table song_changes (
    song_id     text not null references songs on delete cascade,
    version     bigint not null,
    action      text not null,
    touched     jsonb not null,
    primary key (song_id, version)
);

-- the song that tools mean when they name none
create table song_used_last (
    only_row    boolean primary key default true check (only_row),
    song_id     text references songs on delete set null
);
insert into song_used_last default values;
