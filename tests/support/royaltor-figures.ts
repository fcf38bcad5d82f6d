/** Every place where a figure of a royaltor stands, compared over HTTP: lists, statements, paper, runs and batches. */
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { formatMinor } from '#kernel/money/money.ts';
import type { AccrualRow, RoyaltySummaryRow } from '#modules/royalties/accruals/accrual.contract.ts';
import type { BatchDetail, BatchRow } from '#modules/royalties/payments/payment-batch.contract.ts';
import type { TieOutRow } from '#modules/royalties/reports/tie-out.contract.ts';
import type { RunRow, StatementDetail, StatementRow } from '#modules/royalties/statements/statement.contract.ts';
import type { WithheldPayee } from '#modules/royalties/withholding/withholding.contract.ts';
import { sql } from '#server/sql.ts';
import type { Browser, TestApp } from './app.ts';
import { allRows } from './all-rows.ts';

const STAFF = '/api/admin/staff';
const DIVISIONS = ['US', 'UK', 'EU', 'PROD'] as const;
const LINES = ['performances', 'sales_and_rentals', 'streaming'];
type Payment = BatchDetail['payments'][number] & { batch: BatchRow };
type Same = (what: string, one: number, other: number) => void;

/** Figures on lists and reports of all royaltors, read once. */
interface Books {
  summaries: RoyaltySummaryRow[];
  tieOut: ReadonlyMap<string, TieOutRow[]>;
  runs: ReadonlyMap<number, RunRow & { statements: StatementRow[] }>;
  payments: readonly Payment[];
}

/** The royaltors with most to compare: statements, payments, advances, divisions. */
export async function chooseRoyaltors(test: TestApp, count: number): Promise<number[]> {
  const rows = await test.ports.db.query<{ id: number }>(sql`
    select m.royaltor_id as id from royalty_statements m group by 1
    order by count(distinct m.status) desc, count(distinct m.division || m.currency) desc, count(*) desc, 1
    limit ${count}`);
  return rows.map((row) => row.id);
}

/** Answers how many figures were compared, and those that differ with both values and both places. */
export async function compareRoyaltors(test: TestApp, royaltors: readonly number[]):
Promise<{ compared: number; wrong: string[] }> {
  const staff = await test.signedIn('staff_admin');
  const told = { compared: 0, wrong: [] as string[] };
  const same: Same = (what, one, other) => {
    told.compared += 1;
    if (one !== other) told.wrong.push(`${what}: ${one} and ${other}`);
  };
  const books = await readBooks(staff);
  for (const run of books.runs.values()) compareRun(run, same);
  for (const batch of Map.groupBy(books.payments, (one) => one.batch.id).values()) compareBatch(batch, same);
  for (const id of royaltors) await compareOne(test, staff, id, books, same);
  return told;
}

async function readBooks(staff: Browser): Promise<Books> {
  const tieOut = new Map<string, TieOutRow[]>();
  for (const division of DIVISIONS) {
    tieOut.set(division, (await staff.get(`${STAFF}/accounting/reports/royalty_tie_out?division=${division}`))
      .body.data.rows);
  }
  const runs = new Map<number, RunRow & { statements: StatementRow[] }>();
  for (const { id } of await allRows<RunRow>(staff, `${STAFF}/royalty_statement_runs?`)) {
    runs.set(id, (await staff.get(`${STAFF}/royalty_statement_runs/${id}`)).body.data);
  }
  const payments: Payment[] = [];
  for (const batch of await allRows<BatchRow>(staff, `${STAFF}/accounting/royalty_payment_batches?`)) {
    const { data } = (await staff.get(`${STAFF}/accounting/royalty_payment_batches/${batch.id}`)).body as
      { data: BatchDetail };
    payments.push(...data.payments.map((payment) => ({ ...payment, batch })));
  }
  return { summaries: await allRows(staff, `${STAFF}/sales_and_royalties/royalties?`), tieOut, runs, payments };
}

const total = <T>(rows: readonly T[], pick: (row: T) => number): number =>
  rows.reduce((all, row) => all + pick(row), 0);
const isPaid = (payment: { status: string }): boolean => ['posted', 'cleared'].includes(payment.status);

function compareRun(run: RunRow & { statements: StatementRow[] }, same: Same): void {
  const live = run.statements.filter((one) => one.status !== 'void');
  same(`run ${run.id}, statements`, run.statement_count, live.length);
  same(`run ${run.id}, net`, run.net_minor, total(live, (one) => one.net_minor));
  same(`run ${run.id}, to pay`, run.pay_minor, total(live, (one) => one.payable_minor));
}

