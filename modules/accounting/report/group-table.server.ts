/** Statements of all divisions in USD: each division beside the others, eliminations, and the group. */
import { byAccount, accountKey, eliminate, isExplained, type Amount, type Elimination, type TranslatedAccount,
  type TranslatedBooks } from '#kernel/ledger/consolidation.ts';
import { columnTitle, mergedLines, type StatementColumn, type StatementLine, type StatementTableRow }
  from '#kernel/ledger/statement-columns.ts';
import { atRate } from '#kernel/money/exchange.ts';
import { DIVISIONS, type Division, type Language } from '#kernel/money/division.ts';
import { inBritish } from '#kernel/text/english.ts';
import type { Queryable } from '#server/db.ts';
import { dueBalances } from '../intercompany/due-balances.server.ts';
import { check, type AccountMovement, type Check } from './balances.server.ts';
import { translatedBooks, translatedCharges, translatedResults } from './group-books.server.ts';
import { groupCashFlows } from './group-cash-flows.server.ts';
import { GroupRates } from './group-rates.server.ts';
import { balanceLines, profitLines } from './statement-lines.server.ts';
import type { StatementTable } from './statement-table.contract.ts';
import { changed, isOfDay, joinedChecks, wireColumn, type Parts, type StatementQuery }
  from './statement-shape.server.ts';
import { profitReport, sheetReport, titlesOf, type Titled } from './statements.server.ts';

/** A column before its lines become one table with the others. */
interface GroupColumn { key: string; title: string; division: Division | null; measure: string; lines: StatementLine[] }
interface Group { columns: GroupColumn[]; checks: Check[] }
interface Span { from: string; to: string }

/** Names and ids that are the same in every column, though each division has its own accounts. */
class Chart {
  readonly #names = new Map<string, Set<string>>();
  readonly #ids = new Map<string, number>();
  readonly titles: readonly Titled[];

