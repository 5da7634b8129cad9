# SPDX-License-Identifier: BSD-3-Clause
"""Halos of arrays on a device that the host's processor plays: its memory ends whoever touches it. The library alone sees what is in
there, so `verify()` says whether it is right."""

import numpy as np
import pytest

import halocline


class Tensor:
    """What packages for GPUs show of an array: a window of a field, with any strides."""

    def __init__(self, field, index=(), read_only=False, **more):
        told = field.__cuda_array_interface__
        # numpy knows what a window is, and needs no memory for it.
        whole = np.lib.stride_tricks.as_strided(np.empty(0, dtype=told["typestr"]), told["shape"], told["strides"])
        part = whole[index]
        offset = part.__array_interface__["data"][0] - whole.__array_interface__["data"][0]
        self.field = field
        self.__cuda_array_interface__ = {
            "shape": part.shape, "strides": part.strides, "typestr": told["typestr"], "version": 3,
            "data": (told["data"][0] + offset, read_only), **more}


class Stream:
    """The default one, as CuPy has it."""

    ptr = 0


@pytest.fixture(autouse=True)
def on_host(monkeypatch):
    monkeypatch.setenv("HALOCLINE_DEVICE", "host")


@pytest.fixture
def cart(comm):
    cart = halocline.Cart(comm, (16, 12, 10), periodic=(True, False, True), stencil="moore:1", halo=1)
    yield cart
    cart.free()


def refused(words, call):
    with pytest.raises(halocline.Error, match=words):
        call()


def test_a_field_on_the_device_is_verified(cart):
    for order in "CF":
        u = cart.field("f8", order=order, field="device")
        assert isinstance(u, halocline.DeviceField) and u.shape == tuple(n + 2 for n in cart.shape)
        assert u.own.shape == cart.shape
        told, own = u.__cuda_array_interface__, u.own.__cuda_array_interface__
        assert told["typestr"] == "<f8" and told["strides"] == own["strides"]
        assert own["data"][0] - told["data"][0] == sum(told["strides"])
        halo = cart.halo(u)
        halo.exchange()
        halo.verify()
        assert halo.statistics.exchanges == 3


def test_arrays_of_other_packages_are_taken_as_they_are(cart):
    u = cart.field("f4", field="device")
    plain = np.zeros(u.shape)
    halo = cart.halo(Tensor(u), plain)
    halo.verify()
    assert halo.statistics.exchanges == 2


def test_strides_may_be_any(cart):
    # Every other point of a field that is twice as large, in another order of dimensions.
    wide = cart.field("i4", field="device", halo=[n // 2 + 2 for n in cart.shape])
    steps = tuple(slice(0, 2 * (n + 2), 2) for n in cart.shape)
    assert all(w >= 2 * (n + 2) - 1 for w, n in zip(wide.shape, cart.shape))
    cart.halo(Tensor(wide, steps)).verify()
    backwards = tuple(slice(n + 1, None, -1) for n in cart.shape)
    assert Tensor(wide, backwards).__cuda_array_interface__["strides"][2] == -4
    cart.halo(Tensor(wide, backwards)).verify()


def test_arrays_in_turn_and_on_a_stream(cart):
    now, following = cart.field("f8", field="device"), cart.field("f8", field="device")
    halo = cart.halo((now, Tensor(following)))
    for step in range(4):
        halo.start(now if step % 2 == 0 else following, stream=Stream())
        halo.wait(stream=0)
    halo.start(stream=0)
    halo.wait()
    halo.start()
    halo.wait(0)
    assert halo.statistics.exchanges == 6
    halo.verify()


def test_what_does_not_fit_is_refused(cart):
    u = cart.field("f8", field="device")
    halo = cart.halo(u)
    refused("not writeable", lambda: cart.halo(Tensor(u, read_only=True)))
    refused("it begins with", lambda: cart.halo(Tensor(u, (slice(1, None),))))
    refused("mask", lambda: cart.halo(Tensor(u, mask=np.zeros(3))))
    refused("lacks something", lambda: cart.halo(Tensor(u, typestr="rubbish")))
    refused("Python objects", lambda: cart.halo(Tensor(u, typestr="|O")))
    refused("not a stream", lambda: halo.start(stream="default"))
    refused("not a stream", lambda: halo.start(stream=-1))
    refused("is not one of", lambda: halo.start(stream=4096))
    refused("halocline_field", lambda: cart.field("f8", field="moon"))
    plain = cart.halo(np.zeros(u.shape))
    refused("nothing lies on one", lambda: plain.start(stream=0))
    if cart.comm.size > 1:  # on one process alone
        bad = cart.comm.rank == cart.comm.size - 1
        refused("not writeable", lambda: cart.halo(Tensor(u, read_only=bad)))


def test_a_tensor_that_hides_its_memory_is_refused_by_all(cart):
    class Hidden:
        @property
        def __cuda_array_interface__(self):
            raise RuntimeError("requires grad")

    u = cart.field("f8", field="device")
    refused("requires grad", lambda: cart.halo(Hidden() if cart.comm.rank == 0 else u))
