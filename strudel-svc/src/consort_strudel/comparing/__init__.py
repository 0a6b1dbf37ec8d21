"""What changed for the ear between two scripts: `compare_strudel`.

models           the tool's input and answer
two_scripts      which two scripts a request means: versions, a version and a patch, or snippets
heard_change     what a measure may change before anybody hears it, and words for what is heard
service          render both as jobs, let audio-svc measure both, and put the answer together
routes           the tool
"""
