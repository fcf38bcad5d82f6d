/** Values of a list's rows as cells of a file: amounts exact, dates as dates, states in words. No I/O. */
import { minorToDecimal } from '#kernel/money/money.ts';
import type { SheetCell } from '#server/write-workbook.ts';

export type Cell = SheetCell;

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;
const CODE = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;
/** Fields whose text people gave, even where it looks like a code. */
const GIVEN = new RegExp(`(${['name', 'title', 'description', 'email', 'note', 'notes', 'memo', 'key', 'code',
  'search', 'thoroughfare', 'premise', 'locality', 'area', 'phone', 'instrument', 'edition', 'synopsis', 'credit',
].join('|')})$`);
const PPM = 10_000;
const EMPTY: Cell = { kind: 'text', text: '' };

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Amounts of the books, whatever currency the row is in. */
const IN_BOOKS = /(^|_)(base|functional)(_|$)/;

/** One value of the field, as it stands on the wire, of a row in this currency. */
export function cellOf(field: string, value: unknown, currency?: string): Cell {
  if (value === null || value === undefined || value === '') return EMPTY;
  if (typeof value === 'boolean') return { kind: 'text', text: value ? 'Yes' : 'No' };
  if (typeof value === 'number') return numberCell(field, value, currency);
  if (typeof value !== 'string') return { kind: 'text', text: textOf(value) };
  if (DAY.test(value)) return { kind: 'day', text: value };
  if (INSTANT.test(value)) return { kind: 'instant', text: value };
  const coded = CODE.test(value) && !GIVEN.test(field);
  return { kind: 'text', text: coded ? capital(value.replaceAll('_', ' ')) : value };
}

function numberCell(field: string, value: number, currency: string | undefined): Cell {
  if (field.endsWith('_minor') && Number.isSafeInteger(value)) {
    return { kind: 'money', text: minorToDecimal(BigInt(value)),
      ...currency === undefined || IN_BOOKS.test(field) ? {} : { currency } };
  }
  if (field.endsWith('_ppm')) return { kind: 'number', text: String(value / PPM) };
  return { kind: 'number', text: String(value) };
}

/** Lists and records in one cell: what they are called, else what they hold. Names have commas, so lists do not. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(textOf).filter(Boolean).join('; ');
  if (typeof value !== 'object') return String(value as string | number | boolean);
  const record = value as Record<string, unknown>;
  const called = record.name ?? record.title ?? record.label ?? record.number;
  return called === undefined ? Object.values(record).map(textOf).filter(Boolean).join(', ') : textOf(called);
}
