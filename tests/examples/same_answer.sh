#!/bin/sh
# same_answer.sh RANKS... -- PROGRAM... -- LAUNCHER...: runs every program on every number of ranks; the sixteen hex
# digits that they print must be the same for all.
set -eu
ranks='' programs=''
while [ "$1" != -- ]; do ranks="$ranks $1" && shift; done
shift
while [ "$1" != -- ]; do programs="$programs $1" && shift; done
shift
answers=$(mktemp)
trap 'rm -f "$answers"' EXIT
for program in $programs; do
  for n in $ranks; do
    line=$("$@" "$n" "./$program" 26 25 24 15 1)
    echo "$program: $line"
    echo "$line" | grep -Eio '\b[0-9a-f]{16}\b' | tr A-F a-f >>"$answers"
  done
done
[ "$(wc -l <"$answers")" -eq "$(($(echo $programs | wc -w) * $(echo $ranks | wc -w)))" ]
[ "$(sort -u "$answers" | wc -l)" -eq 1 ]
