-- A search by similarity with filters reads one table only: tags are repeated beside the vectors, which have half the
-- size. The service makes the HNSW indexes again.
drop index if exists clip_vectors_hnsw;
alter table clip_vectors
    add genre          text[] not null default '{}',
    add feeling        text[] not null default '{}',
    add technique      text[] not null default '{}',
    add instrument     text[] not null default '{}',
    add complexity     text,
    add element        text,
    add tempo_min      double precision,
    add tempo_max      double precision,
    add key_name       text,
    add requires_packs text[] not null default '{}',
    alter embedding type halfvec(768) using embedding::halfvec(768);
alter table clip_vectors alter embedding set storage plain;
update clip_vectors set (genre, feeling, technique, instrument, complexity, element, tempo_min, tempo_max, key_name,
    requires_packs) = (select genre, feeling, technique, instrument, complexity, element, tempo_min, tempo_max,
    key_name, requires_packs from clips where id = clip_id);
create index clip_vectors_genre on clip_vectors using gin (genre);
create index clip_vectors_feeling on clip_vectors using gin (feeling);
create index clip_vectors_technique on clip_vectors using gin (technique);
create index clip_vectors_instrument on clip_vectors using gin (instrument);
create index clip_vectors_packs on clip_vectors using gin (requires_packs);
create index clip_vectors_element on clip_vectors (element);
create index clip_vectors_key on clip_vectors (key_name) where key_name is not null;
create index clip_vectors_tempo on clip_vectors (tempo_min, tempo_max) where tempo_min is not null;
