"""The longest path, covers by paths, and the tour of least weight."""

import copy
import json
import random
from decimal import Decimal
from itertools import chain, combinations, pairwise, permutations

import networkx as nx
import pytest

from kt_cp import Board, Problem, optimize, solve
from kt_cp.model.errors import InputError, NotTakenError
from kt_cp.model.outcome import Verdict
from kt_cp.trust.check import Refusal, check
from kt_cp.trust.judge import defects
from kt_cp.verify import Invalid, verify
from tests.support.bound_checks import both_accept, leaves


def fits(problem, path):
    """Return whether squares are a path or cycle that satisfies the conditions, by definition."""
    moves = list(pairwise(path))
    if problem.closed:
        moves.append((path[-1], path[0]))
    made = {frozenset(move) for move in moves}
    return (
        all(problem.is_move(u, v) for u, v in moves)
        and (not problem.closed or len(path) > 2)
        and all(frozenset(move) in made for move in problem.require)
        and not any(frozenset(move) in made for move in problem.forbid)
        and (problem.start is None or path[0] == problem.start)
        and (problem.end is None or path[-1] == problem.end)
    )


def longest_of_all(problem):
    nodes = [*problem.graph]
    for size in range(len(nodes), 0, -1):
        for path in permutations(nodes, size):
            if fits(problem, path):
                return size
    return 0


def fewest_of_all(problem):
    """The fewest paths: nodes less the most edges that form paths."""
    edges = [edge for edge in problem.graph.edges() if {*edge} not in map(set, problem.forbid)]
    must = [set(edge) for edge in problem.require]
    for paths in range(1, len(problem.graph) + 1):
        for chosen in combinations(edges, len(problem.graph) - paths):
            graph = nx.Graph(chosen)
            degrees = [degree for _, degree in graph.degree]
            is_forest = not graph or nx.is_forest(graph)
            has_all = all(set(edge) in map(set, chosen) for edge in must)
            if max(degrees, default=0) < 3 and is_forest and has_all:
                return paths
    return None


def random_problem(rng, closed):
    size = rng.randint(3, 6)
    graph = nx.gnp_random_graph(size, rng.choice((0.3, 0.5, 0.8)), seed=rng.randrange(10**6))
    graph = nx.relabel_nodes(graph, str)
    edges = [*graph.edges]
    for edge in edges:
        graph.edges[edge]["weight"] = rng.choice((rng.randint(-5, 20), rng.randint(-9, 99) / 10))
    options = {}
    if edges and rng.random() < 0.3:
        options["require"] = [rng.choice(edges)]
    if len(edges) > 1 and rng.random() < 0.3:
        options["forbid"] = [
            rng.choice([edge for edge in edges if edge not in [*options.get("require", ())]])
        ]
    if rng.random() < 0.3:
        options["start"] = rng.choice([*graph])
    if rng.random() < 0.3 and not closed:
        options["end"] = rng.choice([node for node in graph if node != options.get("start")])
    return graph, Problem(graph=graph, closed=closed, **options)


def accepted(best):
    """Return whether both checkers accept the certificate."""
    text = best.certificate.to_json()
    return check(text).kind == "bound" and bool(verify(text))


@pytest.mark.parametrize("closed", [False, True])
def test_the_longest_of_all_paths(closed):
    rng = random.Random(seed := random.randrange(10**6))
    print("seed", seed)
    for _ in range(40):
        _, problem = random_problem(rng, closed)
        best, wanted = optimize(problem, "longest"), longest_of_all(problem)
        if wanted == 0:
            assert best.verdict is Verdict.IMPOSSIBLE and not best, problem
            continue
        assert (best.value, best.bound, best.proved) == (wanted, wanted, True), problem
        assert fits(problem, [*best.tour]) and len(best.tour) == wanted
        assert accepted(best)


