"""Inputs and outputs of the clip tools.

Modules, in reading order:
    fields      types of fields that several tools have
    clips       a clip, and the tools that read, save, change and delete one
    searches    the tools that find clips and name code
"""
