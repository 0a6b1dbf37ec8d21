-- the song or score that a file was exported from, if it is that music's own file: a later export replaces its bytes
alter table files add column made_from text unique;
