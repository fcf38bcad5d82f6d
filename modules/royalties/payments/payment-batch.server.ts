/** Stored royalty payment batches, as lists and pages read them. */
import type { QueryOf } from '#kit/endpoint.ts';
import { refuse } from '#kit/errors.ts';
import { minorToDecimal } from '#kernel/money/money.ts';
import type { Ctx, FileAnswer } from '#server/context.ts';
import { compact, listPage, type ListSpec } from '#server/list.ts';
import { matches, mentions, sql } from '#server/sql.ts';
import { batchEvents } from './decide-batch.server.ts';
import type * as z from 'zod';
import { batchEndpoints, type BatchDetail, type BatchRow, type royaltyPaymentRow } from './payment-batch.contract.ts';

const COLUMNS = sql`t.id, t.number, t.division, t.currency, t.pay_on, t.method, t.status, t.payment_count,
  t.total_minor,
  t.withheld_minor, (select concat_ws(' ', first_name, last_name) from users where id = t.created_by_id)
    as created_by_name, t.created_by_id,
  (select concat_ws(' ', first_name, last_name) from users where id = t.approved_by_id)
    as approved_by_name, t.approved_at, t.scheduled_at, t.posted_at, t.failure, t.version, t.created_at, t.updated_at,
  bank.id as bank_account_id, bank.name as bank_account, n.id as payment_run_id, n.number as payment_run_number,
  n.file_name, n.value_moved`;
const BANK = sql`left join lateral (select a.id, a.name from payments p
  join bank_accounts a on a.ledger_account_id = p.ledger_account_id where p.royalty_payment_batch_id = t.id
  order by p.id limit 1) bank on true left join payment_runs n on n.royalty_payment_batch_id = t.id`;
const SPEC: ListSpec = {
  base: sql`royalty_payment_batches t`, columns: COLUMNS, joins: BANK, conditions: [], defaultSort: 'pay_on',
  defaultDirection: 'desc', sorts: { pay_on: sql`t.pay_on`, updated_at: sql`t.updated_at` },
};

/** In the currency of the payment. */
const WITHHELD = sql`coalesce((select sum(x.withheld_minor) from royalty_payment_conversions x
  where x.payment_id = t.id), 0)::bigint`;
const PAYMENTS: ListSpec = {
  base: sql`payments t`, joins: sql`join royaltors r on r.id = t.royaltor_id
    join royalty_payment_batches b on b.id = t.royalty_payment_batch_id`,
  columns: sql`t.id, t.number, t.royaltor_id, r.name as royaltor_name, t.kind, t.status, t.division, t.currency,
    t.amount_minor, ${WITHHELD} as withheld_minor, t.method, t.paid_on, b.id as batch_id, b.number as batch_number,
    t.transaction_id, t.created_at, t.updated_at`,
  conditions: [], defaultSort: 'paid_on', defaultDirection: 'desc',
  sorts: { paid_on: sql`t.paid_on`, amount_minor: sql`t.amount_minor`, updated_at: sql`t.updated_at` },
};

export async function findBatch(ctx: Ctx, id: number): Promise<BatchDetail> {
  const { db } = ctx;
  const batch = await db.maybeOne<BatchRow>(sql`
    select ${COLUMNS} from royalty_payment_batches t ${BANK} where t.id = ${id}`);
  if (!batch) throw refuse('not_found');
  const payments = await db.query<BatchDetail['payments'][number]>(sql`
    select p.id, p.number, p.royaltor_id, r.name as royaltor_name, p.kind, p.status, p.currency, p.amount_minor,
      r.bank_account_last4, p.memo as withholding_reason, p.transaction_id,
      (p.amount_minor + w.withheld)::bigint as gross_minor, w.withheld as withheld_minor,
      (select jsonb_agg(jsonb_build_object('statement_id', x.royalty_statement_id, 'advance_id', x.royalty_advance_id,
        'number', m.number, 'currency', x.debt_currency, 'gross_minor', x.debt_minor,
        'wht_minor', x.debt_withheld_minor, 'rate', x.rate::text, 'rate_on', x.rate_on, 'paid_minor', x.paid_minor)
        order by x.id) from royalty_payment_conversions x
        left join royalty_statements m on m.id = x.royalty_statement_id where x.payment_id = p.id) as parts
    from payments p join royaltors r on r.id = p.royaltor_id, lateral (
      select coalesce(sum(x.withheld_minor), 0)::bigint as withheld from royalty_payment_conversions x
      where x.payment_id = p.id) w
    where p.royalty_payment_batch_id = ${id} order by r.name collate "und-x-icu", p.id`);
  const is_ahead = batch.pay_on > await ctx.today(batch.division);
  const allowed = batchEvents(batch);
  return { ...batch, payments, is_ahead,
    allowed_events: allowed.filter((event) => !(event === 'pay' && is_ahead && batch.status === 'scheduled')) };
}

/** A cell that no spreadsheet runs as a formula. */
function cell(value: string): string {
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function paymentFile(batch: BatchDetail): Buffer {
  const head = ['payment', 'payee', 'account_last4', 'pay_on', 'method', 'currency', 'amount', 'withheld', 'reference'];
  const rows = batch.payments.filter((one) => one.status !== 'void').map((one) => [
    one.number, cell(one.royaltor_name), one.bank_account_last4 ?? '', batch.pay_on, batch.method, one.currency,
    minorToDecimal(BigInt(one.amount_minor)), minorToDecimal(BigInt(one.withheld_minor)),
    cell(one.parts.map((part) => part.number ?? '').join(' ').trim() || 'Advance'),
  ]);
  return Buffer.from([head, ...rows].map((row) => row.join(',')).join('\r\n') + '\r\n');
}

export function listBatches(ctx: Ctx, query: QueryOf<typeof batchEndpoints.list>) {
  return listPage<BatchRow>(ctx.db, { ...SPEC, conditions: compact([
    query.status !== undefined && sql`t.status = ${query.status}`,
    query.division !== undefined && sql`t.division = ${query.division}`,
    Boolean(query.search) && mentions(sql`t.number`, query.search ?? ''),
  ]) }, query, batchEndpoints.list.path);
}

export function listRoyaltyPayments(ctx: Ctx, query: QueryOf<typeof batchEndpoints.payments>) {
  return listPage<z.infer<typeof royaltyPaymentRow>>(ctx.db, { ...PAYMENTS, conditions: compact([
    sql`t.royalty_payment_batch_id is not null`,
    query.division !== undefined && sql`t.division = ${query.division}`,
    query.status !== undefined && sql`t.status = ${query.status}`,
    query.royaltor_id !== undefined && sql`t.royaltor_id = ${query.royaltor_id}`,
    Boolean(query.search) && sql`(${mentions(sql`t.number`, query.search ?? '')} or t.royaltor_id in (select id
      from royaltors where ${matches(sql`search_text`, query.search ?? '')}))`,
  ]) }, query, batchEndpoints.payments.path);
}

export async function batchList(ctx: Ctx, id: number): Promise<FileAnswer> {
  const batch = await findBatch(ctx, id);
  return { filename: `${batch.number}.csv`, content_type: 'text/csv', content: paymentFile(batch) };
}
