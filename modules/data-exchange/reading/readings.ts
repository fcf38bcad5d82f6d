/**
 * Date and number formats of a file, decided from every cell of its columns: either one reading fits, or a person is
 * asked and shown both. Nothing is guessed. Pure.
 */
import {
  DATE_FORMATS, DECIMAL_STYLES, type DateFormat, type DecimalStyle,
} from '../imports/import-field.contract.ts';
import { dateIn, isIsoDay, plainDecimal } from '../imports/read-cell.ts';

export type CellType = 'date' | 'amount' | 'count' | 'percent';

export interface ReadingSample { field: string; column: string; row_no: number; text: string; read: string }
export interface ReadingOption { value: string; samples: ReadingSample[] }
/** Options to ask about if `value` is null: each way to read the cells, with cells it would read differently. */
export interface Decided<V extends string> { value: V | null; options: ReadingOption[] }

interface Cell { field: string; column: string; row_no: number; text: string }

const SAMPLES = 3;

/** Votes of the cells of one setting. */
class Votes<V extends string> {
  readonly #values: readonly V[];
  readonly #read: (cell: Cell, value: V) => string | null;
  /** Cells that a reading can read. */
  readonly #fits = new Map<V, number>();
  /** Cells by the readings that can read them. */
  readonly #only = new Map<string, number>();
  readonly #samples = new Map<V, ReadingSample[]>();
  #differ = 0;

  constructor(values: readonly V[], read: (cell: Cell, value: V) => string | null) {
    this.#values = values;
    this.#read = read;
  }

  add(cell: Cell): void {
    const found = this.#values.flatMap((value) => {
      const read = this.#read(cell, value);
      return read === null ? [] : [{ value, read }];
    });
    if (found.length === 0) return;
    const key = found.map(({ value }) => value).join(' ');
    this.#only.set(key, (this.#only.get(key) ?? 0) + 1);
    const differ = new Set(found.map(({ read }) => read)).size > 1;
    if (differ) this.#differ += 1;
    for (const { value, read } of found) {
      this.#fits.set(value, (this.#fits.get(value) ?? 0) + 1);
      const samples = this.#samples.get(value) ?? [];
      if ((differ || found.length === 1) && samples.length < SAMPLES) samples.push({ ...cell, read });
      this.#samples.set(value, samples);
    }
  }

  decide(usual: V): Decided<V> {
    const most = Math.max(0, ...this.#fits.values());
    const order = [usual, ...this.#values.filter((value) => value !== usual)];
    const leaders = order.filter((value) => most > 0 && this.#fits.get(value) === most);
    const [first = usual] = leaders;
    const without = [...this.#only.keys()].some((key) => !key.split(' ').includes(first));
    // Every cell means the same either way, or one reading is the only one that reads all that can be read.
    if (most === 0 || (!without && (leaders.length === 1 || this.#differ === 0))) return { value: first, options: [] };
    return { value: null, options: order.filter((value) => (this.#fits.get(value) ?? 0) > 0)
      .map((value) => ({ value, samples: this.#samples.get(value) ?? [] })) };
  }
}

const PLACES: Readonly<Record<Exclude<CellType, 'date'>, number>> = { amount: 2, count: 0, percent: 4 };

/** A number as it would be read, and whether one of this type may have so many decimals; null where it is none. */
function numberIn(type: Exclude<CellType, 'date'>, text: string, style: DecimalStyle) {
  const plain = plainDecimal(text.replace(/^[-−(\s]+|[)\s]+$|\s*%$/g, ''), style);
  if (plain === null) return null;
  const [whole = '', fraction = ''] = plain.split('.');
  const kept = fraction.replace(/0+$/, '');
  return { read: `${whole.replace(/^0+(?=\d)/, '')}${kept === '' ? '' : `.${kept}`}`,
    fits: kept.length <= PLACES[type] };
}

/**
 * Votes for the decimal style. A cell that is a number in one style alone (12,50) decides; 41.260 is one in both. Where
 * no cell decides, the usual style stands if it alone fits; the other never wins in silence.
 */
class NumberVotes {
  readonly #hard = new Set<DecimalStyle>();
  readonly #unfit = new Set<DecimalStyle>();
  readonly #samples: Record<DecimalStyle, ReadingSample[]> = { point: [], comma: [] };
  #open = false;

  add(type: Exclude<CellType, 'date'>, cell: Cell): void {
    const found = DECIMAL_STYLES.flatMap((style) => {
      const number = numberIn(type, cell.text, style);
      return number ? [{ style, ...number }] : [];
    });
    const [first, second] = found;
    if (!first || (second && first.read === second.read)) return;
    if (!second) this.#hard.add(first.style);
    else this.#open = true;
    for (const { style, read, fits } of found) {
      if (!fits) this.#unfit.add(style);
      if (this.#samples[style].length < SAMPLES) this.#samples[style].push({ ...cell, read });
    }
  }

  decide(usual: DecimalStyle): Decided<DecimalStyle> {
    const other = DECIMAL_STYLES.find((style) => style !== usual)!;
    if (this.#hard.size === 1) return { value: [...this.#hard][0]!, options: [] };
    const told = this.#unfit.has(other) && !this.#unfit.has(usual);
    if (this.#hard.size === 0 && (!this.#open || told)) return { value: usual, options: [] };
    return { value: null, options: [usual, other].map((value) => ({ value, samples: this.#samples[value] })) };
  }
}

/** Collects cells, column by column and row by row; what a person chose already is not asked again. */
export class Readings {
  readonly #types: Readonly<Record<string, CellType>>;
  readonly #dates = new Votes<DateFormat>(DATE_FORMATS, ({ text }, format) => dateIn(text, format));
  readonly #numbers = new NumberVotes();

  constructor(types: Readonly<Record<string, CellType>>) {
    this.#types = types;
  }

  add(cell: Cell): void {
    const type = this.#types[cell.field];
    const text = cell.text.trim();
    if (type === undefined || text === '') return;
    if (type !== 'date') this.#numbers.add(type, { ...cell, text: text.slice(0, 60) });
    // A day as 2026-11-15 reads the same however the others are written.
    else if (!isIsoDay(text)) this.#dates.add({ ...cell, text: text.slice(0, 60) });
  }

  dates(usual: DateFormat): Decided<DateFormat> {
    return this.#dates.decide(usual);
  }

  numbers(usual: DecimalStyle): Decided<DecimalStyle> {
    return this.#numbers.decide(usual);
  }
}
