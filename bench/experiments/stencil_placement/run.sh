#!/bin/sh
# run.sh [OPTION...]: J of the placement algorithms on the paper's grids, the medians of its Figure 8, and its Tables II
# and III simulated beside what was measured on VSC-4: half an hour. Random placements take long, and are simulated for
# some sizes only unless there is --all. --nodes, --stencil and --bytes choose from the tables; --times leaves out what is
# not simulated; --keep goes on where a run was interrupted. compare.py --help tells the options.
exec python3 "$(dirname "$0")/compare.py" "$@"
