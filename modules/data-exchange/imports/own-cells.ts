/** Cells of a row without those of the two columns that we add when rows are handed back (row number, reason). */
export function ownCells(cells: readonly string[], width: number): string[] {
  const ours = cells.length === width + 2 && /^\d+$/.test(cells[width] ?? '');
  return ours ? cells.slice(0, width) : [...cells];
}
