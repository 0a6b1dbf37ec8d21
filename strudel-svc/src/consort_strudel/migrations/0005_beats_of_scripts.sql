-- A cycle has as many beats as the project says, or as its script says by the divisor in `setcpm(120/3)`, or 4.
alter table project_versions add column script_beats double precision;
update project_versions
    set script_beats = substring(script from 'set[cC]pm\s*\(\s*[0-9.]+\s*/\s*([0-9]{1,2}(?:\.[0-9]+)?)\s*\)')::double precision;
update project_versions set script_beats = null where script_beats not between 0.01 and 64;
alter table projects drop column beats_per_cycle;
