-- Audio files. Their bytes are blobs that never change; a row is written after its blob.
create table files (
    id text primary key,
    name text not null,
    kind text not null check (kind in ('upload', 'recording', 'render', 'segment')),
    format text not null,
    sample_rate integer not null,
    channels integer not null,
    frames bigint not null,
    bytes bigint not null,
    sha256 text not null,
    blob_key text not null,
    peak_db double precision, -- null: digital silence
    loudness double precision, -- LUFS; null: too short or silent
    origin jsonb not null, -- what it was made from: ids and parameters
    created_at timestamptz not null default clock_timestamp()
);
create index files_newest on files (created_at desc, id desc);

-- Uploads that are not complete. The bytes so far are in uploads/ID.part of the data folder.
create table uploads (
    id text primary key, -- the audio_file_id that the finished file gets
    name text not null,
    recording_id text,
    max_duration_s double precision not null,
    total_bytes bigint, -- as announced by the first request
    created_at timestamptz not null default clock_timestamp(),
    expires_at timestamptz not null
);

-- Requests for a recording.
create table recordings (
    id text primary key,
    prompt text not null,
    max_duration_s double precision not null,
    options jsonb not null, -- reference_id, tempo, metre, count-in and metronome
    token_sha256 text not null, -- the link contains the token; only its hash is stored
    audio_file_id text, -- set once, when the recording is complete
    details jsonb not null default '{}', -- what the page reports: measured latency, device
    created_at timestamptz not null default clock_timestamp(),
    expires_at timestamptz not null
);

-- Long work. procrastinate's own tables, made at start-up, say which worker does a job; this table keeps its outcome.
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