def test_no_path_between_two_components():
    graph = nx.Graph([("a", "b"), ("c", "d"), ("c", "e"), ("d", "e")])
    best = optimize(Problem(graph=graph, start="a", end="d"), "longest")
    assert best.verdict is Verdict.IMPOSSIBLE and accepted(best)


def test_the_fewest_of_all_paths():
    rng = random.Random(seed := random.randrange(10**6))
    print("seed", seed)
    for _ in range(40):
        graph, problem = random_problem(rng, False)
        problem = Problem(graph=graph, require=problem.require, forbid=problem.forbid)
        best, wanted = optimize(problem, "path-cover"), fewest_of_all(problem)
        assert (best.value, best.bound, best.proved) == (wanted, wanted, True), problem
        assert sorted(node for path in best.paths for node in path) == sorted(graph)
        assert accepted(best)


@pytest.mark.parametrize("closed", [False, True])
def test_the_least_weight_of_all_tours(closed):
    rng = random.Random(seed := random.randrange(10**6))
    print("seed", seed)
    for _ in range(40):
        graph, problem = random_problem(rng, closed)
        tours = [path for path in permutations(graph) if fits(problem, path)]
        best = optimize(problem, "least-weight")
        if not tours:
            assert best.verdict is Verdict.IMPOSSIBLE and best.certificate.claim == "no tour"
            continue
        wanted = min(weight_of(graph, tour, closed) for tour in tours)
        assert Decimal(str(best.value)) == wanted == Decimal(str(best.bound)) and best.proved
        assert weight_of(graph, [*best.tour], closed) == wanted
        assert accepted(best)


@pytest.mark.parametrize("closed", [False, True])
def test_the_least_weight_of_all_directed_tours(closed):
    rng = random.Random(seed := random.randrange(10**6))
    print("seed", seed)
    for _ in range(25):
        size = rng.randint(2, 6)
        graph = nx.gnp_random_graph(size, rng.choice((0.4, 0.6, 1)), rng.randrange(10**6), True)
        for edge in graph.edges:
            graph.edges[edge]["weight"] = rng.choice(
                (rng.randint(-5, 20), rng.randint(-9, 99) / 10)
            )
        options = {"start": rng.choice([*graph])} if rng.random() < 0.3 else {}
        problem = Problem(graph=graph, closed=closed, **options)
        tours = [path for path in permutations(graph) if not defects(problem, path)]
        best = optimize(problem, "least-weight")
        if not tours:
            assert best.verdict is Verdict.IMPOSSIBLE and not best
            continue
        wanted = min(weight_of(graph, tour, closed) for tour in tours)
        assert Decimal(str(best.value)) == wanted == Decimal(str(best.bound)) and best.proved
        assert weight_of(graph, [*best.tour], closed) == wanted
        document = json.loads(json.dumps(best.to_dict()))
        assert accepted(best) and verify(document)
        for changes in ({"value": best.value + 1}, {"tour": document["tour"][:-1]}):
            with pytest.raises(Invalid):
                verify({**document, **changes})


def test_weights_of_arcs(kt_cp, tmp_path):
    file, best = tmp_path / "arcs.edges", tmp_path / "best.json"
    file.write_text("a b 1\nb c 1\nc a 5\nb a 2\nc b 2\na c 2.5\n")
    words = ["--directed", "--closed", "--objective", "least-weight", "-o", best]
    result = kt_cp("optimize", file, *words)
    assert result.code == 0 and "weight 6.5; no tour weighs less" in result.err
    assert kt_cp("check", best).code == 0
    found = json.loads(best.read_text())
    assert found["tour"][0] == "a" and found["problem"]["directed"]
    best.write_text(json.dumps({**found, "tour": found["tour"][::-1]}))
    result = kt_cp("check", best)
    assert result.code == 1 and "its tour has weight 7" in result.out


def weight_of(graph, path, closed):
    moves = list(pairwise(path)) + ([(path[-1], path[0])] if closed else [])
    return sum(Decimal(str(graph.edges[move]["weight"])) for move in moves)


