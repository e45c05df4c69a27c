"""Pairs of vertices that hold a graph together: split components by one depth-first search.

Take a pair of vertices away, and the rest may fall apart. Then the graph is the union of two
smaller ones that share the pair, and each gets a *virtual edge* between the two in place of the
other. Go on, and what is left are cycles (here: triangles) and graphs that no pair separates. What
a virtual edge means to a Hamiltonian cycle is said in `kt_cp.engines.split`.

The search numbers the vertices and takes the edges at each in such an order that a path that
returns to the root side as far as possible comes first. So the graph is cut into paths, each of
which begins where an earlier one passes. A pair is of the first type if all that hangs below a
child of b comes back to a and b alone: two low points tell. It is of the second type if a part of
one path between a and b lets no other edge out: a stack of candidates (h, a, b) tells, where h is
the highest number in the part. Edges wait on a stack of their own until a pair takes them away.
Several edges between a and b would be a component as well; here they are counted by whoever needs
it, from the pairs of the virtual edges.

Source: J. Hopcroft and R. Tarjan, "Dividing a graph into triconnected components", SIAM Journal on
Computing 2 (1973); with the corrections of C. Gutwenger and P. Mutzel, "A linear time
implementation of SPQR-trees", Graph Drawing 2000. Cost: linear but for sorting the edges at each
vertex; all with explicit stacks, because graphs are deeper than Python's recursion limit
(`benchmarks/MEASURED.md`). When it loses: it knows pairs alone, and three vertices are not asked.
"""

from __future__ import annotations

from collections.abc import Sequence

from kt_cp.search.palm_tree import PalmArcs, PalmTree, palm_tree

SplitEdge = tuple[int, int, bool]
"""Both ends of an edge, the smaller first, and whether it is virtual."""

_Candidate = tuple[int, int, int]
"""h, a and b; a is -1 at a mark."""


def split_components(neighbours: Sequence[Sequence[int]]) -> list[list[SplitEdge]] | None:
    """Triangles, and graphs that no pair of vertices separates; None without two-connection.

    Parameters
    ----------
    neighbours : sequence of sequences of int
        Neighbours of each vertex 0 … n - 1, of a simple graph with n ≥ 3.

    Returns
    -------
    list of list of (int, int, bool), or None
        Edges of each component.  A graph that is a cycle comes as triangles, too.

    Examples
    --------
    Two squares that share two corners:

    >>> two = [[1, 3, 4, 5], [0, 2], [1, 3, 4, 5], [0, 2], [0, 2], [0, 2]]
    >>> sorted(len(component) for component in split_components(two))
    [3, 3, 3, 3]
    >>> split_components([[1], [0, 2], [1]]) is None
    True
    """
    tree = palm_tree(neighbours)
    return None if tree is None else _PathSearch(tree).components


