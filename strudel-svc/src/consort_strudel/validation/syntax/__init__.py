"""What cannot be parsed.

brackets          brackets and quotes without a partner
missing_brackets  where a bracket is probably missing
syntax_errors     errors of the parsers, of JavaScript and of mini-notation
"""
