"""Read and write ABC notation (standard 2.1).

`reader`   read ABC text into a score
`fields`   read the values of the fields M, L, Q, K and V
`voice`    the state of one voice while it is read
`writer`   write a score as ABC text
"""
