/**
 * Automatic use of deposits (domain.md 1.1 edge 14, 2.7): deposits on account pay the license's invoices; the rest of a
 * settled license is refunded through the payment run, where a person approves it.
 */
import { min } from '#kernel/money/money.ts';
import { runBatch } from '#server/batch.ts';
import type { Ports, WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { lockLicense } from '../invoices/draft-invoice.server.ts';
import { lockDeposits } from './deposit-parts.server.ts';
import { disposeDeposit } from './dispose-deposit.server.ts';

/** Every licence that holds money on account and owes on an invoice, each in a transaction of its own; nightly. */
export async function applyDepositsOnAccount(ports: Ports): Promise<{ applied: number; failed: number }> {
  const due = await ports.db.query<{ license_id: number; division: string }>(sql`
    select distinct d.license_id, d.division from deposits d join invoices i on i.license_id = d.license_id
    where d.kind = 'on_account' and d.status = 'held' and i.kind = 'invoice' and i.status in ('issued', 'part_paid')
      and i.currency = d.currency and i.division = d.division and i.balance_minor > 0 order by d.license_id`);
  const { done, failed } = await runBatch(ports, { job: 'apply-deposits', items: due,
    facts: ({ license_id }) => ({ license_id }) },
  async (ctx, { license_id, division }) => applyOnAccount(ctx, { license_id, on: await ctx.today(division) }));
  return { applied: done, failed };
}

/** Oldest deposit to the invoice that is due first. Answers how many parts were applied. */
async function applyOnAccount(ctx: WorkContext, of: { license_id: number; on: string }): Promise<number> {
  await lockLicense(ctx, of.license_id);
  let parts = 0;
  for (const deposit of await lockDeposits(ctx, { license_id: of.license_id })) {
    if (deposit.kind !== 'on_account' || deposit.status !== 'held') continue;
    const open = await ctx.db.query<{ id: number; balance_minor: number }>(sql`
      select id, balance_minor from invoices where license_id = ${of.license_id} and kind = 'invoice'
        and status in ('issued', 'part_paid') and currency = ${deposit.currency} and division = ${deposit.division}
        and balance_minor > 0 order by due_on, id for update`);
    let left = BigInt(deposit.remaining_minor);
    const dispositions = open.flatMap((invoice) => {
      const amount = min(left, BigInt(invoice.balance_minor));
      left -= amount;
      return amount === 0n ? [] : [{ type: 'apply' as const, amount_minor: Number(amount), invoice_id: invoice.id }];
    });
    if (dispositions.length === 0) continue;
    await disposeDeposit(ctx, { license_id: of.license_id, deposit_id: deposit.id, dispositions, on: of.on });
    parts += dispositions.length;
  }
  return parts;
}

/**
 * Nothing more can be claimed against the licence: what is still held is refunded, what was asked for and never came
 * is not asked for any more. Answers the amount that goes back, per currency of its deposits.
 */
export async function returnDeposits(
  ctx: WorkContext, of: { license_id: number; on: string },
): Promise<{ currency: string; amount_minor: number }[]> {
  await lockLicense(ctx, of.license_id);
  const returned: { currency: string; amount_minor: number }[] = [];
  for (const deposit of await lockDeposits(ctx, { license_id: of.license_id })) {
    if (deposit.status === 'requested') {
      await ctx.db.exec(sql`
        update deposits set status = 'cancelled', version = version + 1 where id = ${deposit.id}`);
      await ctx.audit({ action: 'cancel', entity: 'deposit', entity_id: deposit.id });
    }
    if (deposit.status !== 'held') continue;
    await disposeDeposit(ctx, { license_id: of.license_id, deposit_id: deposit.id, on: of.on,
      dispositions: [{ type: 'refund', amount_minor: deposit.remaining_minor, reason: 'The production is settled' }] });
    returned.push({ currency: deposit.currency, amount_minor: deposit.remaining_minor });
  }
  return returned;
}
