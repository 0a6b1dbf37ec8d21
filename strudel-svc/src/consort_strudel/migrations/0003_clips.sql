-- Snippets of code to use again: those of the library that comes with Consort, and those of the user.
create extension if not exists vector with schema public;

create table clips (
    id             text primary key,
    name           text not null,
    description    text not null default '',
    code           text not null,
    genre          text[] not null default '{}',
    feeling        text[] not null default '{}',
    technique      text[] not null default '{}',
    instrument     text[] not null default '{}',
    complexity     text,
    element        text,
    tempo_min      double precision, -- in beats per minute; both or none
    tempo_max      double precision,
    key            text, -- as it was given
    key_name       text, -- the same in one spelling, for filters
    requires_packs text[] not null default '{}',
    author         text,
    data           jsonb not null default '{}',
    words          tsvector not null default '', -- name and tags have weight A, the rest B
    library_name   text unique, -- the name in the library; null for a clip of the user
    library_sha256 text, -- what the library said when it was loaded
    is_edited      boolean not null default false, -- whether the user changed a clip of the library
    created_at     timestamptz not null default clock_timestamp(),
    modified_at    timestamptz not null default clock_timestamp()
);
create index clips_words on clips using gin (words);
create index clips_genre on clips using gin (genre);
create index clips_feeling on clips using gin (feeling);
create index clips_technique on clips using gin (technique);
create index clips_instrument on clips using gin (instrument);
create index clips_packs on clips using gin (requires_packs);
create index clips_element on clips (element);
create index clips_key on clips (key_name) where key_name is not null;
create index clips_tempo on clips (tempo_min, tempo_max) where tempo_min is not null;
create index clips_newest on clips (created_at desc, id);

-- Every tag that was ever used, so that a pattern runs on few texts. `kind` is a column of clips.
create table clip_tags (
    kind text not null,
    tag  text not null,
    primary key (kind, tag)
);

-- Vectors are in a table of their own, so that patterns run over small rows. Above some 20,000 rows the service adds an
-- HNSW index.
create table clip_vectors (
    clip_id   text primary key references clips on delete cascade,
    embedding vector(768) not null,
    model_id  text not null -- only vectors of the same model can be compared
);
alter table clip_vectors alter column embedding set storage plain;

-- Clips of the library that the user deleted: they do not come back.
create table deleted_library_clips (
    library_name text primary key
);
