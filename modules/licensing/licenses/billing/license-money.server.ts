/** Bills and receipts of receivables change the licence, in the transaction of the document or the receipt. */
import { formatMoney } from '#kernel/money/money.ts';
import type { WorkContext } from '#server/context.ts';
import type { AgreedInterest, LicensingMoney } from '#server/money-events.ts';
import { sql } from '#server/sql.ts';
import { refreshChecklist } from '../../checklist/refresh-checklist.server.ts';
import { instalmentMoney } from './instalment-money.server.ts';
import { findLicense } from '../license-record.server.ts';
import { closeTasks } from '../phase/notify.server.ts';
import { executeIfMet } from '../phase/execute-license.server.ts';

export const licensingMoney: LicensingMoney<WorkContext> = {
  ...instalmentMoney,
  async licensePaid(ctx, paid) {
    await executeIfMet(ctx, paid.license_id);
    await refreshChecklist(ctx, paid.license_id);
    const { balance_minor: owed } = await findLicense(ctx.db, paid.license_id);
    if (owed <= 0) await closeTasks(ctx, paid.license_id, ['unpaid_balance', 'pay_by_passed']);
  },
  async amountsChanged(ctx, amounts) {
    await ctx.db.exec(sql`
      update licenses l set invoiced_minor = u.invoiced, paid_minor = u.paid, balance_minor = u.balance
      from unnest(${amounts.map((one) => one.license_id)}::bigint[],
        ${amounts.map((one) => one.invoiced_minor)}::bigint[], ${amounts.map((one) => one.paid_minor)}::bigint[],
        ${amounts.map((one) => one.balance_minor)}::bigint[]) u (id, invoiced, paid, balance)
      where l.id = u.id`);
  },
  async chargesBilled(ctx, charges) {
    for (const { license_charge_id, net_minor, tax_minor } of charges) {
      await ctx.db.exec(sql`
        update license_charges set invoiced_net_minor = invoiced_net_minor + ${net_minor},
          invoiced_tax_minor = invoiced_tax_minor + ${tax_minor} where id = ${license_charge_id}`);
    }
  },
  async purchaseOrderGiven(ctx, { license_id, purchase_order_no }) {
    await ctx.db.exec(sql`
      update licenses set purchase_order_no = ${purchase_order_no}, version = version + 1 where id = ${license_id}`);
  },
  async taxLeftOpen(ctx, open) {
    await ctx.db.exec(sql`
      insert into tasks (kind, title, entity, entity_id, license_id, customer_id, division, due_on)
      values ('tax_shortfall',
        ${`Collect the tax left open on ${open.number}: ${formatMoney(open.balance_minor, open.currency)}`},
        'invoice', ${open.invoice_id}, ${open.license_id}, ${open.customer_id}, ${open.division}, ${open.due_on})
      on conflict do nothing`);
  },
  interestAgreed: (ctx, { license_id }) => ctx.db.maybeOne<AgreedInterest>(sql`
    select coalesce((v.snapshot -> 'terms' ->> 'late_interest_ppm_per_month')::int, 0) as ppm_per_month,
      coalesce(l.license_number, l.number) as license_number, s.signed_on
    from signatures s join license_versions v on v.id = s.license_version_id join licenses l on l.id = s.license_id
    where s.license_id = ${license_id} and s.voided_at is null order by v.version_no desc, s.id desc limit 1`),
  async taxCollected(ctx, { invoice_id }) {
    await ctx.db.exec(sql`
      update tasks set status = 'done', done_at = ${ctx.now().toISOString()}, done_by_id = ${ctx.actor.actor_id}
      where entity = 'invoice' and entity_id = ${invoice_id} and kind = 'tax_shortfall' and status = 'open'`);
  },
};