function compareBatch(payments: readonly Payment[], same: Same): void {
  const { batch } = payments[0]!;
  const live = batch.status === 'void' ? payments : payments.filter((one) => one.status !== 'void');
  same(`batch ${batch.number}, total`, batch.total_minor, total(live, (one) => one.amount_minor));
  same(`batch ${batch.number}, withheld`, batch.withheld_minor, total(live, (one) => one.withheld_minor));
  for (const payment of payments) {
    same(`payment ${payment.number}, its parts`, payment.amount_minor, total(payment.parts, (part) =>
      part.paid_minor));
  }
}

async function compareOne(test: TestApp, staff: Browser, id: number, books: Books, same: Same): Promise<void> {
  const accruals = await allRows<AccrualRow>(staff, `${STAFF}/royalty_accruals?royaltor_id=${id}`);
  const statements = await allRows<StatementRow>(staff, `${STAFF}/royalty_statements?royaltor_id=${id}`);
  const listed = await allRows<{ id: number; amount_minor: number; withheld_minor: number; division: string;
    currency: string; status: string }>(staff,
    `${STAFF}/accounting/accounts_payable/royalty_payments?royaltor_id=${id}`);
  const own = books.payments.filter((one) => one.royaltor_id === id);
  for (const payment of listed) {
    const there = own.find((one) => one.id === payment.id);
    same(`royaltor ${id}, payment ${payment.id}, list and batch`, payment.amount_minor, there?.amount_minor ?? NaN);
    same(`royaltor ${id}, tax of payment ${payment.id}, list and batch`, payment.withheld_minor,
      there?.withheld_minor ?? NaN);
  }
  const details: StatementDetail[] = [];
  for (const row of statements) {
    const { data } = (await staff.get(`${STAFF}/royalty_statements/${row.id}`)).body as { data: StatementDetail };
    details.push(data);
    await compareStatement(staff, row, data, accruals, books, same);
  }
  for (const row of books.summaries.filter((one) => one.royaltor_id === id)) {
    await compareSummary(test, row, accruals, details, books, same);
  }
  await compareYears(staff, id, own, same);
}

/** The list of royalties against the accruals, the statements, the tie-out and the ledger. */
async function compareSummary(
  test: TestApp, row: RoyaltySummaryRow, accruals: readonly AccrualRow[], statements: readonly StatementDetail[],
  books: Books, same: Same,
): Promise<void> {
  const of = <T extends { division: string; currency: string }>(rows: readonly T[]): T[] =>
    rows.filter((one) => one.division === row.division && one.currency === row.currency);
  const name = `royaltor ${row.royaltor_id}, ${row.division} ${row.currency}`;
  const mine = of(accruals);
  same(`${name}, earned, list and accruals`, row.earned_minor,
    total(mine.filter((one) => one.cost_on !== null), (one) => one.amount_minor));
  same(`${name}, became due, list and accruals`, row.due_minor,
    total(mine.filter((one) => one.due_on !== null), (one) => one.amount_minor));
  const live = of(statements).filter((one) => one.status !== 'void');
  same(`${name}, became due, statements and accruals`, total(live, (one) => one.earnings_minor),
    total(mine.filter((one) => one.statement_id !== null), (one) => one.amount_minor));
  same(`${name}, paid, list and statements`, row.paid_minor,
    total(live.flatMap((one) => one.payments).filter(isPaid), (one) => one.gross_minor));
  const accounts = { 2200: row.payable_minor, 2210: row.not_due_minor, 1150: row.unrecouped_minor,
    2205: row.reserve_minor };
  for (const [account, minor] of Object.entries(accounts)) {
    const tied = books.tieOut.get(row.division)!.find((one) => one.account === account
      && one.royaltor_id === row.royaltor_id && one.currency === row.currency);
    same(`${name}, ${account}, list and tie-out`, minor, tied?.royalties_minor ?? 0);
    same(`${name}, ${account}, royalties and ledger`, tied?.royalties_minor ?? 0, tied?.ledger_minor ?? 0);
    const { balance } = await test.ports.db.one<{ balance: number }>(sql`
      select coalesce(sum(e.amount_minor), 0)::bigint as balance from posted_entries e
        join ledger_accounts a on a.id = e.ledger_account_id and a.code = ${account}
      where e.party_type = 'royaltor' and e.party_id = ${row.royaltor_id} and a.division = ${row.division}
        and e.currency = ${row.currency} and not e.is_revaluation`);
    same(`${name}, ${account}, list and posted entries`, minor, account === '1150' ? balance : 0 - balance);
  }
  compareOrder(name, live, same);
}

/** Each statement opens with what the one before it closed with. */
function compareOrder(name: string, statements: readonly StatementDetail[], same: Same): void {
  const subjects = Map.groupBy(statements, (one) => `${one.show_royaltor_id}/${one.cross_collateral_group_id}`);
  for (const own of subjects.values()) {
    const ordered = own.toSorted((a, b) => a.period_to.localeCompare(b.period_to) || a.id - b.id);
    ordered.slice(1).forEach((next, n) => {
      const last = ordered[n]!;
      same(`${name}, statement ${next.id} opens with the closing of ${last.id}`, next.opening_minor,
        last.closing_minor - (last.payable_minor > 0 ? last.closing_minor : 0));
    });
  }
}

