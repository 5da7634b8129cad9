#!/bin/sh
# run.sh [OPTION...]: J of the placement algorithms on the paper's grids, the medians of its Figure 8, and its Tables II
# and III simulated beside what was measured on VSC-4. Without options 50 nodes (Table II) and sizes up to 64 KiB, random
# for one of them, which takes a quarter of an hour; --nodes 50 100 both tables; --all takes hours; --times leaves out what
# is not simulated. compare.py --help tells the options.
exec python3 "$(dirname "$0")/compare.py" "$@"
