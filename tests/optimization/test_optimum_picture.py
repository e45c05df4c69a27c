"""Pictures of optima: as many marks as the objective counts."""

import pytest

from kt_cp import Problem, optimize, solve
from kt_cp.model.errors import InputError
from kt_cp.render.optimum import optimum_picture


@pytest.mark.parametrize(
    ("board", "options"),
    [("6x6", {"closed": True}), ("5x6", {}), ("5x5", {"piece": "king"})],
)
def test_as_many_marks_as_counted(board, options):
    problem = Problem(board, **options)
    tour = solve(problem, seed=3).tour
    measures = tour.measures()
    dots = ("turns", "straight", "right-angles", "acute-angles", "obtuse-angles", "crossings")
    for name in (*dots, "direction", "steep", "run", "uncrossed-moves"):
        text = optimum_picture(problem, [tour], f"most-{name}")
        if name not in dots and not measures[name]:
            assert 'class="marks"' not in text
            continue
        marks = text.split('class="marks"', 1)[1]
        marks = marks.split("</g>" if name in dots else "/>", 1)[0]
        assert marks.count("<circle" if name in dots else "M") == measures[name], name
        assert "numbers" not in text


def test_a_cover_draws_all_paths():
    best = optimize("3x3", "path-cover")
    assert len(best.paths) == 2 and best.picture().count("stroke-linejoin") == 2
    graph = optimize([(1, 2), (3, 4)], "path-cover")
    with pytest.raises(InputError, match="no picture"):
        graph.picture()


def test_no_tour_has_no_picture():
    with pytest.raises(InputError, match="got none"):
        optimize("4x4", "fewest-turns").picture()


def test_the_longest_path_is_drawn_on_the_whole_board():
    text = optimize("3x5", "longest", closed=True).picture()
    assert text.startswith("<svg") and text.count("<text") >= 12


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
def test_files(kt_cp, tmp_path, suffix):
    file = tmp_path / f"best.{suffix}"
    for words in (
        ["5x6", "--closed", "--objective", "fewest-turns"],
        ["4x4", "--objective", "path-cover"],
    ):
        result = kt_cp("optimize", *words, "-o", file, "--force")
        assert result.code == 0
        assert file.read_bytes()[:4] == {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF"}[suffix]