@pytest.mark.parametrize(
    ("board", "closed", "longest"),
    [("3x3", True, 8), ("3x5", True, 12), ("5x5", True, 24), ("4x6", True, 22), ("4x8", True, 30)],
)
def test_longest_cycles_without_a_tour(board, closed, longest):
    """4xn: 4n - 2; odd boards: one square fewer, by DeMaio and Hippchen 2009; 3x5: ours."""
    best = optimize(board, "longest", closed=closed)
    assert (best.value, best.proved) == (longest, True) and accepted(best)


@pytest.mark.parametrize(("board", "paths"), [("4x4", 2), ("3x3", 2), ("3x5", 2), ("2x5", 4)])
def test_covers_of_boards(board, paths):
    best = optimize(board, "path-cover")
    assert (best.value, best.proved) == (paths, True) and accepted(best)
    assert best.summary == f"{paths} paths; no cover has fewer"


def test_a_tour_is_the_longest_path_and_a_cover():
    holes = Board(6, 6, missing=["a1", "b1"])
    for problem in (Problem("8x8", closed=True), Problem(holes, start="c1")):
        best = optimize(problem, "longest")
        assert (best.value, best.proved) == (problem.size, True) and accepted(best)
    best = optimize("5x6", "path-cover")
    assert best.value == 1 and accepted(best)


def weighted_cycle():
    graph = nx.cycle_graph(5)
    graph.add_edge(0, 2)
    for number, edge in enumerate(graph.edges):
        graph.edges[edge]["length"] = number + 0.25
    return graph


@pytest.fixture(scope="module")
def documents():
    found = {}
    for key, best in {
        "longest": optimize("3x8", "longest", closed=True),
        "path-cover": optimize("3x3", "path-cover"),
        "least-weight": optimize(weighted_cycle(), "least-weight", weight="length"),
    }.items():
        assert best.proved
        document = json.loads(best.certificate.to_json())
        del document["digest"], document["argument"]
        found[key] = document
    return found


def first_cut(evidence):
    return next(cut for leaf in leaves(evidence["trees"][0]) if leaf for cut in leaf["cuts"])


def better(evidence, change):
    evidence["bound"] += change
    evidence.pop("tour", None)
    evidence.pop("paths", None)


CORRUPTIONS = [
    ("longest", lambda evidence: better(evidence, -1)),
    ("longest", lambda evidence: evidence["tour"].pop()),
    ("longest", lambda evidence: evidence.__setitem__("paths", [evidence["tour"]])),
    ("longest", lambda evidence: evidence.__setitem__("objective", "path-cover")),
    ("longest", lambda evidence: evidence.__setitem__("weights", {"denominator": 1, "values": []})),
    ("longest", lambda evidence: first_cut(evidence).pop("inside")),
    ("longest", lambda evidence: first_cut(evidence).pop("outside")),
    ("longest", lambda evidence: first_cut(evidence).__setitem__("inside", "z9")),
    (
        "longest",
        lambda evidence: first_cut(evidence).__setitem__("inside", first_cut(evidence)["outside"]),
    ),
    ("path-cover", lambda evidence: better(evidence, 1)),
    ("path-cover", lambda evidence: evidence["paths"].pop()),
    ("path-cover", lambda evidence: evidence["paths"].append([])),
    ("path-cover", lambda evidence: evidence["paths"].append(["b2"])),
    ("path-cover", lambda evidence: evidence.__setitem__("paths", [[*chain(*evidence["paths"])]])),
    ("path-cover", lambda evidence: evidence.__setitem__("tour", evidence.pop("paths")[0])),
    ("path-cover", lambda evidence: evidence.__setitem__("objective", "longest")),
    ("least-weight", lambda evidence: better(evidence, 1)),
    ("least-weight", lambda evidence: evidence.pop("weights")),
    ("least-weight", lambda evidence: evidence["weights"]["values"].pop()),
    ("least-weight", lambda evidence: evidence["weights"].__setitem__("denominator", 0)),
    ("least-weight", lambda evidence: evidence["weights"]["values"].__setitem__(0, 0.5)),
    ("least-weight", lambda evidence: evidence["weights"]["values"].__setitem__(0, -(10**16))),
    (
        "least-weight",
        lambda evidence: evidence["weights"].__setitem__(
            "values", [number - 1 for number in evidence["weights"]["values"]]
        ),
    ),
    ("least-weight", lambda evidence: evidence.__setitem__("objective", "fewest-turns")),
]


