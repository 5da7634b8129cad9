# SPDX-License-Identifier: BSD-3-Clause
"""Objects that die late or in the wrong order do no harm: after MPI_Finalize, after their communicator."""

import gc

import numpy as np
from mpi4py import MPI

import halocline

cart = halocline.Cart(MPI.COMM_WORLD, (16, 16), periodic=True)
u, plain = cart.field(), np.zeros(tuple(n + 2 for n in cart.shape))
halo, other, last = cart.halo(u), cart.halo(plain), cart.halo(u)
own = u.own
own[...] = 3
halo.exchange()
last.start()
last.wait()
cart.free()
del halo, cart
gc.collect()


def refuses(call, words):
    try:
        call()
    except halocline.Error as error:
        assert words in str(error), error
    else:
        raise SystemExit(f"{call} did not refuse")


refuses(last.start, "communicator of the halo was freed")
MPI.Finalize()
for call in (other.exchange, other.start, other.wait, other.test, other.verify, other.report, last.exchange):
    refuses(call, "finalized")
assert (own == 3).all()
print("ended well")
