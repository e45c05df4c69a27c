"""What a certificate speaks of, written from kt_cp/proofs/FORMAT.md alone: see second_checker.

The problem, its frame, and what is known of the frame's edges; the rules are applied again and
again until nothing changes.
"""

from __future__ import annotations

from itertools import combinations

import networkx as nx


class Contradiction(Exception):  # noqa: N818
    pass


class Problem:
    def __init__(self, given):
        self.closed, ends = given["closed"], [given["start"], given["end"]]
        assert isinstance(self.closed, bool) and not (self.closed and ends[1])
        self.board = "nodes" not in given
        self.moves = nx.Graph()
        if self.board:
            rows, columns = given["rows"], given["columns"]
            assert type(rows) is type(columns) is int and columns < 27 and rows * columns < 1000
            names = {f"{chr(97 + c)}{r + 1}": (r, c) for r in range(rows) for c in range(columns)}
            missing = given["missing"]
            assert isinstance(missing, list)
            assert len(set(missing)) == len(missing) and set(missing) <= set(names)
            self.place = {name: names[name] for name in names if name not in missing}
            self.moves.add_nodes_from(self.place)
            for u, v in combinations(self.place, 2):
                steps = [abs(a - b) for a, b in zip(self.place[u], self.place[v], strict=True)]
                if sorted(steps) == [1, 2]:
                    self.moves.add_edge(u, v)
        else:
            assert all(isinstance(node, str) for node in given["nodes"])
            assert len(set(given["nodes"])) == len(given["nodes"]) and "end" not in given["nodes"]
            self.moves.add_nodes_from(given["nodes"])
            for u, v in given["edges"]:
                assert u != v and u in self.moves and v in self.moves
                assert not self.moves.has_edge(u, v)
                self.moves.add_edge(u, v)
        self.squares = list(self.moves)
        self.given = [end for end in ends if end is not None]
        assert self.squares and set(self.given) <= set(self.squares)
        assert len(set(self.given)) == len(self.given) or len(self.squares) == 1

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
        frame, must = nx.relabel_nodes(self.moves, number), []
        if self.closed:
            return frame, must
        shades = [self.colour(square) if self.board else 0 for square in self.squares]
        if self.board and size % 2:
            common = int(2 * sum(shades) > size)
            end_of = [size if shade == common else None for shade in shades]
        else:
            end_of = [size + shade for shade in shades]
        frame.add_nodes_from([size, size + 1] if self.board and size % 2 == 0 else [size])
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