  constructor(titles: readonly Titled[], accounts: readonly TranslatedAccount[]) {
    this.titles = titles;
    for (const row of accounts) {
      const key = accountKey(row);
      this.#names.set(key, (this.#names.get(key) ?? new Set()).add(row.name));
      if (!this.#ids.has(key)) this.#ids.set(key, this.#ids.size + 1);
    }
  }

  nameOf(row: TranslatedAccount): string {
    const known = [...this.#names.get(accountKey(row)) ?? [row.name]];
    // One name in two spellings is one name: figures in USD are told in American English.
    const names = known.filter((name) => !known.some((other) => other !== name && inBritish(other) === name));
    return names.length > 2 ? `${names[0]!} and others` : names.join(' / ');
  }

  /** As a statement reads it: `before` is what came before the fiscal year. */
  movements(rows: readonly TranslatedAccount[], before: readonly TranslatedAccount[] = []): AccountMovement[] {
    const line = (row: TranslatedAccount, opening: boolean): AccountMovement => ({
      account_id: this.#ids.get(accountKey(row)) ?? 0, code: row.code, name: this.nameOf(row), class: row.class,
      section: row.section, opening_minor: opening ? Number(row.minor) : 0,
      debit_minor: opening ? 0 : Number(row.minor), credit_minor: 0, closing_minor: Number(row.minor) });
    return [...rows.map((row) => line(row, false)), ...before.map((row) => line(row, true))];
  }
}

async function allTitles(db: Queryable): Promise<Titled[]> {
  const found = new Map<string, Titled>();
  for (const division of DIVISIONS) {
    for (const one of await titlesOf(db, division)) {
      if (!found.has(`${one.class} ${one.section}`)) found.set(`${one.class} ${one.section}`, one);
    }
  }
  return [...found.values()];
}

const line = (kind: StatementLine['kind'], key: string, title: string, minor: bigint, group = ''): StatementLine =>
  ({ kind, key, group, title, code: null, minor });

/** Lines put before the one that has the key. */
function insertBefore(lines: readonly StatementLine[], key: string, added: readonly StatementLine[]): StatementLine[] {
  const at = lines.findIndex((one) => one.key === key);
  return [...lines.slice(0, at), ...added, ...lines.slice(at)];
}

interface Sheet {
  accounts: readonly TranslatedAccount[];
  before: readonly TranslatedAccount[];
  results: readonly TranslatedAccount[];
  difference: bigint;
  roll: TranslatedBooks['roll_forward'];
  unmatched: bigint;
  exchange: bigint;
  /** Rest of charges between divisions that are taken off income and expense. */
  charges: bigint;
}
const NO_ROLL = { opening: 0n, on_net_assets: 0n, on_result: 0n, on_equity: 0n, rounding: 0n, closing: 0n };

const sheetOf = (one: TranslatedBooks): Sheet => ({ accounts: one.accounts, before: one.results_before,
  results: one.results, difference: one.difference, roll: one.roll_forward, unmatched: 0n, exchange: 0n,
  charges: 0n });
const eliminationSheet = (one: Elimination, charged: readonly TranslatedAccount[]): Sheet => ({
  accounts: one.accounts, before: [], results: charged.map((row) => ({ ...row, minor: -row.minor })), difference: 0n,
  roll: NO_ROLL, unmatched: one.unmatched, exchange: one.exchange,
  charges: charged.reduce((sum, row) => sum + row.minor, 0n) });

function sumOf(sheets: readonly Sheet[]): Sheet {
  const sum = (of: (one: Sheet) => bigint): bigint => sheets.reduce((total, one) => total + of(one), 0n);
  const rows = (of: (one: Sheet) => readonly TranslatedAccount[]) => byAccount(sheets.flatMap(of));
  const roll = { ...NO_ROLL };
  for (const key of Object.keys(roll) as (keyof typeof roll)[]) roll[key] = sum((one) => one.roll[key]);
  return { accounts: rows((one) => one.accounts), before: rows((one) => one.before),
    results: rows((one) => one.results), difference: sum((one) => one.difference), roll,
    unmatched: sum((one) => one.unmatched), exchange: sum((one) => one.exchange),
    charges: sum((one) => one.charges) };
}

const UNMATCHED = 'Unmatched intercompany balances';
const CHARGES = 'Unmatched charges and rate differences';
const EXCHANGE = 'Exchange differences on intercompany balances';

function rollLines({ roll }: Sheet): StatementLine[] {
  const group = 'roll';
  const part = (key: string, title: string, minor: bigint) => line('line', `roll:${key}`, title, minor, group);
  return [line('group', 'group:roll', 'Translation difference, year to date', 0n, group),
    part('opening', 'At the beginning of the fiscal year', roll.opening),
    part('net_assets', 'On opening net assets', roll.on_net_assets), part('result', 'On net income', roll.on_result),
    part('equity', 'On equity posted in the year', roll.on_equity), part('rounding', 'Rounding', roll.rounding),
    line('sum', 'roll:closing', 'Translation difference at the end', roll.closing, group)];
}

function sheetLines(chart: Chart, sheet: Sheet, to: string): { lines: StatementLine[]; check: Check } {
  const report = sheetReport(chart.movements([...sheet.accounts, ...sheet.results], sheet.before), chart.titles,
    { as_of: to, starts: to });
  const [assets, equity] = [report.total_assets_minor + Number(sheet.unmatched + sheet.exchange),
    report.total_equity_minor + Number(sheet.difference)];
  const lines = balanceLines({ ...report, total_assets_minor: assets, total_equity_minor: equity });
  const differences = sheet.unmatched === 0n && sheet.exchange === 0n ? [] : [
    line('group', 'group:differences', 'Intercompany differences', 0n, 'differences'),
    line('line', 'unmatched', UNMATCHED, sheet.unmatched, 'differences'),
    line('line', 'exchange', EXCHANGE, sheet.exchange, 'differences')];
  return { check: check('assets_equal_liabilities_and_equity', assets, report.total_liabilities_minor + equity),
    lines: [...insertBefore(insertBefore(lines, 'assets', differences), 'equity',
      [line('sum', 'translation', 'Translation difference', sheet.difference)]), ...rollLines(sheet)] };
}

/** Debit positive, as a trial balance is read. */
function trialLines(chart: Chart, sheet: Sheet): StatementLine[] {
  const rows = byAccount([...sheet.accounts, ...sheet.before, ...sheet.results]);
  const total = rows.reduce((sum, row) => sum + row.minor, 0n) - sheet.difference + sheet.unmatched + sheet.exchange
    + sheet.charges;
  return [...rows.map((row): StatementLine => ({ kind: 'line', key: accountKey(row), group: 'accounts',
    title: chart.nameOf(row), code: row.code, minor: row.minor })),
  ...[line('line', 'unmatched', UNMATCHED, sheet.unmatched, 'differences'),
    line('line', 'exchange', EXCHANGE, sheet.exchange, 'differences'),
    line('line', 'charges', CHARGES, sheet.charges, 'differences')].filter((one) => one.minor !== 0n),
  line('sum', 'translation', 'Translation difference', -sheet.difference), line('result', 'total', 'Total', total)];
}

const divisionColumn = (division: Division, measure: string, lines: StatementLine[]): GroupColumn => ({
  key: division, title: division === 'PROD' ? 'Production' : division, division, measure, lines });
const eliminationColumn = (lines: StatementLine[]): GroupColumn => ({ key: 'eliminations', title: 'Eliminations',
  division: null, measure: 'eliminations', lines });
const groupColumn = (measure: string, lines: StatementLine[]): GroupColumn => ({ key: 'group', title: 'Group',
  division: null, measure, lines });

/** A day's balances: each division, the eliminations, the group. */
async function balancesOfDay(db: Queryable, statement: 'balance_sheet' | 'trial_balance', { to }: Span):
Promise<Group> {
  const rates = new GroupRates(db);
  const due = await dueBalances(db, to);
  const usd = new Map<string, string>();
  for (const { currency } of due) usd.set(currency, await rates.onDay(currency, to));
  const books = await translatedBooks(db, rates, to);
  const elimination = eliminate(books, due, (currency) => usd.get(currency)!);
  // A balance sheet has their sum alone, which elimination leaves as it is.
  const charged = statement === 'trial_balance' ? translatedRows(await translatedCharges(db, rates, to)) : [];
  const sheets = [...books.map(sheetOf), eliminationSheet(elimination, charged)];
  const group = sumOf(sheets);
  const chart = new Chart(await allTitles(db), [...group.accounts, ...group.before, ...group.results,
    ...books.flatMap((one) => [...one.accounts, ...one.results_before, ...one.results])]);
  const measure = statement === 'trial_balance' ? 'closing' : 'amount';
  const read = [...sheets, group].map((sheet) => (statement === 'trial_balance'
    ? trialOf(chart, sheet) : sheetLines(chart, sheet, to)));
  const explained = books.filter((one) => !isExplained(one)).length;
  return { checks: [...read.map((one) => one.check), check('translation_difference_explained', 0, explained)],
    columns: [...books.map((one, at) => divisionColumn(one.division, measure, read[at]!.lines)),
      eliminationColumn(read[books.length]!.lines), groupColumn(measure, read.at(-1)!.lines)] };
}

function trialOf(chart: Chart, sheet: Sheet): { lines: StatementLine[]; check: Check } {
  const lines = trialLines(chart, sheet);
  return { lines, check: check('closing_is_zero', 0, Number(lines.at(-1)!.minor)) };
}

const translatedRows = (amounts: readonly Amount[]): TranslatedAccount[] => byAccount(amounts.map((row) => ({
  code: row.code, name: row.name, class: row.class, section: row.section, minor: atRate(row.minor, row.rate) })));

/** Net profit stays: what the two sides of a charge differ in, for their rates, is a row before it. */
function withRest(lines: StatementLine[], rest: bigint): StatementLine[] {
  if (rest === 0n) return lines;
  return insertBefore(lines, 'net', [
    line('group', 'group:differences', 'Intercompany differences', 0n, 'differences'),
    line('line', 'unmatched', CHARGES, rest, 'differences')])
    .map((one) => (one.key === 'net' ? { ...one, minor: one.minor + rest } : one));
}

/** Income and expense of the days: each division, charges between them taken off, and the group. */
async function resultsOfDays(db: Queryable, span: Span): Promise<Group> {
  const books = (await translatedResults(db, new GroupRates(db), span)).map(({ division, amounts, charged }) =>
    ({ division, rows: translatedRows(amounts), charged: translatedRows(charged) }));
  const taken = byAccount(books.flatMap((one) => one.charged)).map((row) => ({ ...row, minor: -row.minor }));
  const rest = taken.reduce((sum, row) => sum + row.minor, 0n);
  const chart = new Chart(await allTitles(db), books.flatMap((one) => one.rows));
  const report = (rows: readonly TranslatedAccount[]) => ({ ...profitReport(chart.movements(rows),
    chart.titles), checks: [] });
  const reports = books.map((one) => report(one.rows));
  const whole = report(byAccount([...books.flatMap((one) => one.rows), ...taken]));
  return { checks: [check('parts_equal_net_profit', whole.net_profit_minor + Number(rest),
    reports.reduce((sum, one) => sum + one.net_profit_minor, 0))],
  columns: [...books.map((one, at) => divisionColumn(one.division, 'amount', profitLines(reports[at]!))),
    eliminationColumn(withRest(profitLines(report(taken)), rest)),
    groupColumn('amount', withRest(profitLines(whole), rest))] };
}

async function cashOfDays(db: Queryable, span: Span): Promise<Group> {
  const of = await groupCashFlows(db, span);
  return { checks: of.checks, columns: [
    ...of.divisions.map(({ division, lines }) => divisionColumn(division, 'amount', lines)),
    eliminationColumn(of.eliminations), groupColumn('amount', of.group)] };
}

function readGroup(db: Queryable, { statement }: StatementQuery, span: Span): Promise<Group> {
  switch (statement) {
    case 'profit_loss': return resultsOfDays(db, span);
    case 'cash_flows': return cashOfDays(db, span);
    default: return balancesOfDay(db, statement, span);
  }
}

/** Lines in the order of the group, the last column: a division or the eliminations may lack a part. */
function groupLines(columns: readonly StatementLine[][]): StatementTableRow[] {
  return mergedLines([columns.at(-1)!, ...columns.slice(0, -1)])
    .map((row) => ({ ...row, amounts: [...row.amounts.slice(1), row.amounts[0]!] }));
}

type Wire = StatementTable['columns'][number];

/** Divisions beside each other for one span; of several spans the group alone. */
export async function groupTable(db: Queryable, of: StatementQuery, spans: readonly StatementColumn[],
  language: Language): Promise<Parts> {
  const has_change = of.compare === 'previous_period' || of.compare === 'last_year';
  const groups: Group[] = [];
  for (const span of spans) groups.push(await readGroup(db, of, span));
  const ofDay = isOfDay(of.statement) || of.statement === 'trial_balance';
  const wire = (column: GroupColumn, at: number): Wire => ({ ...wireColumn(spans[at]!, language, ofDay),
    ...(of.compare === 'none' ? { key: column.key, title: column.title }
      : { title: columnTitle(language, spans[at]!, ofDay) }), measure: column.measure, division: column.division });
  const columns = of.compare === 'none' ? groups[0]!.columns.map((column) => ({ column, at: 0 }))
    : groups.map((group, at) => ({ column: group.columns.at(-1)!, at }));
  return { has_change, columns: columns.map(({ column, at }) => wire(column, at)),
    checks: joinedChecks(groups.map((group) => group.checks)),
    rows: groupLines(columns.map(({ column }) => column.lines)).map(({ group: _group, amounts, ...row }) =>
      changed({ ...row, part_id: null, amounts: amounts.map(Number) }, has_change ? [0, 1] : null)) };
}
