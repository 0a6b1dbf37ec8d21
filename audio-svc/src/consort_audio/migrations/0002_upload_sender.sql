-- Which client sends the bytes of an upload, as it names itself: pieces of two files must never be mixed.
alter table uploads add sender text;
