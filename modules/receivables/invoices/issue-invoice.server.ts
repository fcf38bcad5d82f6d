/**
 * A tax invoice in one transaction (events 1, 1b, 3, 9c): draft rows, posting, release schedule, what follows it, and
 * the gapless number as the very last statement.
 */
import { invalidField } from '#kit/errors.ts';
import { invoiceLines } from '#kernel/ledger/receivable-events.ts';
import { releaseRows, type ReleaseRule } from '#kernel/receivables/release.ts';
import { spell } from '#kernel/text/english.ts';
import { keepVatProofs } from '#modules/taxation/taxation.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { tellOfInvoice } from '../tell.server.ts';
import { heldOnAccount, setOffDeposits } from '../deposits/set-off.server.ts';
import { openedItem, post, takeNumber } from '../ledger/post.server.ts';
import type { IssueInvoiceInput } from '../receivables-types.ts';
import { insertDraft, lockLicense } from './draft-invoice.server.ts';
import { isEarnedWhenBilled, readyLines } from './invoice-lines.server.ts';
import {
  dated, itemsOf, lockInvoice, refreshLicenseMoney, settleStatus, taxesOf, type DatedInvoice, type ItemRecord,
} from './invoice-store.server.ts';
import { askForOpenTax } from './tax-of-day.server.ts';
import { releaseDue, releaseItems, releaseLicense } from './release-income.server.ts';

/** A draft that is posted and waits for its number, the last thing its transaction takes. */
export interface PostedDraft {
  invoice_id: number;
  transaction_id: number | null;
  open_item_id: number | null;
}

/**
 * Issues a tax invoice; on-account deposits that the licence holds are set off (event 9c). 422 at the field for wrong
 * amounts, currency or dates; 409 where a rate or an open period is missing.
 */
export async function issueInvoice(ctx: WorkContext, input: IssueInvoiceInput):
Promise<{ invoice_id: number; transaction_id: number | null }> {
  const license = input.license_id ? await lockLicense(ctx, input.license_id) : null;
  if (license && (license.customer_id !== input.customer_id || license.division !== input.division
    || license.currency !== input.currency)) {
    throw invalidField('license_id', spell`The license belongs to another customer, division or currency`);
  }
  const lines = await readyLines(ctx, {
    customer_id: input.customer_id, division: input.division, on: input.issued_on, license, lines: input.lines,
    ship_to: input.ship_to,
  });
  const draft = await insertDraft(ctx, {
    kind: 'invoice', customer_id: input.customer_id, division: input.division, currency: input.currency, license,
    on: input.issued_on, due_on: input.due_on ?? null, ship_to: input.ship_to, notes: input.notes ?? '',
    purchase_order_no: input.purchase_order_no ?? license?.purchase_order_no ?? null,
  }, lines);
  const posted = await postDraft(ctx, draft.id, input.deposit_ids);
  await finishInvoice(ctx, posted);
  return { invoice_id: draft.id, transaction_id: posted.transaction_id };
}

/** Posts a draft and all that follows it; {@link finishInvoice} must end the same transaction. */
export async function postDraft(ctx: WorkContext, invoiceId: number, depositIds?: readonly number[]):
Promise<PostedDraft> {
  const invoice = dated(await lockInvoice(ctx, invoiceId));
  const items = await itemsOf(ctx, invoiceId);
  const taxes = await taxesOf(ctx, invoiceId);
  const deposits = await heldOnAccount(ctx, invoice.license_id, invoice.total_minor, depositIds);
  const lines = invoiceLines({
    customer_id: invoice.customer_id, due_on: invoice.due_on, taxes,
    income: items.map((item) => ({
      account: isEarnedWhenBilled(item) ? item.account_code : '2100', net_minor: BigInt(item.net_minor),
    })),
    prepaid: { net_minor: deposits.reduce((all, part) => all + part.net_minor, 0n),
      taxes: deposits.flatMap((part) => part.tax ?? []) },
  });
  const transactionId = lines.length === 0 ? null : await post(ctx, {
    division: invoice.division, kind: 'invoice', on: invoice.issued_on, currency: invoice.currency,
    rate: invoice.functional_rate, description: `Invoice to ${invoice.billing_name}`.slice(0, 500), lines,
    source: { type: 'invoice', id: invoiceId, event: 'issued' }, invoice_id: invoiceId, license_id: invoice.license_id,
  });
  const receivable = lines.find((line) => line.account === '1100')?.amount_minor ?? 0n;
  const openItem = transactionId === null || receivable === 0n ? null
    : await openedItem(ctx, transactionId, '1100', receivable);
  await setOffDeposits(ctx, invoice, items, deposits, transactionId);
  await bookCharges(ctx, items);
  await scheduleRelease(ctx, invoice, items);
  await afterPosting(ctx, invoice, items, transactionId);
  return { invoice_id: invoiceId, transaction_id: transactionId, open_item_id: openItem };
}

