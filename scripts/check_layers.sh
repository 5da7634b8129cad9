#!/bin/sh
# Checks every #include of the library against the floors in layers.txt.
set -eu
cd "$(dirname "$0")/.."
files=$(find src include/halocline -mindepth 2 \( -name '*.hpp' -o -name '*.cpp' -o -name '*.h' -o -name '*.c' \) | sort)
awk '
  # layers.txt: what each floor may see
  FNR == NR {
    sub(/#.*/, "")
    if (split($0, part, ":") < 2) next
    floor = part[1]; gsub(/ /, "", floor)
    floors[floor] = 1; allowed[floor, floor] = 1
    n = split(part[2], names, " ")
    for (i = 1; i <= n; ++i) allowed[floor, names[i]] = 1
    next
  }
  # a source: its floor is the folder below src/ or include/halocline/
  FNR == 1 {
    floor = FILENAME
    sub(/^(src|include\/halocline)\//, "", floor); sub(/\/.*/, "", floor)
    if (!(floor in floors)) { print FILENAME ": the floor " floor " is not in layers.txt"; bad = 1 }
  }
  /^[ \t]*#[ \t]*include/ {
    seen = $0
    sub(/^[^"<]*["<]/, "", seen); sub(/[">].*/, "", seen)
    if (seen ~ /^(mpi|hwloc)\.h$/) target = seen
    else {
      sub(/^halocline\//, "", seen)
      if (seen !~ /\//) next                      # the standard library, or a header users include
      target = seen; sub(/\/.*/, "", target)
      if (target !~ /^(CLI|fmt|nlohmann|llvm)$/ && !(target in floors)) next
    }
    if (!((floor, target) in allowed)) { print FILENAME ":" FNR ": " floor " may not include " $0; bad = 1 }
  }
  END { exit bad }
' layers.txt $files && echo "The floors hold: $(echo "$files" | wc -l) files"