class _PathSearch(PalmArcs):
    """The second search."""

    def __init__(self, tree: PalmTree) -> None:
        super().__init__(tree)
        self.edges: list[int] = []  # that wait
        self.components: list[list[SplitEdge]] = []
        self._run()
        self._component(self.edges)

    def _component(self, edges: list[int], pair: tuple[int, int] | None = None) -> None:
        told = [(self.tail[e], self.head[e], self.virtual[e]) for e in edges]
        told += [(*pair, True)] if pair else []
        node = self.node
        named = [(node[u], node[v], virtual) for u, v, virtual in told]
        self.components.append([(min(u, v), max(u, v), virtual) for u, v, virtual in named])

    def _run(self) -> None:
        head, low = self.head, self.low
        stack, at = [1], [0] * len(self.rows)
        left = [len(row) for row in self.rows]
        entered = [-1] * len(self.rows)  # the tree arc that was followed last
        candidates: list[_Candidate] = [(0, -1, 0)]
        while stack:
            v = stack[-1]
            row = self.rows[v]
            place = at[v]
            if place == len(row):
                stack.pop()
                continue
            starts = place > 0 or v == 1
            edge = entered[v]
            if edge < 0:
                edge = row[place]
                if edge < 0:
                    at[v] += 1
                    continue
                w = head[edge]
                tree = self.is_tree[edge]
                if starts:
                    returns = low[w] if tree else w
                    highest, last = 0, -1
                    while candidates[-1][1] > returns:
                        h, _, last = candidates.pop()
                        highest = max(highest, h)
                    if last < 0:
                        highest, last = (w + self.below[w] - 1 if tree else v), v
                    candidates.append((highest, returns, last))
                    if tree:
                        candidates.append((0, -1, 0))
                if tree:
                    entered[v] = edge
                    stack.append(w)
                else:
                    self.edges.append(edge)
                    at[v] += 1
                    left[v] -= 1
                continue
            entered[v] = -1
            w = head[edge]
            self.edges.append(self.arc_to[w])
            if v != 1:
                w = self._second_type(v, w, place, candidates)
            if self.second[w] >= v > low[w] and (self.father[v] != 1 or left[v] >= 2):
                self._first_type(v, w, place)
            if starts:
                while candidates.pop()[1] >= 0:
                    pass
            highest = self._highest(v)
            while candidates[-1][1] >= 0 and candidates[-1][2] != v and highest > candidates[-1][0]:
                candidates.pop()
            at[v] += 1
            left[v] -= 1

    def _second_type(
        self, v: int, w: int, place: int, candidates: list[tuple[int, int, int]]
    ) -> int:
        """Pairs of v and a vertex below w, whose number is returned if it takes the place of w."""
        edges, tail, head, degree = self.edges, self.tail, self.head, self.degree
        while True:
            narrow = degree[w] == 2 and head[self._front(w)] > w
            h, a, b = candidates[-1]
            if a != v and not narrow:
                return w
            if a == v and self.father[b] == a:
                candidates.pop()
                continue
            double = -1
            if narrow:
                one, other = edges.pop(), edges.pop()
                self.rows[w][self.place[other]] = -1
                x = head[other]
                self._component([one, other], (v, x))
                degree[x] -= 1
                degree[v] -= 1
                if edges and tail[edges[-1]] == x and head[edges[-1]] == v:
                    double = edges.pop()
                    self._unlist(double)
            else:
                candidates.pop()
                x = b
                taken = []
                while edges:
                    edge = edges[-1]
                    t, u = tail[edge], head[edge]
                    if not (a <= t <= h and a <= u <= h):
                        break
                    edges.pop()
                    if (t, u) in ((a, b), (b, a)):
                        double = edge
                        self._unlist(edge)
                        continue
                    if t != v or self.place[edge] != place:
                        self._unlist(edge)
                    taken.append(edge)
                    degree[t] -= 1
                    degree[u] -= 1
                self._component(taken, (v, x))
            if double >= 0:
                degree[x] -= 1
                degree[v] -= 1
            virtual = self._edge(v, x, True, place)
            edges.append(virtual)
            self.rows[v][place] = virtual
            degree[x] += 1
            degree[v] += 1
            self.father[x] = v
            self.arc_to[x] = virtual
            w = x

    def _first_type(self, v: int, w: int, place: int) -> None:
        """The pair of v and the low point of w: all that hangs below w is a component."""
        edges, degree = self.edges, self.degree
        back, end = self.low[w], w + self.below[w]
        taken = []
        while edges:
            edge = edges[-1]
            t, u = self.tail[edge], self.head[edge]
            if not (w <= t < end or w <= u < end):
                break
            edges.pop()
            if t != v or self.place[edge] != place:
                self._unlist(edge)
            taken.append(edge)
            degree[t] -= 1
            degree[u] -= 1
        self._component(taken, (v, back))
        virtual = self._edge(v, back, False, place)
        if edges and {self.tail[edges[-1]], self.head[edges[-1]]} == {v, back}:
            double = edges.pop()
            if self.tail[double] != v or self.place[double] != place:
                self.rows[self.tail[double]][self.place[double]] = -1
            self.in_high[virtual] = self.in_high[double]
            degree[v] -= 1
            degree[back] -= 1
        if back != self.father[v]:
            edges.append(virtual)
            self.rows[v][place] = virtual
            if self.in_high[virtual] < 0 and self._highest(back) < v:
                self.high[back].append(v)
                self.in_high[virtual] = len(self.high[back]) - 1
            degree[v] += 1
            degree[back] += 1
            return
        self.rows[v][place] = -1
        arc = self.arc_to[v]
        twin = self._edge(back, v, True, self.place[arc])
        self.virtual[twin] = True
        self.arc_to[v] = twin
        self.rows[back][self.place[arc]] = twin
