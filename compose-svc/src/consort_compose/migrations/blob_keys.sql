select 'notation/' || id || '/' from notations;
