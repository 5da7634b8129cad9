"""How many cache lines a halo of width 1 around n^3 doubles touches, halo and own points together, and how many a buffer has that
takes what two processes have to send each other: lines_touched.py 32 64 128"""
import sys

LINE, BYTES = 64, 8


def in_the_array(n):
    side = n + 2
    ends = (0, 1, n, n + 1)
    touched = set()
    for x in range(side):
        for y in range(side):
            row = range(side) if x in ends or y in ends else ends
            touched.update(((x * side + y) * side + z) * BYTES // LINE for z in row)
    return len(touched)


def in_the_buffer(n):
    return -(-2 * (n + 2) * (n + 2) * BYTES // LINE)


for size in map(int, sys.argv[1:]):
    print(f"{size}^3: {in_the_array(size)} lines of the array, {in_the_buffer(size)} of the buffer")
