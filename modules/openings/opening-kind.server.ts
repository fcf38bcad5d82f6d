/**
 * Operations of a kind of opening balances: reads its rows, looks up the records they name, posts them, and takes them
 * back. Upload and posting share the same reading, so that posted rows were checked in the same transaction.
 */
import { foldName } from '#kernel/text/fold.ts';
import { dateInWords } from '#kernel/calendar/calendar.ts';
import type { OpeningKind } from '#kernel/ledger/opening-sets.ts';
import { valued, type Valued } from '#kernel/ledger/opening-sets.ts';
import type { Currency } from '#kernel/money/money.ts';
import type { Division } from '#kernel/money/division.ts';
import { rateOn } from '#modules/accounting/accounting.public.server.ts';
import type { DateFormat, DecimalStyle, FieldSet } from '#modules/data-exchange/imports/import-field.contract.ts';
import { Cells } from '#modules/data-exchange/imports/kinds/cells.ts';
import { fail, refuseRagged, Unreadable, type CellRules, type RowProblem }
  from '#modules/data-exchange/imports/read-cell.ts';
import type { WorkContext } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { Turns } from '#server/turns.ts';
import { OPENING_FIELDS } from './opening-fields.ts';
import type { MoneyCells } from './opening-rows.ts';

export interface FileSettings {
  header_row: number;
  header: string[];
  columns: Record<string, number>;
  date_format: DateFormat;
  decimal_style: DecimalStyle;
}

/** The set as its kind sees it. */
export interface SetFacts {
  id: number;
  division: Division;
  kind: OpeningKind;
  as_of: string;
  functional: Currency;
}

export interface SourceRow { row_no: number; cells: readonly string[]; cut_off?: boolean | undefined }

/** Amounts a row brings, + debit of the account; null if it brings no money. */
export interface OpeningAmount {
  label: string;
  account: string | null;
  currency: Currency | null;
  amount: bigint | null;
  base: bigint | null;
  is_carried?: boolean;
}

export interface CheckedRow {
  row_no: number;
  cells: readonly string[];
  brought: OpeningAmount | null;
  problem: RowProblem | null;
  /** For the posting; of the kind's own type. */
  subject: unknown;
}

/** Document of a row, once it is posted. */
export interface Made { row_no: number; type: string; id: number; transaction_id: number | null }

export interface KindWork {
  check(db: Queryable, set: SetFacts, rows: readonly SourceRow[], reading: FileSettings): Promise<CheckedRow[]>;
  post(ctx: WorkContext, set: SetFacts, rows: readonly CheckedRow[]): Promise<Made[]>;
  /** Locks its documents and names what happened to them since; a set with such names stays. */
  inTheWay(db: Queryable, set: SetFacts): Promise<string[]>;
  takeBack(ctx: WorkContext, set: SetFacts, reason: string): Promise<void>;
}

interface KindParts<R, B, S> {
  kind: OpeningKind;
  read(cells: Cells, set: SetFacts): R;
  /** Everything that the rows name, read at once. */
  book(db: Queryable, set: SetFacts, rows: readonly R[]): Promise<B>;
  /** Throws Unreadable with what is wrong. */
  judge(row: R, book: B, set: SetFacts): { brought: OpeningAmount; subject: S };
  post(ctx: WorkContext, set: SetFacts, rows: readonly { row_no: number; brought: OpeningAmount; subject: S }[]):
    Promise<Made[]>;
  inTheWay(db: Queryable, set: SetFacts): Promise<string[]>;
  takeBack(ctx: WorkContext, set: SetFacts, reason: string): Promise<void>;
}

/** @returns null where the work goes through, else why the row is left out */
function problemOf(work: () => void): RowProblem | null {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof Unreadable) return error.problem;
    throw error;
  }
}

export function rulesOf(reading: FileSettings): CellRules {
  return { columns: reading.columns, constants: {}, width: reading.header.length, date_format: reading.date_format,
    decimal_style: reading.decimal_style, amount_unit: 'major' };
}

