// Draw: a board and a question about it, by mouse, finger or keys.

import { EMPTY } from "./board.js";

export function mount(section, page) {
  const board = page.board(section, { label: "Board" });
  board.show({ problem: EMPTY });
}
