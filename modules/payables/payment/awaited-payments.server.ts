/**
 * Payments that a line of the bank may be, but that are not posted: nothing can be matched with them before. Each says
 * what is missing. Royalties and refunds are payments too.
 */
import { dateInWords } from '#kernel/calendar/calendar.ts';
import { spell } from '#kernel/text/english.ts';
import type { WorkContext } from '#server/context.ts';
import type { AwaitedPayment, MatchAccount } from '#server/open-items.ts';
import { sql } from '#server/sql.ts';

interface Row {
  id: number;
  number: string;
  status: 'draft' | 'approved';
  method: string;
  party: string;
  amount_minor: number;
  run_id: number | null;
  run: string | null;
  run_status: string | null;
  value_on: string | null;
  batch_id: number | null;
}

interface WholeRun { run_id: number; run: string; run_status: string; value_on: string; amount_minor: number }

const LIMIT = 500;

type RunOf = Pick<Row, 'run' | 'run_status' | 'value_on'>;

const runReason = ({ run, run_status, value_on }: RunOf): string => (run_status === 'exported'
  ? `Payment run ${run} posts on ${dateInWords(value_on!)}, its value date.`
  : `Payment run ${run} is not exported yet.`);

function reasonOf(row: Row): string {
  if (row.method === 'check') return spell`Its check is not printed: printing posts it.`;
  if (row.run !== null) return runReason(row);
  if (row.batch_id !== null) return 'Its royalty batch is not paid yet.';
  return row.status === 'draft' ? 'It waits for approval.' : 'It is approved. Record it as paid first.';
}

const runHref = (runId: number): string => `/admin/accounts-payable/payment-runs/${runId}`;

function hrefOf(row: Row): string {
  if (row.run_id !== null) return runHref(row.run_id);
  return row.batch_id === null ? `/admin/accounts-payable/payments/${row.id}`
    : `/admin/accounts-payable/royalty-payments/${row.batch_id}`;
}

/** Payments of one of the amounts, and whole runs that the bank books as one. */
export async function awaitedPayments(
  ctx: WorkContext, account: MatchAccount, amounts: readonly number[],
): Promise<AwaitedPayment[]> {
  const out = amounts.filter((minor) => minor < 0).map((minor) => -minor);
  if (out.length === 0) return [];
  const found = await ctx.db.query<Row>(sql`
    select p.id, p.number, p.status, p.method, p.amount_minor, n.id as run_id, n.number as run,
      n.status as run_status, n.value_on, p.royalty_payment_batch_id as batch_id,
      coalesce(c.name, v.name, r.name, x.name, '') as party
    from payments p left join payment_runs n on n.id = p.payment_run_id
      left join customers c on c.id = p.customer_id left join vendors v on v.id = p.vendor_id
      left join royaltors r on r.id = p.royaltor_id
      left join tax_authorities x on p.party_type = 'tax_authority' and x.id = p.party_id
    where p.ledger_account_id = ${account.ledger_account_id} and p.direction = 'out' and p.deleted_at is null
      and p.status in ('draft', 'approved') and p.provider is null and p.amount_minor = any (${out}::bigint[])
    order by p.paid_on, p.id limit ${LIMIT}`);
  const runs = await ctx.db.query<WholeRun>(sql`
    select n.id as run_id, n.number as run, n.status as run_status, n.value_on,
      sum(p.amount_minor)::bigint as amount_minor
    from payment_runs n join payments p on p.payment_run_id = n.id and p.status in ('draft', 'approved')
    where n.bank_account_id = ${account.bank_account_id} and n.status in ('draft', 'approved', 'exported')
    group by n.id having count(*) > 1 and sum(p.amount_minor) = any (${out}::bigint[]) order by n.id limit ${LIMIT}`);
  return [...found.map((row) => ({ label: row.number, party: row.party, amount_minor: -row.amount_minor,
    reason: reasonOf(row), href: hrefOf(row) })),
  ...runs.map((row) => ({ label: row.run, party: 'Payment run', amount_minor: -row.amount_minor,
    reason: runReason(row), href: runHref(row.run_id) }))];
}
