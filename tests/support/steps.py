"""Steps of ``auto`` that a test replaces."""

from __future__ import annotations

from dataclasses import replace

from kt_cp.engines import auto
from kt_cp.engines.engine import unknown


def change_step(monkeypatch, name, **changes):
    """Change all steps of this name: their ``run``, or their time."""
    for steps in ("STEPS", "PART_STEPS"):
        changed = [
            replace(each, **changes) if each.name == name else each for each in getattr(auto, steps)
        ]
        monkeypatch.setattr(auto, steps, tuple(changed))


def give_up(request):
    """Run a step that finds no answer."""
    return unknown("nothing", request.problem, "gave up", {}, request.seed)
