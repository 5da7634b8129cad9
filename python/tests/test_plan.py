# SPDX-License-Identifier: BSD-3-Clause
"""Plans, placements and shapes by the program, without MPI."""

import dataclasses

import pytest

import halocline


def test_a_plan_says_what_the_program_says():
    plan = halocline.plan((1000, 1100, 950), "50x48", stencil="moore:1")
    assert (plan.grid, plan.placement, plan.schedule) == ((12, 20, 10), "optimal-strips", "direct")
    assert plan.default_grid == (16, 15, 10)
    assert (plan.bytes_between_nodes, plan.default_bytes_between_nodes) == (142107584, 309906960)
    assert plan.gain == pytest.approx(plan.data["speedup"])
    assert f"the plan is {plan.gain:.3g} times as fast as the default." in plan.text and str(plan) == plan.text
    assert plan.svg.startswith("<svg") and plan._repr_svg_() == plan.svg
    assert halocline.plan((1000, 1100, 950), (48,) * 50, stencil="moore:1") == plan


def test_a_plan_that_is_the_default():
    plan = halocline.plan((100, 100), "1x4")
    assert plan.gain == 1 and "the plan is as fast as the default." in plan.text
    assert dataclasses.replace(plan, seconds=0.0).gain == float("inf")
    assert dataclasses.replace(plan, seconds=0.0, default_seconds=0.0).gain == 1


def test_a_plan_where_there_is_no_default():
    plan = halocline.plan((4, 1000), "5x7")
    assert plan.gain is None and plan.default_grid is None and plan.default_seconds is None
    assert plan.default_bytes_between_nodes is None and plan.data["no_default"] in plan.text


def test_a_plan_is_saved_for_a_job(tmp_path):
    plan = halocline.plan((64, 64), "2x2")
    plan.save(tmp_path / "plan.json")
    assert (tmp_path / "plan.json").read_text().startswith("{") and halocline.plan((64, 64), "2x2").data == plan.data


def test_placements_and_shapes():
    placement = halocline.place((50, 48), "50x48", stencil="hops", algorithm="all")
    assert placement.best == "optimal-strips" and placement.j_sum["blocked"] == 13824
    assert (placement.j_sum["optimal-strips"], placement.j_max["optimal-strips"]) == (2868, 68)
    assert halocline.shape((400, 200), 8).dims == (4, 2)
    assert halocline.shape((400, 200), nodes="2x4").dims == (4, 2)


def test_refusals_are_those_of_the_program(monkeypatch):
    with pytest.raises(halocline.Error, match="no grid|less than|0"):
        halocline.plan((0, 8), "2x2")
    with pytest.raises(halocline.Error, match="luck"):
        halocline.place((4, 4), "4x4", algorithm="luck")
    with pytest.raises(halocline.Error, match="give one of them"):
        halocline.shape((8, 8))
    monkeypatch.setenv("HALOCLINE_PROGRAM", "/nowhere/halocline")
    with pytest.raises(halocline.Error, match="/nowhere/halocline: No such file"):
        halocline.plan((8, 8), "2x2")
