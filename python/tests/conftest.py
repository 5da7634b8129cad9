# SPDX-License-Identifier: BSD-3-Clause
"""Tests run in every process of an MPI job: `mpirun -n 4 python3 -m pytest python/tests`. A process that fails alone ends the job."""

import pytest
from mpi4py import MPI


def pytest_configure(config):
    # One process speaks for all; the others say what failed in them.
    if MPI.COMM_WORLD.Get_rank() != 0:
        config.option.verbose = -2
        config.option.no_summary = True


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report = outcome.get_result()
    if report.failed and MPI.COMM_WORLD.Get_size() > 1:
        print(f"rank {MPI.COMM_WORLD.Get_rank()}: {item.name} failed\n{report.longreprtext}", flush=True)
        MPI.COMM_WORLD.Abort(1)  # the others may be waiting for this one


@pytest.fixture
def comm():
    return MPI.COMM_WORLD


@pytest.fixture(autouse=True)
def together():
    """No process begins the next test before all have ended this one."""
    yield
    MPI.COMM_WORLD.Barrier()
