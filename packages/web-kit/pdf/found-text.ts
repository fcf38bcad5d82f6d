/** Finding words in the text of a PDF's pages. Pure: what a page says is a list of runs, as pdf.js reads them. */

/** A run of letters of a page, and whether the line ends behind it. */
export interface TextRun { str: string; hasEOL: boolean }

/** Position of a find: page from 0, first letter and length, in the text of its page. */
export interface Find { page: number; at: number; length: number }

/** A piece of one run that belongs to a find. */
export interface Piece { run: number; from: number; to: number }

/** The text of a page; the end of a line reads as a space, so that a find may go over it. */
export function textOf(runs: readonly TextRun[]): string {
  return runs.map((run) => run.str + (run.hasEOL ? ' ' : '')).join('');
}

/** Every place that says the words, capitals or not, from the first page to the last. */
export function findIn(pages: readonly string[], words: string): Find[] {
  const wanted = words.trim().replaceAll(/\s+/g, ' ').toLowerCase();
  if (wanted === '') return [];
  return pages.flatMap((text, page) => {
    const finds: Find[] = [];
    const lower = text.toLowerCase();
    for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + wanted.length)) {
      finds.push({ page, at, length: wanted.length });
    }
    return finds;
  });
}

/** The pieces of runs that a find covers: to mark it where the page is drawn. */
export function piecesOf(runs: readonly TextRun[], find: Pick<Find, 'at' | 'length'>): Piece[] {
  const pieces: Piece[] = [];
  let start = 0;
  for (const [run, { str, hasEOL }] of runs.entries()) {
    const from = Math.max(0, find.at - start);
    const to = Math.min(str.length, find.at + find.length - start);
    if (from < to) pieces.push({ run, from, to });
    start += str.length + (hasEOL ? 1 : 0);
  }
  return pieces;
}