@pytest.mark.parametrize("number", range(len(CORRUPTIONS)))
def test_corruptions_are_refused_by_both(documents, number):
    objective, corrupt = CORRUPTIONS[number]
    document = documents[objective]
    assert check(document).kind == "bound" and verify(document)
    changed = copy.deepcopy(document)
    corrupt(changed["evidence"])
    with pytest.raises(Refusal):
        check(changed)
    with pytest.raises(Invalid):
        verify(changed)


def test_no_numbers_show_a_false_bound():
    """Whatever numbers a leaf has, the checkers agree, and what they accept is true."""
    rng = random.Random(seed := random.randrange(10**6))
    print("seed", seed)
    questions = []
    while len(questions) < 12:
        closed = rng.random() < 0.5
        graph, problem = random_problem(rng, closed)
        objective = rng.choice(("longest", "path-cover"))
        if objective == "path-cover":
            problem = Problem(graph=graph, require=problem.require, forbid=problem.forbid)
        truth = (longest_of_all if objective == "longest" else fewest_of_all)(problem)
        made = optimize(problem, objective).certificate
        if truth and made is not None:
            keys = ("format", "schema_version", "problem", "evidence")
            questions.append((problem, objective, truth, {key: made.document[key] for key in keys}))
    accepted = 0
    for _ in range(400):
        problem, objective, truth, document = rng.choice(questions)
        evidence = copy.deepcopy(document["evidence"])
        better(evidence, rng.randint(-2, 2))
        for leaf in (leaf for leaf in leaves(evidence["trees"][0]) if leaf):
            for _ in range(rng.randrange(4) if leaf["potentials"] else 0):
                leaf["potentials"][rng.randrange(len(leaf["potentials"]))] += rng.randint(-2, 2)
            if rng.random() < 0.3:
                nodes = [*problem.graph]
                rng.shuffle(nodes)
                size = rng.randint(1, len(nodes) - 1)
                cut = {"weight": rng.randint(1, 2), "squares": nodes[:size]}
                if objective == "longest":
                    cut |= {
                        "inside": nodes[0],
                        **({"outside": nodes[-1]} if problem.closed else {}),
                    }
                leaf["cuts"].append(cut)
            leaf["scale"] = rng.choice((leaf["scale"], 0, 1))
        if rng.random() < 0.3 and objective == "longest":
            tree = evidence["trees"][0]
            node = rng.choice([*problem.graph])
            evidence["trees"][0] = {
                "square": node,
                "visited": tree,
                "skipped": rng.choice((tree, {})),
            }
        if both_accept({**document, "evidence": evidence}):
            accepted += 1
            bound = evidence["bound"]
            assert bound >= truth if objective == "longest" else bound <= truth, evidence
    assert accepted > 20


@pytest.mark.parametrize(
    ("problem", "objective", "options", "error", "text"),
    [
        ("6x6", "path-cover", {"closed": True}, NotTakenError, "open paths"),
        ("6x6", "path-cover", {"start": "a1"}, NotTakenError, "no start"),
        ("6x6", "least-weight", {}, NotTakenError, "got a board"),
        ("6x6", "longest", {"given": {"a1": 1}}, NotTakenError, "given steps"),
        (nx.DiGraph([(1, 2), (2, 3)]), "longest", {}, NotTakenError, "a directed one"),
        (
            nx.path_graph(3),
            "least-weight",
            {},
            InputError,
            "edge 0-1: expected a number as 'weight'",
        ),
        (weighted_cycle(), "least-weight", {}, InputError, "edges have length"),
    ],
)
def test_bad_input(problem, objective, options, error, text):
    with pytest.raises(error, match=text):
        optimize(problem, objective, **options)


