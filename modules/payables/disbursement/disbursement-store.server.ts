/** Stored payments that leave the house, and what they settle, as the verbs need them. */
import { conflict, refuse } from '#kit/errors.ts';
import type { Party } from '#kernel/ledger/journal.ts';
import type { PaidPart } from '#kernel/ledger/disbursement-lines.ts';
import type { Division } from '#kernel/money/division.ts';
import type { Currency } from '#kernel/money/money.ts';
import { taxAuthority } from '#modules/taxation/taxation.public.server.ts';
import { currentVendor } from '#modules/operations/operations.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import { sql } from '#server/sql.ts';

export type DisbursementStatus = 'draft' | 'approved' | 'posted' | 'cleared' | 'returned' | 'void' | 'reversed';

export interface Disbursement {
  id: number;
  number: string;
  kind: string;
  status: DisbursementStatus;
  party_type: Party['type'];
  party_id: number;
  party_name: string;
  division: Division;
  currency: Currency;
  ledger_account_id: number;
  account_code: string;
  amount_minor: number;
  /** Backup withholding; the amount is net of it. */
  withheld_minor: number;
  /** Of a bank account in another currency than the payment's. */
  bank_currency: string | null;
  bank_amount_minor: number | null;
  method: string;
  reference: string;
  paid_on: string;
  transaction_id: number | null;
  created_by_id: number | null;
  last_changed_by_id: number | null;
  approved_by_id: number | null;
  payment_run_id: number | null;
  payment_run: string | null;
  run_status: string | null;
  /** Whether it names what it settles; a refund that receivables made does not. */
  has_parts: boolean;
  version: number;
  updated_at: string;
}

export interface StoredPart { id: number; item_id: number; amount_minor: number; discount_minor: number;
  opened_on: string }

/** Name of the payee of the payment `p`. */
export const payeeName = sql`(select coalesce(c.name, v.name, r.name, x.name, '') from (values (1)) one (n)
  left join customers c on c.id = p.customer_id left join vendors v on v.id = ${currentVendor(sql`p.vendor_id`)}
  left join royaltors r on r.id = p.royaltor_id
  left join tax_authorities x on p.party_type = 'tax_authority' and x.id = p.party_id)`;

/** Locked before it is read. 404 for receipts and for what royalties pay. */
export async function lockDisbursement(ctx: WorkContext, id: number, version?: number): Promise<Disbursement> {
  await ctx.db.query(sql`select 1 from payments where id = ${id} for update`);
  const row = await ctx.db.maybeOne<Disbursement>(sql`
    select p.id, p.number, p.kind, p.status, p.party_type, p.party_id, ${payeeName} as party_name, p.division,
      p.currency, p.ledger_account_id, a.code as account_code, p.amount_minor, p.withheld_minor, p.bank_currency,
      p.bank_amount_minor, p.method, p.reference, p.paid_on, p.transaction_id,
      p.created_by_id, p.last_changed_by_id, p.approved_by_id, p.payment_run_id,
      n.number as payment_run,
      n.status as run_status, exists (select 1 from payment_parts x where x.payment_id = p.id) as has_parts, p.version,
      p.updated_at
    from payments p join ledger_accounts a on a.id = p.ledger_account_id
      left join payment_runs n on n.id = p.payment_run_id
    where p.id = ${id} and p.direction = 'out' and p.kind in ('vendor', 'refund', 'tax') and p.deleted_at is null`);
  if (!row) throw refuse('not_found');
  if (version !== undefined && row.version !== version) throw stale(row);
  return row;
}

/** Parts the payment settles in a state, in the order they were chosen. */
export function partsOf(ctx: Pick<WorkContext, 'db'>, id: number, state: 'reserved' | 'paid'): Promise<StoredPart[]> {
  return ctx.db.query<StoredPart>(sql`
    select x.id, x.open_item_id as item_id, x.amount_minor, x.discount_minor, i.opened_on
    from payment_parts x join open_items i on i.id = x.open_item_id
    where x.payment_id = ${id} and x.state = ${state} order by x.id`);
}

const paidPart = (part: StoredPart): PaidPart => ({ item_id: part.item_id,
  amount_minor: BigInt(part.amount_minor), discount_minor: BigInt(part.discount_minor) });

/** With the tax that bills under a discount reclaimed: the discount takes its part of it back. */
export async function paidParts(ctx: Pick<WorkContext, 'db'>, stored: readonly StoredPart[]): Promise<PaidPart[]> {
  const discounted = stored.filter((part) => part.discount_minor > 0).map((part) => part.item_id);
  const rows = discounted.length === 0 ? [] : await ctx.db.query<TaxedBill>(sql`
    select b.open_item_id as item_id, b.id as bill_id, b.total_minor, l.tax_code_id, l.jurisdiction,
      l.treatment = 'reverse_charge' as reverse_charge, sum(l.net_minor)::bigint as net_minor,
      sum(l.tax_minor)::bigint as tax_minor
    from bills b join bill_lines l on l.bill_id = b.id and l.treatment in ('recoverable', 'reverse_charge')
    where b.open_item_id = any (${discounted}::bigint[]) and l.tax_code_id is not null and l.jurisdiction is not null
    group by b.open_item_id, b.id, b.total_minor, l.tax_code_id, l.jurisdiction, l.treatment
    order by b.open_item_id, l.tax_code_id, l.jurisdiction`);
  const bills = new Map<number, NonNullable<PaidPart['bill']>>();
  for (const row of rows) {
    const tax = { tax_code_id: row.tax_code_id, authority_id: await taxAuthority(ctx, row.jurisdiction),
      reverse_charge: row.reverse_charge, net_minor: BigInt(row.net_minor), tax_minor: BigInt(row.tax_minor) };
    bills.set(row.item_id, { id: row.bill_id, total_minor: BigInt(row.total_minor),
      taxes: [...bills.get(row.item_id)?.taxes ?? [], tax] });
  }
  return stored.map((part) => ({ ...paidPart(part), bill: bills.get(part.item_id) }));
}

interface TaxedBill { item_id: number; bill_id: number; total_minor: number; tax_code_id: number; jurisdiction: string;
  reverse_charge: boolean; net_minor: number; tax_minor: number }

const STATUS_WORDS: Record<DisbursementStatus, string> = { draft: 'a draft', approved: 'approved', posted: 'posted',
  cleared: 'settled', returned: 'returned', void: 'withdrawn', reversed: 'reversed' };

export function refuseStatus(payment: Disbursement, ...allowed: DisbursementStatus[]): void {
  if (allowed.includes(payment.status)) return;
  throw conflict('payment.status', `Payment ${payment.number} is ${STATUS_WORDS[payment.status]}.`);
}

/** Releases what is reserved, or gives back what was paid. */
export async function releaseParts(ctx: WorkContext, id: number): Promise<void> {
  await ctx.db.exec(sql`update payment_parts set state = 'released' where payment_id = ${id} and state <> 'released'`);
}