export function openingKind<R, B, S>(parts: KindParts<R, B, S>): KindWork {
  const fields: FieldSet = OPENING_FIELDS[parts.kind];
  return {
    async check(db, set, rows, reading) {
      const rules = rulesOf(reading);
      const turns = new Turns();
      const read: { source: SourceRow; row: R | null; problem: RowProblem | null }[] = [];
      for (const source of rows) {
        let row: R | null = null;
        const problem = problemOf(() => {
          if (source.cut_off) fail('cut_off', 'The file ends inside this row', null, '');
          refuseRagged(source.cells, rules.width);
          row = parts.read(new Cells(source.cells, rules, fields), set);
        });
        read.push({ source, row, problem });
        if (turns.due()) await turns.give();
      }
      const book = await parts.book(db, set, read.flatMap(({ row }) => (row === null ? [] : [row])));
      const checked: CheckedRow[] = [];
      for (const { source, row, problem } of read) {
        let judged: { brought: OpeningAmount; subject: S } | null = null;
        const wrong = problem ?? problemOf(() => { judged = parts.judge(row!, book, set); });
        const found = judged as { brought: OpeningAmount; subject: S } | null;
        checked.push({ row_no: source.row_no, cells: source.cells, brought: found?.brought ?? null, problem: wrong,
          subject: found?.subject });
        if (turns.due()) await turns.give();
      }
      return checked;
    },
    post: (ctx, set, rows) => parts.post(ctx, set, rows.map((row) => ({ row_no: row.row_no, brought: row.brought!,
      subject: row.subject as S }))),
    inTheWay: parts.inTheWay,
    takeBack: parts.takeBack,
  };
}

/** Rates of the ledger by currency and day. */
export type Rates = Map<string, string | null>;

export async function ratesOf(db: Queryable, functional: Currency,
  wanted: readonly { currency: Currency; on: string }[]): Promise<Rates> {
  const rates: Rates = new Map();
  for (const { currency, on } of wanted) {
    const key = `${currency} ${on}`;
    if (currency === functional || rates.has(key)) continue;
    rates.set(key, (await rateOn(db, currency, functional, on))?.rate ?? null);
  }
  return rates;
}

/** The value of an amount in the books, or what is wrong at its cell. */
export function valueOf(money: MoneyCells, on: string, set: SetFacts, rates: Rates): Valued {
  const value = valued(money, { is_functional: money.currency === set.functional,
    rate: rates.get(`${money.currency} ${on}`) ?? null });
  if (!('problem' in value)) return value;
  if (value.problem === 'base_differs') {
    fail('base_differs', `In ${set.functional} the amount and its value in the books are equal`, 'base', '');
  }
  if (value.problem === 'sign_differs') {
    fail('sign_differs', 'The value in the books has the other sign than the amount, or is zero', 'base', '');
  }
  return fail('no_rate', `There is no rate of ${money.currency} in ${set.functional} for ${dateInWords(on)} or a day `
    + 'before it. Name the rate or the value in the books', 'rate', '');
}

/** One of those that a cell may name, by number or by name. */
export class Names<T> {
  readonly #found = new Map<string, T[]>();

  add(word: string, one: T): void {
    const key = keyOf(word);
    if (key === '') return;
    const there = this.#found.get(key) ?? [];
    if (!there.includes(one)) this.#found.set(key, [...there, one]);
  }

  /** Throws where nothing or several things have the name. */
  one(word: string, field: string, noun: string): T {
    const [first, ...others] = this.#found.get(keyOf(word)) ?? [];
    if (first === undefined) {
      return fail('unknown', `There is no ${noun} "${word.slice(0, 60)}". Add it first`, field, word);
    }
    if (others.length > 0) {
      return fail('ambiguous', `${others.length + 1} have the name "${word.slice(0, 60)}". Use the number`, field,
        word);
    }
    return first;
  }
}

/** One fold for whatever names a record here, as everywhere; signs alone ("–") stay what they are. */
export const keyOf = foldName;