@pytest.mark.parametrize("weight", [float("nan"), float("inf"), -float("inf"), "3", None, True])
def test_weights_that_are_no_numbers(weight):
    graph = nx.path_graph(3)
    nx.set_edge_attributes(graph, {(0, 1): 2, (1, 2): weight}, "weight")
    with pytest.raises(InputError, match="1-2: expected a"):
        optimize(graph, "least-weight")


def test_weights_with_many_digits_are_rounded():
    graph = nx.complete_graph(5)
    for u, v in graph.edges:
        graph.edges[u, v]["weight"] = (u + 1) ** 0.5 + v / 3
    best = optimize(graph, "least-weight", closed=True)
    assert best.statistics["weight_unit"] == 1e-6 and best.proved and accepted(best)
    tours = [[0, *rest] for rest in permutations(range(1, 5))]
    assert abs(best.value - float(min(weight_of(graph, tour, True) for tour in tours))) < 1e-5


def test_parallel_edges_have_no_weight():
    graph = nx.MultiGraph([(0, 1, {"weight": 1}), (0, 1, {"weight": 2}), (1, 2, {"weight": 1})])
    with pytest.raises(InputError, match="expected a number"):
        optimize(graph, "least-weight")


FILES = {
    "roads.edges": "a b 2.5\nb c 1\nc d 2\nd a 9\na c 1\n",
    "roads.csv": "source,target,weight\na,b,2.5\nb,c,1\nc,d,2\nd,a,9\na,c,1\n",
    "data.edges": "a b {'weight': 2.5}\nb c {'weight': 1}\nc d {'weight': 2}\n"
    "d a {'weight': 9}\na c {'weight': 1}\n",
}


NUMBERED = {
    "roads.mtx": "%%MatrixMarket matrix coordinate real symmetric\n4 4 5\n2 1 2.5\n3 2 1\n"
    "4 3 2\n4 1 9\n3 1 1\n",
    "roads.graph": "4 5 1\n2 3 4 9 3 1\n1 3 3 1\n2 1 4 2 1 1\n3 2 1 9\n",
    "roads.tsp": "TYPE : TSP\nDIMENSION : 4\nEDGE_WEIGHT_TYPE : EXPLICIT\n"
    "EDGE_WEIGHT_FORMAT : UPPER_ROW\nEDGE_WEIGHT_SECTION\n2.5 1 9\n1 7\n2\nEOF\n",
    "places.tsp": "TYPE : TSP\nDIMENSION : 4\nEDGE_WEIGHT_TYPE : EUC_2D\nNODE_COORD_SECTION\n"
    "1 0 0\n2 3 4\n3 0 4\n4 3 0\nEOF\n",
}


@pytest.mark.parametrize(
    ("name", "value"),
    [("roads.mtx", 5.5), ("roads.graph", 6), ("roads.tsp", 5.5), ("places.tsp", 10)],
)
def test_weights_of_numbered_nodes(name, value, kt_cp, tmp_path):
    file, best = tmp_path / name, tmp_path / "best.json"
    file.write_text(NUMBERED[name])
    result = kt_cp("optimize", file, "--open", "--objective", "least-weight", "-o", best)
    assert result.code == 0 and f"weight {value}; no tour weighs less" in result.err
    assert kt_cp("check", best).code == 0


