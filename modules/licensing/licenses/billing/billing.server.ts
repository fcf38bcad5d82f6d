/** Receivables calls of a license as it moves: pro formas, invoices, credit notes (domain.md 1, 2.9, 2.10). */
import { numbersInWords } from '#kernel/licensing/license-address.ts';
import { isPaidBeforeIssue } from '#kernel/licensing/pay-by.ts';
import { max, sum } from '#kernel/money/money.ts';
import { splitByWeight } from '#kernel/money/split.ts';
import { settlementKind } from '#kernel/pricing/promised-terms.ts';
import type { ItemClass } from '#kernel/money/priced-line.ts';
import {
  creditInvoice, issueDepositPart, issueInstalment, issueInvoice, issueProForma, releaseBreakage, releaseCancelled,
  refuseUnpayable, releaseLicense, requestDeposit, unpayable, voidProFormas, whatIsMissing, type InvoiceItemKind,
} from '#modules/receivables/receivables.public.server.ts';
import { accrueClose } from '#modules/royalties/royalties.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import type { License } from '../license-record.server.ts';
import { askStaff, closeTasks } from '../phase/notify.server.ts';

const BEFORE_EXECUTION = ['acceptance', 'execution'];

interface Instalment { id: number; is_deposit: boolean; amount_minor: number }

function dueInstalments(ctx: WorkContext, licenseId: number, events: readonly string[]): Promise<Instalment[]> {
  return ctx.db.query<Instalment>(sql`
    select id, is_deposit, amount_minor from license_instalments
    where license_id = ${licenseId} and status = 'planned' and amount_minor > 0 and due_event = any (${[...events]})
    order by sort, id`);
}

/** Task of a license whose documents wait until its division can be paid. */
export const WAITS_FOR_WAY = 'no_way_to_pay';

/** 409 for an offer that will ask for money which nobody can pay: the customer signs none that cannot be billed. */
export function refuseUnpayableOffer(ctx: WorkContext, license: License): Promise<void> {
  return refuseUnpayable(ctx, [{ ...license,
    asks_minor: license.grand_total_minor + license.deposit_minor + (license.rate_ppm ?? 0) }]);
}

/** 409 for an execution by staff whose invoices nobody can pay. */
export async function refuseUnpayableExecution(ctx: WorkContext, license: License): Promise<void> {
  const rows = await dueInstalments(ctx, license.id, BEFORE_EXECUTION);
  await refuseUnpayable(ctx, rows.filter((row) => !row.is_deposit)
    .map((row) => ({ ...license, asks_minor: row.amount_minor })));
}

/**
 * Nobody can pay the division any more: a customer's signature and the days of a license stand all the same, a person
 * is asked, and {@link billWaiting} bills once there is a way.
 */
async function waitsForWay(ctx: WorkContext, license: License): Promise<boolean> {
  if ((await unpayable(ctx, [license])).length === 0) return false;
  await askStaff(ctx, license, { kind: WAITS_FOR_WAY, priority: 1,
    title: `${numbersInWords(license)} is not billed. ${await whatIsMissing(ctx, license)}` });
  return true;
}

/** Bills what waited for a way to pay. Answers how many documents became due; none while there is still no way. */
export async function billWaiting(ctx: WorkContext, license: License): Promise<number> {
  if ((await unpayable(ctx, [license])).length > 0) return 0;
  await closeTasks(ctx, license.id, [WAITS_FOR_WAY]);
  if (license.phase === 'accepted') return billAcceptance(ctx, license);
  if (!['licensed', 'in_production', 'settlement'].includes(license.phase)) return 0;
  return await askForDeposit(ctx, license, await ctx.today(license.division)) + await billExecution(ctx, license);
}

/**
 * Acceptance: pro formas for what the paid policies ask for first, and the request of the deposit. With a purchase
 * order or on the signature alone nothing is billed before execution; a security deposit is asked for all the same.
 * Answers how many documents ask.
 */
