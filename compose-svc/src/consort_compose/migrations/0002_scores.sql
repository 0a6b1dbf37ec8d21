-- What the composer made, for a while.
create table scores (
    id          text primary key,
    music       jsonb not null,
    created_at  timestamptz not null default clock_timestamp(),
    kept_until  timestamptz not null default clock_timestamp() + interval '30 days'
);
create index scores_over on scores (kept_until);
