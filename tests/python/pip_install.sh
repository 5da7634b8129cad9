#!/bin/sh
# pip_install.sh PYTHON PACKAGE LIBRARY FOLDER: installs the Python package below FOLDER by pip, without any network, and exchanges
# a halo with that copy.
set -eu
python=$1
package=$2
library=$3
folder=$4
rm -rf "$folder"
mkdir -p "$folder"
cp -r "$package" "$folder/source" # pip writes into the folder that it installs from
"$python" -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --no-index --no-build-isolation --no-deps \
  --target "$folder/installed" "$folder/source"
test -e "$folder/installed/halocline/py.typed"
cd "$folder"
HALOCLINE_LIBRARY=$library PYTHONPATH=$folder/installed PYTHONDONTWRITEBYTECODE=1 "$python" - <<'END'
import importlib.metadata

from mpi4py import MPI

import halocline

assert "/installed/" in halocline.__file__, halocline.__file__
with halocline.Cart(MPI.COMM_SELF, (8, 6), periodic=(True, False)) as cart:
    field = cart.field("i4")
    field.own[...] = 7
    cart.halo(field).exchange()
    assert (field[0, 1:-1] == 7).all() and not field[:, 0].any(), field
print("halocline", importlib.metadata.version("halocline"), "works from", halocline.__file__)
END