/** List, page, run, lines, accruals, payments and paper of one statement. */
async function compareStatement(
  staff: Browser, row: StatementRow, detail: StatementDetail, accruals: readonly AccrualRow[], books: Books, same: Same,
): Promise<void> {
  const name = `statement ${row.id}`;
  const run = row.royalty_statement_run_id === null ? undefined
    : books.runs.get(row.royalty_statement_run_id)?.statements.find((one) => one.id === row.id);
  for (const [field, minor] of Object.entries(row).filter(([key]) => key.endsWith('_minor'))) {
    const key = field as 'net_minor';
    same(`${name}, ${field}, list and page`, minor as number, detail[key]);
    if (run) same(`${name}, ${field}, list and run`, minor as number, run[key]);
  }
  if (row.status === 'void') return;
  same(`${name}, became due and its lines`, row.earnings_minor,
    total(detail.lines.filter((line) => LINES.includes(line.section)), (line) => line.amount_minor));
  const own = accruals.filter((one) => one.statement_id === row.id);
  same(`${name}, became due and its accruals`, row.earnings_minor, total(own, (one) => one.amount_minor));
  for (const line of detail.lines.filter((one) => LINES.includes(one.section))) {
    const behind = own.filter((one) => line.accrual_ids.includes(one.id));
    same(`${name}, line ${line.id} and its accruals`, line.amount_minor, total(behind, (one) => one.amount_minor));
  }
  const paid = detail.payments.filter(isPaid);
  same(`${name}, paid, page and payments`, row.paid_minor,
    total(paid.filter((one) => !one.is_commission), (one) => one.paid_minor));
  same(`${name}, withheld, page and payments`, row.withheld_minor, total(paid, (one) => one.wht_minor));
  for (const payment of detail.payments) {
    const parts = books.payments.find((one) => one.id === payment.payment_id)?.parts
      .filter((part) => part.statement_id === row.id) ?? [];
    same(`${name}, payment ${payment.number}, page and batch`, payment.gross_minor,
      total(parts, (part) => part.gross_minor));
    same(`${name}, tax of ${payment.number}, page and batch`, payment.wht_minor,
      total(parts, (part) => part.wht_minor));
  }
  if (row.has_document) await comparePaper(staff, detail, same);
}

/** The paper as a reader sees it: each step, each line and what is payable. */
async function comparePaper(staff: Browser, detail: StatementDetail, same: Same): Promise<void> {
  const answer = await staff.get(`${STAFF}/royalty_statements/${detail.id}/document`);
  const words = await wordsOf(answer.raw);
  const has = (minor: number): number => (words.has(formatMinor(BigInt(minor))) ? minor : NaN);
  for (const step of detail.steps) {
    same(`statement ${detail.id}, step ${step.step}, page and paper`, step.amount_minor, has(step.amount_minor));
  }
  for (const line of detail.lines.filter((one) => LINES.includes(one.section))) {
    same(`statement ${detail.id}, line ${line.id}, page and paper`, line.amount_minor, has(line.amount_minor));
  }
  same(`statement ${detail.id}, payable, page and paper`, detail.payable_minor, has(detail.payable_minor));
}

async function wordsOf(pdf: Buffer): Promise<ReadonlySet<string>> {
  const file = await getDocument({ data: new Uint8Array(pdf) }).promise;
  const words = new Set<string>();
  for (let n = 1; n <= file.numPages; n += 1) {
    const { items } = await (await file.getPage(n)).getTextContent();
    for (const item of items) if ('str' in item) for (const word of item.str.split(/\s+/)) words.add(word);
  }
  return words;
}

/** The report of withholding by year against the payments, where both are in the division's own currency. */
async function compareYears(staff: Browser, id: number, payments: readonly Payment[], same: Same): Promise<void> {
  const paid = payments.filter(isPaid);
  for (const [key, own] of Map.groupBy(paid, (one) => `${one.batch.division} ${one.batch.pay_on.slice(0, 4)}`)) {
    const [division, year] = key.split(' ');
    const lines: WithheldPayee[] = (await staff.get(
      `${STAFF}/accounting/reports/withholding?division=${division}&year=${year}`)).body.data.lines;
    const line = lines.find((one) => one.royaltor_id === id);
    same(`royaltor ${id}, payments of ${key}`, own.length, line?.payments ?? 0);
    if (own.some((one) => [one, ...one.parts].some((part) => part.currency !== line?.currency))) continue;
    same(`royaltor ${id}, paid in ${key}`, total(own, (one) => one.amount_minor), line?.paid_minor ?? 0);
    same(`royaltor ${id}, withheld in ${key}`, total(own, (one) => one.withheld_minor), line?.withheld_minor ?? 0);
  }
}
