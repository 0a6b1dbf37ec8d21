-- A Strudel song with its history. `version` is the number of the current script and only ever goes up.
create table projects (
    id              text primary key,
    name            text not null,
    name_key        text not null, -- the name without differences of case: two projects must not differ only by it
    description     text,
    tempo           double precision, -- as the user set it, in beats per minute
    key             text, -- as the user set it
    tags            text[] not null default '{}',
    genre           text,
    data            jsonb not null default '{}',
    beats_per_cycle double precision not null
        generated always as (coalesce((data ->> 'beats_per_cycle')::double precision, 4)) stored,
    version         integer not null default 1,
    created_at      timestamptz not null default clock_timestamp(),
    modified_at     timestamptz not null default clock_timestamp(),
    deleted_at      timestamptz -- restorable for 30 days after this
);
create unique index projects_by_name on projects (name_key) where deleted_at is null;
create index projects_deleted on projects (name_key, deleted_at) where deleted_at is not null;

-- Every script that a project ever had, never changed.
create table project_versions (
    project_id    text not null references projects on delete cascade,
    version       integer not null,
    script        text not null,
    line_count    integer not null,
    action        text not null, -- the tool or page that made it
    summary       text not null, -- what changed, in words
    reason        text, -- why, in the words of the caller
    restored_from integer, -- the version whose script this is
    -- what the script says
    cpm           double precision, -- cycles per minute
    detected_key  text,
    packs_used    text[] not null default '{}',
    created_at    timestamptz not null default clock_timestamp(),
    primary key (project_id, version)
);
