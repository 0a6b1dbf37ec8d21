"""Apply the instructions of update_song to a script. No database, no web framework.

An instruction works on the text that the ones before it left, with one exception: a line number always means the line
that had this number before the call, so that a list of line edits may be written from one reading of the script. A line
that an earlier instruction replaced or deleted is an error.

Modules, in reading order:
    line_buffer    the lines of a script, each with its number before the call
    outline        where the statements, comments and sections of a script are
    section_places  where sections and voices are, as whole statements
    find_pattern   matches of a pattern, in RE2
    insert_places  where code goes that is inserted beside a statement
    apply          each action
    diff           unified diff and the number of changed lines
"""
