"""What a certificate speaks of, written from kt_cp/trust/check/FORMAT.md alone: see second_checker.

The problem, its frame, and what is known of the frame's edges; the rules are applied again and
again until nothing changes.
"""

from __future__ import annotations

from itertools import combinations

import networkx as nx

JOINS = {
    "plane": (False, False),
    "cylinder": (True, False),
    "torus": (True, True),
    "moebius": (True, False),
    "klein": (True, True),
}
"""Whether the files are joined, and the ranks."""

MOTIONS = ("half-turn", "quarter-turn", "left-right", "top-bottom", "diagonal")


class Contradiction(Exception):  # noqa: N818
    pass


def distances(one, other, rows, columns, surface, sides):
    """How far apart two squares are, to those of the other's images that may be a step away."""
    wide, high = JOINS[surface]
    for across, right in images(other[1] - one[1], columns, sides) if wide else [(0, None)]:
        turned = surface in ("moebius", "klein") and across % 2
        row = rows - 1 - other[0] if turned else other[0]
        for _, up in images(row - one[0], rows, sides) if high else [(0, row - one[0])]:
            yield abs(up), abs(other[1] - one[1] if right is None else right)


def images(apart, period, sides):
    """How many times around, and how far then, where that is the side of a leap."""
    reached = {sign * side for side in sides for sign in (1, -1)}
    return [((far - apart) // period, far) for far in reached if (far - apart) % period == 0]


class Problem:
    def __init__(self, given, version=2):
        self.closed, ends = given["closed"], [given["start"], given["end"]]
        assert isinstance(self.closed, bool) and not (self.closed and ends[1])
        self.board, self.moves = "nodes" not in given, nx.Graph()
        self.require, self.forbid = (
            [self.pair(each) for each in given[key]] if version > 1 else []
            for key in ("require", "forbid")
        )
        if self.board:
            self.lay_out(given, version)
        else:
            self.take(given)
        self.squares = list(self.moves)
        self.given = [end for end in ends if end is not None]
        assert self.squares and set(self.given) <= set(self.squares)
        assert len(set(self.given)) == len(self.given) or len(self.squares) == 1
        self.conditions(given, version)

    @staticmethod
    def pair(value):
        assert isinstance(value, list) and len(value) == 2
        assert all(isinstance(each, str) for each in value)
        return tuple(value)

    def lay_out(self, given, version):
        rows, columns = given["rows"], given["columns"]
        assert type(rows) is type(columns) is int and columns < 27 and rows * columns < 1000
        names = {f"{chr(97 + c)}{r + 1}": (r, c) for r in range(rows) for c in range(columns)}
        missing = given["missing"]
        assert isinstance(missing, list)
        assert len(set(missing)) == len(missing) and set(missing) <= set(names)
        self.place = {name: names[name] for name in names if name not in missing}
        self.moves.add_nodes_from(self.place)
        leaps = given["piece"] if version > 1 else [[1, 2]]
        surface = given["surface"] if version > 1 else "plane"
        assert all(type(a) is type(b) is int and 0 <= a <= b > 0 for a, b in leaps)
        assert 0 < len({tuple(leap) for leap in leaps}) == len(leaps)
        leaps, sides = {(a, b) for a, b in leaps}, {side for leap in leaps for side in leap}
        wide, high = JOINS[surface]
        for u, v in combinations(self.place, 2):
            if any(
                (min(step), max(step)) in leaps
                for step in distances(self.place[u], self.place[v], rows, columns, surface, sides)
            ):
                self.moves.add_edge(u, v)
        turned = rows - 1 if surface in ("moebius", "klein") else 0
        self.alternates = (
            all((a + b) % 2 == 1 for a, b in leaps)
            and not (wide and (columns + turned) % 2)
            and not (high and rows % 2)
        )
        if self.alternates:
            assert all(self.colour(u) != self.colour(v) for u, v in self.moves.edges)

    def take(self, given):
        assert all(isinstance(node, str) for node in given["nodes"])
        assert len(set(given["nodes"])) == len(given["nodes"]) and "end" not in given["nodes"]
        self.moves.add_nodes_from(given["nodes"])
        for u, v in given["edges"]:
            assert u != v and u in self.moves and v in self.moves
            assert not self.moves.has_edge(u, v)
            self.moves.add_edge(u, v)
        self.alternates = False

    def conditions(self, given, version):
        """Hold the moves against the graph, and take the forbidden ones out."""
        moves = [frozenset(each) for each in [*self.require, *self.forbid]]
        assert len(set(moves)) == len(moves)
        assert all(len(move) == 2 and self.moves.has_edge(*move) for move in moves)
        degrees = nx.Graph(self.require).degree if self.require else ()
        assert all(degree < 3 for _, degree in degrees)
        self.moves.remove_edges_from(self.forbid)
        if version > 1:
            squares, steps = zip(*given["given"], strict=True) if given["given"] else ((), ())
            assert set(squares) <= set(self.squares) and len(set(squares)) == len(squares)
            assert len(set(steps)) == len(steps)
            assert all(type(step) is int and 0 < step <= len(self.squares) for step in steps)
            assert given["symmetry"] is None or (self.board and given["symmetry"] in MOTIONS)
        self.start, self.end = given["start"], given["end"]
        self.steps = dict(given["given"]) if version > 3 else {}
        self.symmetry = given["symmetry"] if version > 3 else None
        if self.board:
            self.sides = given["rows"], given["columns"]

    def clues(self):
        """All pairs of a square and its step."""
        ends = {(self.start, 1), (self.end, len(self.squares))}
        return {(s, step) for s, step in [*self.steps.items(), *ends] if s is not None}

    def image(self, square):
        """The name of the square to which the symmetry carries one, or something else."""
        (rows, columns), (row, column) = self.sides, self.place[square]
        at = {
            "half-turn": (rows - 1 - row, columns - 1 - column),
            "quarter-turn": (rows - 1 - column, row),
            "left-right": (row, columns - 1 - column),
            "top-bottom": (rows - 1 - row, column),
            "diagonal": (column, row),
        }[self.symmetry]
        return next((name for name, place in self.place.items() if place == at), at)

    def colour(self, square):
        return sum(self.place[square]) % 2

    def set_of(self, names, least=0):
        assert isinstance(names, list) and len(set(names)) == len(names) >= least
        assert set(names) <= set(self.squares)
        return set(names)

    def frame(self):
        """The graph F with vertices 0, 1, ..., and the edges that must be used."""
        size = len(self.squares)
        assert size >= (3 if self.closed else 2)
        number = {square: vertex for vertex, square in enumerate(self.squares)}
        frame = nx.relabel_nodes(self.moves, number)
        must = sorted(tuple(sorted((number[u], number[v]))) for u, v in self.require)
        if self.closed:
            return frame, must
        two = self.alternates
        shades = [self.colour(square) if two else 0 for square in self.squares]
        if two and size % 2:
            common = int(2 * sum(shades) > size)
            end_of = [size if shade == common else None for shade in shades]
        else:
            end_of = [size + shade for shade in shades]
        frame.add_nodes_from([size, size + 1] if two and size % 2 == 0 else [size])
        if len(self.given) < 2:
            frame.add_edges_from((v, end) for v, end in enumerate(end_of) if end is not None)
        for square in self.given:
            vertex = number[square]
            must.append((vertex, size if end_of[vertex] is None else end_of[vertex]))
        if size + 1 in frame:
            must.append((size, size + 1))
        frame.add_edges_from(must)
        return frame, must


class Known:
    """Forced and banned edges of a frame, and the rules."""

    def __init__(self, frame, must, size):
        self.frame, self.size = frame, size
        self.open, self.forced = {frozenset(e) for e in frame.edges}, {frozenset(e) for e in must}
        self.plain()

    def copy(self):
        twin = object.__new__(Known)
        twin.frame, twin.size = self.frame, self.size
        twin.open, twin.forced = {*self.open}, {*self.forced}
        return twin

    def plain(self):
        before = None
        while before != (len(self.open), len(self.forced)):
            before = len(self.open), len(self.forced)
            no(not self.forced <= self.open)
            for vertex in self.frame:
                left = {edge for edge in self.open if vertex in edge}
                used = left & self.forced
                no(len(left) < 2 or len(used) > 2)
                if len(left) == 2:
                    self.forced |= left
                if len(used) == 2:
                    self.open -= left - used
            paths = nx.Graph(map(tuple, self.forced))
            for piece in nx.connected_components(paths):
                ends = [vertex for vertex in piece if paths.degree(vertex) == 1]
                if len(piece) < len(self.frame):
                    no(not ends)
                    if len(ends) == 2 and len(piece) > 2:
                        self.open.discard(frozenset(ends))

    def count(self, chosen):
        ends = {vertex for vertex in self.frame if vertex >= self.size}
        fixed = sum(len(edge & ends) == 1 for edge in self.forced)
        taken = set(chosen) if fixed == 2 else set(chosen) | ends
        left = nx.Graph([tuple(edge) for edge in self.open if not edge & taken])
        left.add_nodes_from(set(self.frame) - taken)
        pieces = nx.number_connected_components(left)
        if not taken:
            no(pieces > 1)
            return
        free, out, within = {}, {}, {}
        for vertex in taken:
            mine = {edge for edge in self.open if vertex in edge}
            within[vertex] = {edge for edge in mine if edge <= taken}
            out[vertex] = mine - within[vertex]
            free[vertex] = 2 - len(within[vertex] & self.forced)
        offered = sum(min(free[vertex], len(out[vertex])) for vertex in taken)
        no(offered < 2 * pieces)
        if offered == 2 * pieces:
            for vertex in taken:
                if len(out[vertex]) <= free[vertex]:
                    self.forced |= out[vertex]
            for vertex in taken:
                if free[vertex] <= len(out[vertex]):
                    self.open -= within[vertex] - self.forced
            self.plain()


def no(contradiction):
    if contradiction:
        raise Contradiction
