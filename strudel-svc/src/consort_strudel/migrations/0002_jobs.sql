-- Long work, as in audio-svc (consort_kit.jobs): renders.
create table jobs (
    id text primary key,
    kind text not null,
    parameters jsonb not null,
    cache_key text, -- kind, content and parameters: an equal request gets the same job
    status text not null default 'queued'
        check (status in ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
    progress double precision not null default 0, -- 0 to 1
    result jsonb,
    error jsonb, -- an ErrorBody
    queue_id bigint, -- id in procrastinate_jobs
    deaths integer not null default 0, -- how often a worker died while it did this job
    created_at timestamptz not null default clock_timestamp(),
    finished_at timestamptz
);
create unique index jobs_cache on jobs (cache_key) where status in ('queued', 'running', 'succeeded');