export async function billAcceptance(ctx: WorkContext, license: License): Promise<number> {
  const today = await ctx.today(license.division);
  const due = license.pay_by !== null && license.pay_by > today ? license.pay_by : today;
  const rows = await dueInstalments(ctx, license.id, BEFORE_EXECUTION);
  const paidFirst = isPaidBeforeIssue(license.execution_policy);
  const asked = rows.filter((instalment) => paidFirst || instalment.is_deposit);
  if (asked.length + license.deposit_minor > 0 && await waitsForWay(ctx, license)) return 0;
  for (const row of asked) {
    await issueProForma(ctx, { license_id: license.id, instalment_id: row.id, on: today, due_on: due });
  }
  return asked.length + await askForDeposit(ctx, license, due);
}

/** The deposit that the license itself asks for, once; a part of the plan that is one takes its place. */
async function askForDeposit(ctx: WorkContext, license: License, due: string): Promise<number> {
  if (license.deposit_minor <= 0) return 0;
  const asked = await ctx.db.maybeOne(sql`
    select 1 from deposits where license_id = ${license.id} and status <> 'cancelled'`);
  if (asked) return 0;
  await requestDeposit(ctx, { license_id: license.id, kind: license.fee_terms?.deposit_kind ?? 'security',
    amount_minor: license.deposit_minor, due_on: due });
  return 1;
}

export async function voidBilling(ctx: WorkContext, licenseId: number, reason: string): Promise<void> {
  await voidProFormas(ctx, licenseId, reason);
}

/** Execution by staff issues the tax invoice; the paid policies have theirs from the payment. */
export function billExecution(ctx: WorkContext, license: License): Promise<number> {
  return billInstalments(ctx, license, isPaidBeforeIssue(license.execution_policy) ? [] : BEFORE_EXECUTION);
}

/** Tax invoices for what falls due now; with the last of the royalty the deposit's part. Answers how many. */
export async function billInstalments(ctx: WorkContext, license: License, events: readonly string[]): Promise<number> {
  const rows = (await dueInstalments(ctx, license.id, events)).filter((row) => !row.is_deposit);
  if (rows.length > 0 && await waitsForWay(ctx, license)) return 0;
  for (const row of rows) await issueInstalment(ctx, { license_id: license.id, instalment_id: row.id });
  return rows.length + await billDepositPart(ctx, license);
}

/** Fees that no takings change: nothing but the plan bills them. */
export function isFixedFee(license: License): boolean {
  return settlementKind({ fee_method: license.fee_method ?? 'negotiated', rate_ppm: BigInt(license.rate_ppm ?? 0),
    guarantee_scope: license.guarantee_scope ?? 'performance', gross_tiers: license.fee_terms?.gross_tiers ?? [] })
    === 'true_up';
}

/**
 * Invoices the part of a fixed fee that a deposit on account has paid, once all other royalty is invoiced, and applies
 * the deposit to it; a fee on box-office receipts has its invoice from the report.
 */
async function billDepositPart(ctx: WorkContext, license: License): Promise<number> {
  if (!isFixedFee(license)) return 0;
  const row = await ctx.db.maybeOne<{ id: number }>(sql`
    select t.id from license_instalments t join deposits d on d.id = t.deposit_id and d.status in ('held', 'settled')
    where t.license_id = ${license.id} and t.is_deposit and t.invoice_id is null
      and not exists (select 1 from license_instalments i where i.license_id = t.license_id and not i.is_deposit
        and i.amount_minor > 0 and i.invoice_id is null
        and (cardinality(i.line_kinds) = 0 or 'royalty' = any (i.line_kinds)))`);
  if (!row) return 0;
  await issueDepositPart(ctx, { license_id: license.id, instalment_id: row.id });
  return 1;
}

/** The run is over: what the plan of a fixed fee has left is invoiced, whatever it waited for. Answers how many. */
export async function billRest(ctx: WorkContext, license: License): Promise<number> {
  return isFixedFee(license)
    ? billInstalments(ctx, license, ['shipment', 'opening', 'report', 'closing', 'settlement', 'return_of_materials'])
    : 0;
}