@pytest.mark.parametrize("name", [*FILES, "roads.graphml", "roads.gml", "roads.json"])
def test_weights_of_files(name, kt_cp, tmp_path):
    file = tmp_path / name
    if name in FILES:
        file.write_text(FILES[name])
    else:
        graph = nx.Graph()
        for line in FILES["roads.edges"].splitlines():
            u, v, weight = line.split()
            graph.add_edge(u, v, weight=float(weight))
        if name.endswith("json"):
            file.write_text(json.dumps(nx.node_link_data(graph, edges="edges")))
        else:
            (nx.write_graphml if name.endswith("graphml") else nx.write_gml)(graph, file)
    best = tmp_path / "best.json"
    result = kt_cp("optimize", file, "--objective", "least-weight", "-o", best)
    assert result.code == 0 and "weight 5.5; no tour weighs less" in result.err
    assert "play no part" not in result.err
    result = kt_cp("check", best)
    assert result.code == 0 and "weight 5.5, and no tour weighs less" in result.out
    result = kt_cp("optimize", file, "--objective", "least-weight", "--weight", "toll")
    assert result.code == 2 and "expected a number as 'toll'; edges have weight" in result.err


def test_the_command(kt_cp, tmp_path):
    file = tmp_path / "paths.json"
    result = kt_cp("optimize", "4x4", "--objective", "path-cover")
    assert result.code == 0 and len(result.out.splitlines()) == 2 and len(result.out.split()) == 16
    result = kt_cp("optimize", "4x4", "--objective", "path-cover", "-o", file)
    assert result.code == 0 and len(json.loads(file.read_text())["paths"]) == 2
    result = kt_cp("check", file)
    assert result.code == 0 and "2 paths, and no cover has fewer" in result.out
    found = json.loads(file.read_text())
    for changes in ({"value": 1}, {"paths": found["paths"][:1]}, {"paths": None}, {"bound": 1}):
        file.write_text(json.dumps({**found, **changes}))
        result = kt_cp("check", file)
        assert result.code == 1 and len(result.out.splitlines()) == 1, changes
    picture = tmp_path / "longest.svg"
    result = kt_cp("optimize", "3x8", "--closed", "--objective", "longest", "-o", picture)
    assert result.code == 0 and "22 squares; no path has more" in result.err
    assert picture.read_text().startswith("<svg")
    result = kt_cp("optimize", "2x5", "--closed", "--objective", "longest")
    assert result.code == 1 and "No tour (2x5, closed): no closed path exists" in result.out
    for words in (
        ["4x4", "--objective", "path-cover", "--closed"],
        ["4x4", "--objective", "path-cover", "--format", "csv"],
        ["4x4", "--objective", "least-weight"],
    ):
        result = kt_cp("optimize", *words)
        assert result.code == 2 and len(result.err.splitlines()) == 1


def test_a_graph_with_a_path_but_no_tour(kt_cp, tmp_path):
    file = tmp_path / "star.edges"
    file.write_text("hub a\nhub b\nhub c\nc d\n")
    result = kt_cp("optimize", file, "--objective", "longest", "--json")
    found = json.loads(result.out)
    assert result.code == 0 and (found["value"], found["proved"]) == (4, True)
    assert {found["tour"][0], found["tour"][-1]} <= {"a", "b", "d"}
    assert solve(nx.star_graph(3)).verdict is Verdict.IMPOSSIBLE


def test_the_second_checker_reads_optima():
    for best in (
        optimize("6x6", "fewest-turns", closed=True),
        optimize("3x3", "path-cover"),
        optimize(weighted_cycle(), "least-weight", weight="length"),
        optimize("4x4", "most-steep"),
    ):
        found = json.loads(json.dumps(best.to_dict()))
        verify(found)
        example = "paths" if best.paths else "tour"
        corruptions = [{"value": 1000}, {"problem": {**found["problem"], "closed": "no"}}]
        corruptions += [{"bound": 1000}, {"objective": "most-turns"}] if best else []
        corruptions += [{example: found[example][:-1]} if best else {example: ["a1"]}]
        for changes in corruptions[0 if best else 1 :]:
            with pytest.raises(Invalid):
                verify({**found, **changes})
