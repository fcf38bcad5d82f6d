/** Rows of money that leaves, for payables and royalties: payments are one table with receipts. */
import type { WorkContext } from '#server/context.ts';
import { join, name, sql } from '#server/sql.ts';
import { bankAccountFor } from '#modules/banking/banking.public.server.ts';
import { rateFor } from '../ledger/post.server.ts';

export interface OutgoingInput {
  kind: 'vendor' | 'refund' | 'tax';
  party_type: string;
  party_id: number;
  division: string;
  currency: string;
  bank_account_id: number | null;
  method: string;
  on: string;
  amount_minor: number;
  /** Backup withholding beside the amount. */
  withheld_minor: number;
  memo: string;
  payment_run_id: number | null;
  /** Amount at a bank account in another currency. */
  bank?: { currency: string; amount_minor: number } | undefined;
  /** Another division pays: it is owed on account 2500, and no bank account of this one is named. */
  elsewhere?: { asked_by_id: number; reference: string } | undefined;
}

async function accountFor(ctx: WorkContext, of: OutgoingInput): Promise<number> {
  if (of.elsewhere === undefined) {
    return (await bankAccountFor(ctx, { ...of, currency: of.bank?.currency ?? of.currency })).ledger_account_id;
  }
  return (await ctx.db.one<{ id: number }>(sql`
    select id from ledger_accounts where division = ${of.division} and system_key = 'due_to'`)).id;
}

/** A draft; posts nothing. 422 at `bank_account_id`. */
export async function insertOutgoing(ctx: WorkContext, of: OutgoingInput): Promise<number> {
  const account = await accountFor(ctx, of);
  const rate = await rateFor(ctx, of.division, of.currency, of.on);
  return (await ctx.db.one<{ id: number }>(sql`
    insert into payments (number, direction, kind, party_type, party_id, division, ledger_account_id, currency,
      amount_minor, withheld_minor, method, paid_on, functional_rate, functional_rate_on, memo, reference,
      payment_run_id, bank_currency, bank_amount_minor, created_by_id)
    values (next_number('disbursement', ${of.division}, ${of.on}::date), 'out', ${of.kind}, ${of.party_type},
      ${of.party_id}, ${of.division}, ${account}, ${of.currency}, ${of.amount_minor},
      ${of.withheld_minor}, ${of.method}, ${of.on}, ${rate.rate}, ${rate.on}, ${of.memo},
      ${of.elsewhere?.reference ?? ''}, ${of.payment_run_id}, ${of.bank?.currency ?? null},
      ${of.bank?.amount_minor ?? null}, ${of.elsewhere?.asked_by_id ?? ctx.actor.actor_id}) returning id`)).id;
}

export interface RoyaltorPaymentInput {
  kind: 'royalty' | 'royalty_advance';
  royaltor_id: number;
  division: string;
  currency: string;
  ledger_account_id: number;
  method: string;
  on: string;
  amount_minor: number;
  memo: string;
  royalty_payment_batch_id: number;
}

/** A draft of a royalty payment batch; its rate is fixed on the day it is paid. */
export async function insertRoyaltorPayment(ctx: WorkContext, of: RoyaltorPaymentInput): Promise<number> {
  return (await ctx.db.one<{ id: number }>(sql`
    insert into payments (number, direction, kind, status, party_type, party_id, division, ledger_account_id,
      currency, amount_minor, method, paid_on, memo, created_by_id, royalty_payment_batch_id)
    values (next_number('disbursement', ${of.division}, ${of.on}::date), 'out', ${of.kind}, 'draft', 'royaltor',
      ${of.royaltor_id}, ${of.division}, ${of.ledger_account_id}, ${of.currency}, ${of.amount_minor}, ${of.method},
      ${of.on}, ${of.memo}, ${ctx.actor.actor_id}, ${of.royalty_payment_batch_id}) returning id`)).id;
}

export interface OutgoingChange {
  status?: 'draft' | 'approved' | 'posted' | 'cleared' | 'returned' | 'void' | 'reversed';
  amount_minor?: number;
  withheld_minor?: number;
  applied_minor?: number;
  ledger_account_id?: number;
  method?: string;
  paid_on?: string;
  value_on?: string;
  memo?: string;
  functional_rate?: string;
  functional_rate_on?: string;
  transaction_id?: number;
  reversal_transaction_id?: number;
  reversal_reason?: string | null;
  returned_on?: string;
  posted_at?: string;
  approved_by_id?: number | null;
  approved_at?: string | null;
  last_changed_by_id?: number | null;
  payment_run_id?: number | null;
  payee_version?: number | null;
  payee_last4?: string | null;
  payee_sha256?: string | null;
  outcome?: 'settled' | 'rejected' | 'cancelled' | null;
  outcome_on?: string | null;
  bank_reference?: string;
  reference?: string;
  deleted_at?: string | null;
}

/** Changes the row, which the caller has locked. */
export async function changeOutgoing(ctx: WorkContext, id: number, change: OutgoingChange): Promise<void> {
  const sets = Object.entries(change).filter(([, value]) => value !== undefined)
    .map(([column, value]) => sql`${name(column)} = ${value as string | number | null}`);
  await ctx.db.exec(sql`update payments set ${join([...sets, sql`version = version + 1`])}
    where id = ${id} and direction = 'out'`);
}

/** Voids payments that have not left; the caller has locked them. */
export async function voidOutgoing(ctx: WorkContext, ids: readonly number[], of: {
  on: string; reason: string; outcome: 'rejected' | 'cancelled';
}): Promise<void> {
  await ctx.db.exec(sql`
    update payments set status = 'void', outcome = ${of.outcome}, outcome_on = ${of.on}, reversal_reason = ${of.reason},
      version = version + 1
    where id = any(${[...ids]}::bigint[]) and direction = 'out' and status in ('draft', 'approved')`);
}

/** Deletes a draft in the trash for good; the database refuses every other. */
export async function purgeOutgoing(ctx: WorkContext, id: number): Promise<void> {
  await ctx.db.query(sql`select purge_payment(${id})`);
}
