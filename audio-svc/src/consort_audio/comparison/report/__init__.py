"""The picture of practice_report: expected against played notes on a piano roll, with every fault marked.

drawing_data   what the picture needs, as JSON: it crosses from the worker to the service
systems        divide a long take into several lines
picture        draw the picture as SVG
"""
