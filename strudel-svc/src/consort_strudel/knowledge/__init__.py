"""What is known about Strudel, written by hand.

functions    what each function does: get_function_info
vocabulary   musical words as code: query_vocab
packs        sample packs: query_packs
identify     from code to words: identify_pattern
"""
