/** Stored receipts as the verbs need them, and how far each line of a document is open. */
import { refuse } from '#kit/errors.ts';
import type { OpenLine } from '#kernel/pricing/receipt-application.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';

export interface PaymentRecord {
  id: number;
  number: string;
  direction: 'in' | 'out';
  kind: string;
  status: string;
  party_id: number;
  license_id: number | null;
  division: string;
  ledger_account_id: number;
  account_code: string;
  currency: string;
  amount_minor: number;
  applied_minor: number;
  unapplied_minor: number;
  method: string;
  paid_on: string;
  functional_rate: string;
  /** Currency of the bank account, and its amount; null where it is the payment's own. */
  bank_currency: string | null;
  bank_amount_minor: number | null;
  transaction_id: number | null;
  created_by_id: number | null;
  approved_by_id: number | null;
  deposit_id: number | null;
  opening_set_id: number | null;
  version: number;
}

/** Locked before it is read: the deposit beside it is then as new as the payment. */
export async function lockPayment(ctx: WorkContext, id: number): Promise<PaymentRecord> {
  await ctx.db.query(sql`select 1 from payments where id = ${id} for update`);
  const row = await ctx.db.maybeOne<PaymentRecord>(sql`
    select p.id, p.number, p.direction, p.kind, p.status, p.party_id, p.license_id, p.division, p.ledger_account_id,
      a.code as account_code, p.currency, p.amount_minor, p.applied_minor, p.unapplied_minor, p.method, p.paid_on,
      p.functional_rate, p.bank_currency, p.bank_amount_minor, p.transaction_id, p.created_by_id, p.approved_by_id,
      (select d.id from deposits d where d.payment_id = p.id) as deposit_id, p.opening_set_id,
      p.version
    from payments p join ledger_accounts a on a.id = p.ledger_account_id
    where p.id = ${id} and p.deleted_at is null`);
  if (!row) throw refuse('not_found');
  return row;
}

/** Amount still open on each line of a document after receipts and credits; net and tax separate. */
export async function openLines(ctx: Pick<WorkContext, 'db'>, invoiceId: number): Promise<OpenLine[]> {
  const rows = await ctx.db.query<{ id: number; net: number; tax: number }>(sql`
    select i.id, (i.net_minor - coalesce(c.net, 0) - coalesce(a.net, 0))::bigint as net,
      (i.tax_minor - coalesce(c.tax, 0) - coalesce(a.tax, 0))::bigint as tax
    from invoice_items i
      left join lateral (select sum(n.net_minor) as net, sum(n.tax_minor) as tax from invoice_items n
        where n.credits_item_id = i.id) c on true
      left join lateral (select sum(p.net_minor) as net, sum(p.tax_minor) as tax from payment_allocations p
        where p.invoice_item_id = i.id) a on true
    where i.invoice_id = ${invoiceId} order by i.id`);
  return rows.map((row) => ({ id: row.id, net_minor: BigInt(Math.max(row.net, 0)), tax_minor: BigInt(Math.max(row.tax,
    0)) }));
}

/** The receipt's own item on AR: its cash. */
export async function creditItemOf(ctx: WorkContext, payment: PaymentRecord): Promise<number> {
  return (await ctx.db.one<{ id: number }>(sql`
    select i.id from open_items i join ledger_accounts a on a.id = i.ledger_account_id
    where i.transaction_id = ${payment.transaction_id} and a.code = '1100' order by i.journal_entry_id limit 1`)).id;
}
