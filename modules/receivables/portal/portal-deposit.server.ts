/** A customer's deposits: what is asked for, and paying it by card or bank debit. */
import { dueReasonOf, type PayByOfLicense } from '#kernel/licensing/pay-by.ts';
import { isOverdue } from '#kernel/receivables/payment-terms.ts';
import type { ResponseIn } from '#kit/endpoint.ts';
import { invalidField, refuse } from '#kit/errors.ts';
import type { OnlineMethod } from '#kernel/receivables/online-payment.ts';
import type { Ctx } from '#server/context.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { transferTo, waysToPay } from '../documents/ways-to-pay.server.ts';
import { beginDepositPayment, refuseClosed } from '../online/begin-payment.server.ts';
import { askProcessor, lastOnline, paysDeposit } from './online-state.server.ts';
import { offeredMethods } from './payment-port.server.ts';
import { portalDepositEndpoints } from './portal-deposit.contract.ts';

type Shown = ResponseIn<typeof portalDepositEndpoints.show>['data'];
type Stored = Omit<Shown, 'payment_methods' | 'online_payment' | 'transfer' | 'check_to' | 'overdue' | 'due_reason'>
  & PayByOfLicense;

async function show(ctx: Ctx, customerId: number, id: number): Promise<Shown> {
  const found = await ctx.db.maybeOne<Stored>(sql`
    select d.id, d.license_id, l.title_on_license as license_title, coalesce(l.license_number, l.number) as number,
      d.kind, d.status, d.division, d.currency, d.amount_minor, d.vat_minor, d.due_on, p.paid_on as held_on,
      p.number as receipt_number, l.pay_by, l.pay_by_reason, l.pay_by_ships_on
    from deposits d join licenses l on l.id = d.license_id left join payments p on p.id = d.payment_id
    where d.id = ${id} and l.customer_id = ${customerId} and l.phase <> 'draft'`);
  if (!found) throw refuse('not_found');
  const { pay_by, pay_by_reason, pay_by_ships_on, ...deposit } = found;
  const open = deposit.status === 'requested';
  const { division, number, due_on } = deposit;
  const due_reason = dueReasonOf({ kind: 'deposit', issued_on: null, due_on, pay_by, pay_by_reason, pay_by_ships_on });
  const ways = open ? await waysToPay(ctx, deposit) : null;
  return { ...deposit, due_reason, overdue: open && isOverdue(due_on, await ctx.today(division)),
    online_payment: await lastOnline(ctx, paysDeposit(id)),
    // A purchase order promises to pay an invoice, which a deposit has not.
    payment_methods: ways ? offeredMethods(ctx.ports.settings, { division, ways, purchaseOrders: false }) : [],
    transfer: ways && transferTo(ways, number), check_to: ways && ways.check };
}

async function pay(ctx: Ctx, customerId: number, id: number, method: OnlineMethod): Promise<{ redirect_to: string }> {
  const deposit = await show(ctx, customerId, id);
  refuseClosed(deposit.status);
  if (!deposit.payment_methods.some((offered) => offered.method === method)) {
    throw invalidField('method', 'This way of paying is not offered here');
  }
  const { redirect_to } = await beginDepositPayment(ctx, { ...deposit, customer_id: customerId,
    name: `${deposit.license_title}, ${deposit.number}` }, method);
  return { redirect_to };
}

async function checkPayment(ctx: Ctx, customerId: number, id: number): Promise<Shown> {
  await show(ctx, customerId, id);
  await askProcessor(ctx, paysDeposit(id));
  return show(ctx, customerId, id);
}

export const portalDepositRoutes: Route[] = serve(portalDepositEndpoints, {
  show: async (ctx, { params }) => ({ data: await show(ctx, params.id, params.depositId) }),
  pay: async (ctx, { params, body }) => ({ data: await pay(ctx, params.id, params.depositId, body.method) }),
  checkPayment: async (ctx, { params }) => ({ data: await checkPayment(ctx, params.id, params.depositId) }),
});
