#!/bin/sh
# Checks every #include of the library against the floors and rooms in layers.txt.
set -eu
cd "$(dirname "$0")/.."
files=$(find src include/halocline -mindepth 2 \( -name '*.hpp' -o -name '*.cpp' -o -name '*.h' -o -name '*.c' \) | sort)
awk '
  # "exchange/flows" of "exchange/flows/wire.hpp", the innermost of several; nothing for what lies in the hall
  function room_of(path,  part, n, i, folder, room) {
    n = split(path, part, "/"); folder = part[1]; room = ""
    for (i = 2; i < n; ++i) { folder = folder "/" part[i]; if (folder in rooms) room = folder }
    return room
  }
  function refuse(what) { print FILENAME ":" FNR ": " what " may not include " $0; bad = 1 }
  # layers.txt: what each floor and each room may see
  FNR == NR {
    sub(/#.*/, "")
    if (split($0, part, ":") < 2) next
    name = part[1]; gsub(/ /, "", name)
    n = split(part[2], names, " ")
    if (name ~ /\//) {
      rooms[name] = 1; split(name, half, "/"); has_rooms[half[1]] = 1
      for (i = 1; i <= n; ++i) {
        other = half[1] "/" names[i]
        allowed[name, other] = 1
        # What a room may include is named above it: so no two include each other, not even by others between them.
        if (!(other in rooms)) { print FILENAME ": " other " has to stand above " name; bad = 1 }
      }
    } else {
      floors[name] = 1; allowed[name, name] = 1
      for (i = 1; i <= n; ++i) allowed[name, names[i]] = 1
    }
    next
  }
  # a source: its floor is the folder below src/ or include/halocline/
  FNR == 1 {
    public = FILENAME ~ /^include/
    place = FILENAME; sub(/^(src|include\/halocline)\//, "", place)
    floor = place; sub(/\/.*/, "", floor)
    room = room_of(place)
    folder = place; sub(/\/[^\/]*$/, "", folder)
    if (!(floor in floors)) { print FILENAME ": the floor " floor " is not in layers.txt"; bad = 1 }
    if (floor in has_rooms && folder != floor && folder != room) { print FILENAME ": its room is not in layers.txt"; bad = 1 }
  }
  /^[ \t]*#[ \t]*include/ {
    seen = $0
    sub(/^[^"<]*["<]/, "", seen); sub(/[">].*/, "", seen)
    of_users = sub(/^halocline\//, "", seen)
    if (seen ~ /^(mpi|hwloc)\.h$/) target = seen
    else {
      if (seen !~ /\//) next                      # the standard library, or a header users include
      target = seen; sub(/\/.*/, "", target)
      if (target !~ /^(CLI|fmt|nlohmann|llvm)$/ && !(target in floors)) next
    }
    if (!((floor, target) in allowed)) refuse(floor)
    # rooms of one floor; headers of users belong to all of them
    if (target != floor || !(floor in has_rooms) || of_users || public || room == "") next
    other = room_of(seen)
    if (other != room && !((room, other) in allowed)) refuse(room)
  }
  END { exit bad }
' layers.txt $files && echo "The floors and rooms hold: $(echo "$files" | wc -l) files"