/** At close what was held is income, an unrecouped advance is kept, on_close agreements are due (2.4, 3.3). */
export async function settleClose(ctx: WorkContext, license: License): Promise<void> {
  const today = await ctx.today(license.division);
  await releaseLicense(ctx, { license_id: license.id, up_to: today });
  await releaseBreakage(ctx, { license_id: license.id, on: today });
  await accrueClose(ctx, { license_id: license.id, on: today });
}

export interface ChargeCredit {
  license_charge_id: number;
  net_minor: number;
}

interface InvoicedItem { invoice_item_id: number; invoice_id: number; license_charge_id: number; left_minor: number }

/** Credit notes for net amounts of charges, newest invoice first; each invoice gets one note. */
export async function creditCharges(
  ctx: WorkContext, license: License, on: string, reason: string, credits: readonly ChargeCredit[],
  performanceIds: readonly number[] = [],
): Promise<void> {
  const items = await ctx.db.query<InvoicedItem>(sql`
    select i.id as invoice_item_id, i.invoice_id, i.license_charge_id, (i.net_minor - coalesce((select sum(c.net_minor)
      from invoice_items c where c.credits_item_id = i.id), 0))::bigint as left_minor
    from invoice_items i join invoices v on v.id = i.invoice_id
    where v.license_id = ${license.id} and v.kind = 'invoice' and v.invoice_number is not null
      and i.license_charge_id = any (${credits.map((credit) => credit.license_charge_id)})
    order by v.id desc, i.id desc`);
  const byInvoice = new Map<number, { invoice_item_id: number; amount_minor: number }[]>();
  for (const credit of credits) {
    let left = credit.net_minor;
    for (const item of items.filter((row) => row.license_charge_id === credit.license_charge_id)) {
      const taken = Math.min(left, item.left_minor);
      if (taken <= 0) continue;
      left -= taken;
      byInvoice.set(item.invoice_id, [...byInvoice.get(item.invoice_id) ?? [],
        { invoice_item_id: item.invoice_item_id, amount_minor: taken }]);
    }
  }
  for (const [invoiceId, lines] of byInvoice) {
    await creditInvoice(ctx, { invoice_id: invoiceId, lines, reason, on,
      ...(performanceIds.length > 0 ? { performance_ids: performanceIds } : {}) });
  }
}

/** Cancelled: refunds as credit notes, then what is kept is income (domain.md 2.10). */
export async function creditCancellation(
  ctx: WorkContext, license: License, on: string, reason: string, credits: readonly ChargeCredit[],
): Promise<void> {
  if (credits.length > 0) await creditCharges(ctx, license, on, reason, credits);
  if (license.phase === 'cancelled') await releaseCancelled(ctx, { license_id: license.id, on });
}

export interface ChargeState {
  id: number; kind: InvoiceItemKind; description: string; item_class: ItemClass; income_type: string;
  royalty_bearing: boolean; license_venue_id: number | null; add_on_id: number | null; net_minor: number;
  tax_minor: number; invoiced_net_minor: number; invoiced_tax_minor: number;
}

export function chargeStates(ctx: WorkContext, licenseId: number): Promise<ChargeState[]> {
  return ctx.db.query<ChargeState>(sql`
    select id, kind, description, item_class, income_type, royalty_bearing, license_venue_id, add_on_id, net_minor,
      tax_minor, invoiced_net_minor, invoiced_tax_minor
    from license_charges where license_id = ${licenseId} order by sort, id`);
}

/**
 * An amendment: what was billed follows the new price at once, by an invoice or a credit note over the differences;
 * what is still planned changes its instalment. `before` are the charges as they stood.
 */
