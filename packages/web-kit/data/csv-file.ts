/**
 * A list as a CSV file (U21): RFC 4180 with a UTF-8 mark, and no cell that a spreadsheet would run as a formula
 * (reliability.md 2.4), like the files of the server (modules/data-exchange/reading).
 */

const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** A cell that starts like a formula gets an apostrophe; plain numbers stay numbers. */
export function safeCell(text: string): string {
  return /^[=+\-@\t\r]/.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Header and rows as one file's text; every line ends with CR LF. */
export function csvText(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `${cells.map((cell) => quoted(safeCell(cell))).join(',')}\r\n`;
  return `\uFEFF${[header, ...rows].map(line).join('')}`;
}

/** 'Royalty statements' on a day gives 'royalty-statements-2026-11-21.csv'. */
export function fileNameOf(label: string, day: string): string {
  const plain = label.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '');
  const words = plain.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-|-$/g, '');
  return `${words || 'list'}-${day}.csv`;
}

/** Hands a text or bytes to the browser as a file to keep. */
export function saveFile(name: string, content: BlobPart, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken the file by the next task.
  setTimeout(() => URL.revokeObjectURL(url));
}
