/** The thread that writes a workbook; see write-workbook.ts. */
import writeXlsxFile, { type Cell, type Row } from 'write-excel-file/node';
import { parentPort, workerData } from 'node:worker_threads';
import type { SheetCell, SheetMessage, SheetStart } from './write-workbook.ts';

/** Characters of a cell and of a sheet's name. */
const CELL_LENGTH = 32_767;
const NAME_LENGTH = 31;
const COLUMN_WIDTH = 18;
const AMOUNT = '#,##0.00';
/** Signs with the place that spreadsheets read them by; other currencies stand behind as their code. */
const SIGNS: Readonly<Record<string, string>> = { USD: `[$$-409]${AMOUNT}`, GBP: `[$£-809]${AMOUNT}`,
  EUR: `[$€-2]${AMOUNT}` };

const moneyFormat = (currency: string | undefined): string =>
  (currency === undefined ? AMOUNT : SIGNS[currency] ?? `${AMOUNT} [$${currency}]`);

/** Text as it is, and never a formula. */
function textCell(text: string): string {
  const fitting = text.slice(0, CELL_LENGTH).toWellFormed();
  // The library looks texts up in an object, where "constructor" stands already; a control character, which it leaves
  // out of the file, makes another key of it.
  return fitting in Object.prototype ? `${fitting}\u0001` : fitting;
}

function cellOf({ kind, text, currency }: SheetCell): Cell {
  switch (kind) {
    case 'text': return text === '' ? null : textCell(text);
    case 'number': return Number(text);
    case 'money': return { value: Number(text), type: Number, format: moneyFormat(currency) };
    case 'day': return { value: new Date(`${text}T00:00:00Z`), type: Date, format: 'yyyy-mm-dd' };
    case 'instant': return { value: new Date(text), type: Date, format: 'yyyy-mm-dd hh:mm' };
  }
}

function sheetName(name: string): string {
  const plain = name.replace(/[[\]*?/\\:]/g, ' ').slice(0, NAME_LENGTH).trim().replace(/^'|'$/g, '');
  return plain === '' ? 'List' : textCell(plain);
}

const { name, header } = workerData as SheetStart;
const data: Row[] = [header.map((title) => ({ value: textCell(title), type: String, fontWeight: 'bold' }))];

async function written(): Promise<Buffer> {
  return writeXlsxFile(data, { sheet: sheetName(name), stickyRowsCount: 1,
    columns: header.map(() => ({ width: COLUMN_WIDTH })) }).toBuffer();
}

parentPort!.on('message', (message: SheetMessage) => {
  if ('rows' in message) {
    for (const row of message.rows) data.push(row.map(cellOf));
  } else {
    // An error ends the thread; whoever waits hears of it.
    void written().then((content) => parentPort!.postMessage(content));
  }
});