/** Number, posting and state on the row. The series' row stays locked until the transaction ends: call it last. */
export async function finishInvoice(ctx: WorkContext, posted: PostedDraft): Promise<void> {
  const invoice = dated(await lockInvoice(ctx, posted.invoice_id));
  // The money for a pro forma is there; what an older version of it leaves open was asked for before.
  const number = await takeNumber(ctx, 'invoice', { ...invoice, on: invoice.issued_on,
    asks_minor: invoice.proforma_id === null ? invoice.balance_minor : 0 });
  await ctx.db.exec(sql`
    update invoices set invoice_number = ${number}, status = 'issued', tax_point_on = issued_on,
      transaction_id = ${posted.transaction_id}, open_item_id = ${posted.open_item_id}
    where id = ${posted.invoice_id}`);
  await keepVatProofs(ctx, [posted.invoice_id]);
  await settleStatus(ctx, posted.invoice_id);
  await refreshLicenseMoney(ctx, invoice.license_id);
  await ctx.audit({ action: 'issue', entity: 'invoice', entity_id: posted.invoice_id, after: {
    invoice_number: number, total_minor: invoice.total_minor, currency: invoice.currency,
    transaction_id: posted.transaction_id } });
  await askForOpenTax(ctx, posted.invoice_id);
  await tellOfInvoice(ctx, { ...invoice, number, is_pro_forma: false });
}

async function bookCharges(ctx: WorkContext, items: readonly ItemRecord[]): Promise<void> {
  await ctx.ports.money.licensing.chargesBilled(ctx, items.flatMap(({ license_charge_id, net_minor, tax_minor }) =>
    (license_charge_id === null ? [] : [{ license_charge_id, net_minor, tax_minor }])));
}

async function scheduleRelease(ctx: WorkContext, invoice: DatedInvoice, items: readonly ItemRecord[]): Promise<void> {
  for (const item of items.filter((own) => !isEarnedWhenBilled(own) && own.net_minor > 0)) {
    const performances = item.release_rule === 'performances' || item.release_rule === 'opening'
      ? await performancesOf(ctx, invoice.license_id, item.license_venue_id) : [];
    const rows = releaseRows({
      rule: item.release_rule as ReleaseRule, net_minor: BigInt(item.net_minor), issued_on: invoice.issued_on,
      performances, from: item.release_from, to: item.release_to,
    });
    for (const row of rows) {
      await ctx.db.exec(sql`
        insert into release_schedule (invoice_item_id, division, performance_id, on_date, amount_minor, currency)
        values (${item.id}, ${invoice.division}, ${row.performance_id}, ${row.on}, ${row.amount_minor},
          ${invoice.currency})`);
    }
  }
}

async function performancesOf(ctx: WorkContext, licenseId: number | null, venueId: number | null) {
  if (licenseId === null) return [];
  const rows = await ctx.db.query<{ id: number; on: string; weight: number }>(sql`
    select id, local_date as on, coalesce(unit_fee_minor, 0)::bigint as weight from performances
    where license_id = ${licenseId} and (${venueId}::bigint is null or license_venue_id = ${venueId})
      and status in ('planned', 'performed') order by starts_at, id`);
  return rows.map((row) => ({ ...row, weight: BigInt(row.weight) }));
}

/** Releases income that is already earned at once, and notifies royalties. */
async function afterPosting(
  ctx: WorkContext, invoice: DatedInvoice, items: readonly ItemRecord[], transactionId: number | null,
): Promise<void> {
  const on = invoice.issued_on;
  await ctx.ports.money.royalties.invoicesIssued(ctx,
    [{ invoice_id: invoice.id, license_id: invoice.license_id, on }]);
  for (const item of items.filter((own) => isEarnedWhenBilled(own) && own.royalty_bearing && own.net_minor > 0)) {
    await ctx.ports.money.royalties.incomesEarned(ctx, [{
      invoice_item_id: item.id, license_id: invoice.license_id, division: invoice.division,
      currency: invoice.currency, amount_minor: item.net_minor, occurred_on: on, transaction_id: transactionId!,
      income_account: item.account_code, rate: invoice.functional_rate, performance_id: item.performance_id,
    }]);
  }
  await releaseItems(ctx, { invoice_item_ids: items.filter((item) => item.release_rule === 'at_once')
    .map((item) => item.id), on });
  if (invoice.license_id === null) return;
  await releaseLicense(ctx, { license_id: invoice.license_id, up_to: on });
  await releaseDue(ctx, { license_id: invoice.license_id, up_to: on });
}
