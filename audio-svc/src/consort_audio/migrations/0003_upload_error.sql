-- Why the last complete file of an upload could not be used. Any process can answer a client that asks for the outcome.
alter table uploads add error jsonb;