export async function billAmendment(
  ctx: WorkContext, license: License, before: readonly ChargeState[], reason: string,
  cancelledPerformances: readonly number[],
): Promise<void> {
  const today = await ctx.today(license.division);
  const after = await chargeStates(ctx, license.id);
  const billed = after.filter((charge) => wasBilled(charge, before));
  const more = billed.filter((charge) => charge.net_minor > charge.invoiced_net_minor);
  const less = billed.filter((charge) => charge.net_minor < charge.invoiced_net_minor);
  if (less.length > 0) {
    await creditCharges(ctx, license, today, reason, less.map((charge) => ({ license_charge_id: charge.id,
      net_minor: charge.invoiced_net_minor - charge.net_minor })), cancelledPerformances);
  }
  if (more.length > 0) {
    await issueInvoice(ctx, { license_id: license.id, customer_id: license.customer_id, division: license.division,
      currency: license.currency, issued_on: today, lines: more.map((charge) => ({
        kind: charge.kind, description: `${charge.description}, amended`, item_class: charge.item_class,
        net_minor: charge.net_minor - charge.invoiced_net_minor,
        tax_minor: Math.max(charge.tax_minor - charge.invoiced_tax_minor, 0),
        royalty_bearing: charge.royalty_bearing, license_charge_id: charge.id,
        license_venue_id: charge.license_venue_id, add_on_id: charge.add_on_id })) });
  }
  await replan(ctx, license.id, after.filter((charge) => !wasBilled(charge, before)));
}

/** Billed in full before the change; a new charge counts as billed, so that it is invoiced now. */
function wasBilled(charge: ChargeState, before: readonly ChargeState[]): boolean {
  const old = before.find((row) => row.id === charge.id);
  return old === undefined || (old.net_minor > 0 && old.invoiced_net_minor >= old.net_minor);
}

/** Net and tax of a deposit on account that pays a part of the royalty and has no invoice yet; zero without one. */
async function prepaidRoyalty(ctx: WorkContext, licenseId: number): Promise<{ net: bigint; tax: bigint }> {
  const row = await ctx.db.one<{ net: number; tax: number }>(sql`
    select coalesce(sum(net_minor), 0)::bigint as net, coalesce(sum(tax_minor), 0)::bigint as tax
    from license_instalments where license_id = ${licenseId} and is_deposit and invoice_id is null
      and status <> 'cancelled'`);
  return { net: BigInt(row.net), tax: BigInt(row.tax) };
}

/** Planned instalments take the new totals of their kinds, in the proportion they had, less what a deposit pays. */
async function replan(ctx: WorkContext, licenseId: number, open: readonly ChargeState[]): Promise<void> {
  const rows = await ctx.db.query<{ id: number; line_kinds: string[]; amount_minor: number; is_deposit: boolean }>(sql`
    select id, line_kinds, amount_minor, is_deposit from license_instalments
    where license_id = ${licenseId} and status = 'planned' order by sort, id`);
  const sets = new Map<string, typeof rows>();
  for (const row of rows.filter((instalment) => !instalment.is_deposit)) {
    sets.set(row.line_kinds.join(), [...sets.get(row.line_kinds.join()) ?? [], row]);
  }
  const prepaid = await prepaidRoyalty(ctx, licenseId);
  for (const set of sets.values()) {
    const less = set[0]!.line_kinds.includes('royalty') ? prepaid : { net: 0n, tax: 0n };
    const lines = open.filter((charge) => set[0]!.line_kinds.includes(charge.kind));
    const net = max(0n, sum(lines.map((charge) => BigInt(charge.net_minor - charge.invoiced_net_minor))) - less.net);
    const tax = max(0n, sum(lines.map((charge) => BigInt(charge.tax_minor - charge.invoiced_tax_minor))) - less.tax);
    const weights = set.map((row) => BigInt(row.amount_minor));
    if (sum(weights) === 0n) continue;
    const nets = splitByWeight(net, weights);
    const taxes = splitByWeight(tax, weights);
    for (const [k, row] of set.entries()) {
      await ctx.db.exec(sql`
        update license_instalments set net_minor = ${Number(nets[k]!)}, tax_minor = ${Number(taxes[k]!)},
          amount_minor = ${Number(nets[k]! + taxes[k]!)} where id = ${row.id}`);
    }
  }
}
