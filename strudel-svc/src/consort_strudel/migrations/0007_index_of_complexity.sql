-- Clips of one complexity are counted and compared often; half of all may have it.
create index clips_complexity on clips (complexity);
create index clip_vectors_complexity on clip_vectors (complexity);
