// Squares by their names, surfaces, and the moves of a piece.

export const JOINS = {
  plane: ["", ""], cylinder: ["plain", ""], torus: ["plain", "plain"],
  moebius: ["reversed", ""], klein: ["reversed", "plain"],
}; // of files, of ranks

/** The question that nobody has changed yet. */
export const EMPTY = {
  rows: 8, columns: 8, missing: [], piece: [[1, 2]], surface: "plane", closed: false,
  start: null, end: null, require: [], forbid: [], given: [], symmetry: null,
};

/** Name of a square: nameOf(4, 2) is "c5". */
export function nameOf(row, column) {
  let letters = "";
  for (let left = column + 1; left > 0; left = Math.floor((left - 1) / 26)) {
    letters = String.fromCharCode(97 + ((left - 1) % 26)) + letters;
  }
  return letters + (row + 1);
}

/** Row and column of a name: placeOf("c5") is [4, 2]. */
export function placeOf(name) {
  const [, letters, rank] = /^([a-z]+)(\d+)$/.exec(name);
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 96;
  return [Number(rank) - 1, column - 1];
}

export function within(problem, name) {
  if (!/^[a-z]{1,6}[1-9]\d{0,6}$/.test(name)) return false;
  const [row, column] = placeOf(name);
  return row < problem.rows && column < problem.columns;
}

/**
 * The moves from a square: a list of {name, row, column}.  Row and column are where the step ends
 * before it is folded back over a joined edge.
 */
export function movesFrom(problem, name) {
  const { rows, columns } = problem;
  const [files, ranks] = JOINS[problem.surface];
  const [row, column] = placeOf(name);
  const found = new Map();
  for (const [a, b] of problem.piece.flatMap(([p, q]) => [[p, q], [q, p]])) {
    for (const [up, right] of [[a, b], [a, -b], [-a, b], [-a, -b]]) {
      const turns = Math.floor((column + right) / columns);
      if ((turns && !files) || (!ranks && (row + up < 0 || row + up >= rows))) continue;
      let landed = (((row + up) % rows) + rows) % rows;
      if (turns % 2 && files === "reversed") landed = rows - 1 - landed;
      const to = nameOf(landed, column + right - turns * columns);
      const straight = !turns && landed === row + up;
      if (to === name || (found.has(to) && !straight)) continue;
      found.set(to, { name: to, row: row + up, column: column + right, straight });
    }
  }
  const missing = new Set(problem.missing);
  return [...found.values()].filter((move) => !missing.has(move.name));
}
