/** A deposit's record and what a part of it carries of its tax. */
import { divHalfAway } from '#kernel/money/money.ts';
import type { TaxOwed } from '#kernel/ledger/receivable-events.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { taxAuthority } from '#modules/taxation/taxation.public.server.ts';

export interface DepositRecord {
  id: number;
  license_id: number;
  customer_id: number;
  kind: 'security' | 'on_account';
  status: string;
  division: string;
  currency: string;
  amount_minor: number;
  net_minor: number;
  vat_minor: number;
  tax_code_id: number | null;
  home_country: string;
  due_on: string | null;
  payment_id: number | null;
  applied_minor: number;
  refunded_minor: number;
  forfeited_minor: number;
  remaining_minor: number;
  transaction_id: number | null;
  functional_rate: string | null;
  version: number;
}

/** Deposits of a licence, or one, locked in the order of their ids before anything beside them is read. */
export async function lockDeposits(
  ctx: WorkContext, by: { license_id?: number; id?: number },
): Promise<DepositRecord[]> {
  const wanted = by.id === undefined ? sql`d.license_id = ${by.license_id}` : sql`d.id = ${by.id}`;
  await ctx.db.query(sql`select 1 from deposits d where ${wanted} order by d.id for update`);
  return ctx.db.query<DepositRecord>(sql`
    select d.id, d.license_id, l.customer_id, d.kind, d.status, d.division, d.currency, d.amount_minor, d.net_minor,
      d.vat_minor, d.tax_code_id, v.home_country, d.due_on, d.payment_id, d.applied_minor, d.refunded_minor,
      d.forfeited_minor, d.remaining_minor, d.transaction_id, p.functional_rate, d.version
    from deposits d join licenses l on l.id = d.license_id join divisions v on v.code = d.division
      left join payments p on p.id = d.payment_id
    where ${wanted} order by d.id`);
}

export interface DepositPart {
  net_minor: bigint;
  tax: TaxOwed | null;
}

/** A part's tax is a difference of rounded totals, so that the parts of a deposit sum to its tax exactly. */
export async function partOf(ctx: WorkContext, deposit: DepositRecord, amount: bigint): Promise<DepositPart> {
  const before = BigInt(deposit.amount_minor - deposit.remaining_minor);
  const vat = (total: bigint): bigint => divHalfAway(BigInt(deposit.vat_minor) * total, BigInt(deposit.amount_minor));
  const tax = vat(before + amount) - vat(before);
  if (tax === 0n || deposit.tax_code_id === null) return { net_minor: amount - tax, tax: null };
  return {
    net_minor: amount - tax,
    tax: { account: '2300', authority_id: await taxAuthority(ctx, deposit.home_country),
      tax_code_id: deposit.tax_code_id, tax_minor: tax, base_minor: amount - tax },
  };
}
