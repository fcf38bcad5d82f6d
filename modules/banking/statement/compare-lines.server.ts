/** Statements of a file compared with what the account has: known lines, probable ones, the statement before. */
import type { BankFormat, BankLine, BankStatement, FlagNote } from '#kernel/bank-statements/bank-file.ts';
import { lineKeys, probableTwins, type HeldLine } from '#kernel/bank-statements/known-lines.ts';
import { dateInWords } from '#kernel/calendar/calendar.ts';
import { formatMinor, sum } from '#kernel/money/money.ts';
import type { Queryable } from '#server/db.ts';
import { sha256 } from '#server/files.ts';
import { sql } from '#server/sql.ts';
import type { StatementAccount } from './read-statement.server.ts';

export type LineState = 'new' | 'known' | 'probable';

export interface ComparedLine {
  /** Place in the file, from 0. */
  at: number;
  line: BankLine;
  key: string;
  state: LineState;
  /** The line here that it is probably. */
  here: HeldLine | null;
}

export interface ComparedStatement {
  statement: BankStatement;
  net_minor: bigint;
  lines: ComparedLine[];
  flags: (Omit<FlagNote, 'flag'> & { flag: string })[];
}

/** In the order of the file. Twins are told apart over all statements of the file. */
export async function compareStatements(
  db: Queryable, account: StatementAccount, read: { format: BankFormat; statements: readonly BankStatement[] },
): Promise<ComparedStatement[]> {
  const lines = read.statements.flatMap((statement) => statement.lines.map((line) => ({ line, kind: statement.kind })));
  const keys = lineKeys(lines.map(({ line }) => line)).map((key, index) =>
    sha256(`${account.id}|${lines[index]?.kind === 'advance' ? 'advance|' : ''}${key}`));
  const known = await knownKeys(db, account, keys);
  const fresh = lines.map(({ line }, index) => ({ line, index })).filter(({ index }) => !known.has(keys[index] ?? ''));
  const held = await heldLines(db, account, fresh.map(({ line }) => line), known);
  const twins = probableTwins(fresh.map(({ line }) => line), held, read.format);
  const here = new Map([...twins].map(([place, one]) => [fresh[place]?.index ?? -1, one]));
  const statements: ComparedStatement[] = [];
  let at = 0;
  for (const statement of read.statements) {
    const own = statement.lines.map((line): ComparedLine => {
      const index = at;
      at += 1;
      const key = keys[index] ?? '';
      const twin = here.get(index) ?? null;
      return { at: index, line, key, here: twin, state: known.has(key) ? 'known' : twin ? 'probable' : 'new' };
    });
    statements.push({ statement, net_minor: sum(statement.lines.map(({ amount_minor }) => amount_minor)), lines: own,
      flags: [...statement.flags, ...await gapBefore(db, account, statement)] });
  }
  return statements;
}

/** Lines compared by one statement: the parameters of all of a large file would be a copy of it. */
const CHUNK = 5_000;

function* chunks<T>(list: readonly T[]): Generator<T[]> {
  for (let at = 0; at < list.length; at += CHUNK) yield list.slice(at, at + CHUNK);
}

async function knownKeys(db: Queryable, account: StatementAccount, keys: readonly string[]): Promise<Set<string>> {
  const known = new Set<string>();
  for (const some of chunks(keys)) {
    const rows = await db.query<{ line_key: string }>(sql`
      select line_key from bank_transactions where bank_account_id = ${account.id}
        and line_key = any(${some}::text[]) and state <> 'withdrawn'`);
    for (const { line_key } of rows) known.add(line_key);
  }
  return known;
}

/** Booked lines and entries by hand of the same days and amounts that this file has not claimed by their key. */
async function heldLines(
  db: Queryable, account: StatementAccount, lines: readonly BankLine[], known: ReadonlySet<string>,
): Promise<HeldLine[]> {
  const held = new Map<number, HeldLine>();
  for (const some of chunks(lines)) {
    const rows = await db.query<Omit<HeldLine, 'amount_minor'> & { amount_minor: number; line_key: string }>(sql`
      select t.id, t.booked_on::text as booked_on, t.amount_minor, t.name, t.memo, f.format, t.line_key
      from (select distinct booked_on, amount_minor from unnest(${some.map(({ booked_on }) => booked_on)}::date[],
        ${some.map(({ amount_minor }) => Number(amount_minor))}::bigint[]) as n (booked_on, amount_minor)) n
      join bank_transactions t on t.bank_account_id = ${account.id} and t.booked_on = n.booked_on
        and t.amount_minor = n.amount_minor and t.state = 'booked' and t.deleted_at is null
      left join bank_statements s on s.id = t.bank_statement_id
      left join bank_statement_files f on f.id = s.bank_statement_file_id`);
    for (const { line_key, ...row } of rows) {
      if (!known.has(line_key)) held.set(row.id, { ...row, amount_minor: BigInt(row.amount_minor) });
    }
  }
  return [...held.values()].toSorted((a, b) => a.id - b.id);
}

/** The statement before must end with the balance that this one begins with; one of the same days is said. */
async function gapBefore(
  db: Queryable, account: StatementAccount, { kind, opening, from, to }: BankStatement,
): Promise<ComparedStatement['flags']> {
  if (kind === 'advance' || !opening || from === null) return [];
  const before = await db.maybeOne<{ closing_minor: number; from_on: string; to_on: string }>(sql`
    select closing_minor, from_on::text as from_on, to_on::text as to_on from bank_statements
    where bank_account_id = ${account.id} and kind = 'statement' and closing_minor is not null
      and taken_back_at is null and (to_on < ${from} or from_on <= ${to ?? from})
    order by to_on < ${from}, to_on desc, id desc limit 1`);
  if (!before || BigInt(before.closing_minor) === opening.amount_minor) return [];
  if (before.to_on >= from) {
    return [{ flag: 'overlap', count: 1, message: `It overlaps the statement of ${dateInWords(before.from_on)} to ${
      dateInWords(before.to_on)}. Only lines that are not here yet are imported.` }];
  }
  return [{ flag: 'gap', count: 1, message: `The statement before, to ${dateInWords(before.to_on)}, ends with `
    + `${formatMinor(BigInt(before.closing_minor))}; this one begins with ${formatMinor(opening.amount_minor)}. `
    + 'A statement between them is missing. Ask the bank for it and import it.' }];
}
