"""Steps of ``auto`` that a test replaces."""

from __future__ import annotations

from dataclasses import replace

from kt_cp.engines import auto
from kt_cp.engines.engine import unknown


def change_step(monkeypatch, name, **changes):
    """Change all steps of a name: what they run, or how long."""
    for steps in ("STEPS", "PART_STEPS"):
        changed = [
            replace(each, **changes) if each.name == name else each for each in getattr(auto, steps)
        ]
        monkeypatch.setattr(auto, steps, tuple(changed))


def give_up(request):
    """The run of a step that settles nothing."""
    return unknown("nothing", request.problem, "gave up", {}, request.seed)
