/** Every quarter: one person calculates the royaltors' statements, another approves; issued, and paid in batches. */
import { addDays } from '#kernel/calendar/calendar.ts';
import { workStatementRuns } from '#modules/royalties/royalties.public.server.ts';
import { DemoError, type Body } from './client.ts';
import { buyFor } from './load-books.ts';
import type { SeasonContext } from './load-licenses.ts';

const API = '/api/admin/staff';
const RUNS = `${API}/accounting/payment_runs`;
export const BATCHES = `${API}/accounting/royalty_payment_batches`;
const BOOKS = [['US', 'USD'], ['UK', 'GBP'], ['EU', 'EUR'], ['PROD', 'USD']] as const;
type Books = (typeof BOOKS)[number];
/** The latest quarter is calculated and waits for the second person: there is something to approve. */
const DAYS_TO_APPROVE = 4;
const DAYS_TO_PAY = 12;

/** Plans a run for every quarter that ends between the two days. */
export function planStatementRuns(season: SeasonContext, since: string): void {
  const year = Number(since.slice(0, 4));
  for (let n = 0; n < 16; n += 1) {
    const from = `${year + Math.floor(n / 4)}-${String((n % 4) * 3 + 1).padStart(2, '0')}-01`;
    const next = `${year + Math.floor((n + 1) / 4)}-${String(((n + 1) % 4) * 3 + 1).padStart(2, '0')}-01`;
    const on = addDays(next, 14);
    const laterOn = addDays(on, 91);
    if (from < since || on > season.today) continue;
    const last = laterOn > season.today;
    season.calendar.add(on, async () => {
      for (const books of BOOKS) await calculate(season, books, { from, to: addDays(next, -1), on, last });
    });
  }
}

async function calculate(
  season: SeasonContext, books: Books, quarter: { from: string; to: string; on: string; last: boolean },
): Promise<void> {
  const [division, currency] = books;
  const { data: asked } = await season.staff.post(`${API}/royalty_statement_runs`, {
    division, currency, period_from: quarter.from, period_to: quarter.to });
  const run = await worked(season, asked);
  if (run.statement_count === 0 || (quarter.last && division === 'US')) return;
  season.calendar.add(addDays(quarter.on, DAYS_TO_APPROVE), () => approveAndIssue(season, run.id));
  const payOn = addDays(quarter.on, DAYS_TO_PAY);
  if (payOn <= season.today) season.calendar.add(payOn, () => pay(season, books, run.id, payOn));
}

/** The season's jobs stand still while it is loaded: a large run is worked here. */
async function worked(season: SeasonContext, run: Body): Promise<Body> {
  if (run.work === null) return run;
  await workStatementRuns(season.ports);
  return (await season.staff.get(`${API}/royalty_statement_runs/${run.id}`)).data;
}

async function approveAndIssue(season: SeasonContext, id: number): Promise<void> {
  const path = `${API}/royalty_statement_runs/${id}`;
  const { data: run } = await season.staff.get(path);
  const { data: approved } = await season.second.put(`${path}/approve`, { version: run.version });
  const { data: issued } = await season.second.put(`${path}/issue`, { version: approved.version });
  await worked(season, issued);
}

/** One batch per currency that payees are paid in and per way that reaches them. */
async function pay(season: SeasonContext, [division]: Books, runId: number, on: string): Promise<void> {
  const { data: run } = await season.staff.get(`${API}/royalty_statement_runs/${runId}`);
  const payable: Body[] = run.statements.filter((one: Body) => one.status === 'issued' && one.payable_minor > 0);
  for (const currency of new Set(payable.map((one) => String(one.pay_currency)))) {
    const offer = `${BATCHES}/payables?${new URLSearchParams({ division, currency, pay_on: on })}`;
    const { data: { methods } } = await season.staff.get(offer);
    for (const method of methods) {
      const { data: { payees } } = await season.staff.get(`${offer}&method=${method}`);
      const lines: Body[] = payees.flatMap((payee: Body) => payee.lines);
      const statement_ids = lines.filter((line) => line.run_id === runId && line.held === null)
        .map((line) => line.statement_id);
      if (statement_ids.length > 0) await payIn(season, { division, currency, method, pay_on: on, statement_ids });
    }
  }
}

async function payIn(season: SeasonContext, batch: Body): Promise<void> {
  const made = await makeBatch(season, batch);
  if (made) await decideAndPay(season, made, batch.pay_on);
}

/**
 * Another person than who made it approves; who made it buys the currency where it takes another one, and pays: the
 * bank gets wires as the list of the run, other ways are entered there by hand.
 */
export async function decideAndPay(season: SeasonContext, made: Body, on: string): Promise<void> {
  const path = `${BATCHES}/${made.id}`;
  const { data: approved } = await season.second.put(`${path}/approve`, { version: made.version });
  await buyFor(season, approved, on);
  if (approved.method !== 'wire') {
    await season.staff.put(`${path}/pay`, { version: approved.version });
    return;
  }
  const { data: run } = await season.staff.put(`${RUNS}/${approved.payment_run_id}/export`,
    { version: approved.version });
  if (run.value_on <= on) await season.staff.put(`${path}/pay`, { version: run.version });
}

/** Leaves royaltors without an entered tax treatment for a person; pays the others. */
async function makeBatch(season: SeasonContext, batch: Body): Promise<Body | null> {
  const payable: number[] = [];
  for (const id of batch.statement_ids) {
    const { data } = await season.staff.get(`${API}/royalty_statements/${id}`);
    if (data.withholding?.found !== false) payable.push(id);
  }
  if (payable.length === 0) return null;
  try {
    return (await season.staff.post(BATCHES, { ...batch, statement_ids: payable })).data;
  } catch (error) {
    if (error instanceof DemoError && error.message.includes('royalty_payment.')) return null;
    throw error;
  }
}
