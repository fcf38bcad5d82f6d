/**
 * Houses of the season that pay by card: one is refunded, one disputes its payment with the bank. All of it through the
 * test processor, whose accounts the server goes on with afterwards.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  readMissedDisputes, settleOnlinePayments, TestProcessor, type TestHow,
} from '#modules/receivables/receivables.public.server.ts';
import { linkTo } from '#server/settings.ts';
import type { Body } from './client.ts';
import type { SeasonContext } from './load-licenses.ts';

const API = '/api/admin/staff';

export async function loadCardPayments(season: SeasonContext): Promise<void> {
  const { ports } = season;
  const { settings } = ports;
  const before = settings.stripe;
  const processor = new TestProcessor({ now: () => ports.clock.now(),
    file: existsSync(settings.data_dir) ? join(settings.data_dir, 'test-processor.json') : null,
    pageUrl: (id) => linkTo(settings, `/test-payments/${id}`) });
  settings.stripe = await processor.listen();
  try {
    await pay(season, processor, 'Bay Area Operetta', { text: 'Orchestra parts, rush fee', amount: 4_500, how: 'pay' });
    const twice = await pay(season, processor, 'Harbor Light Theatre',
      { text: 'Replacement scripts', amount: 12_800, how: 'pay' });
    await giveBack(season, twice);
    await pay(season, processor, 'Savoy Hill Players',
      { text: 'Late return of the parts', amount: 7_500, how: 'pay_disputed' });
    await readMissedDisputes(ports);
  } finally {
    settings.stripe = before;
    await processor.close();
  }
}

/** Billed, paid by card in the portal and booked; answers the invoice. */
async function pay(
  season: SeasonContext, processor: TestProcessor, name: string, of: { text: string; amount: number; how: TestHow },
): Promise<Body> {
  const { staff, houses, portals, ports } = season;
  const customer = houses.get(name)!.id;
  const draft = (await staff.post(`${API}/invoices`, { customer_id: customer, license_id: null, division: 'US',
    currency: 'USD', items: [{ kind: 'fee', description: of.text, item_class: 'fee', net_minor: of.amount }] })).data;
  await staff.post(`${API}/invoices/${draft.id}/issue`, { version: draft.version });
  const { client } = portals.get(name)!;
  const path = `/api/customers/${customer}/invoices/${draft.id}`;
  const { balance_minor } = (await client.get(path)).data;
  const { redirect_to } = (await client.post(`${path}/pay`, { method: 'card', amount_minor: balance_minor })).data;
  processor.pay(new URL(redirect_to as string).pathname.split('/').at(-1)!, of.how);
  await client.post(`${path}/check_payment`);
  await settleOnlinePayments(ports);
  return (await staff.get(`${API}/invoices/${draft.id}`)).data;
}

/** Ordered twice: credited, and the money goes back to the card after a second person has approved it. */
async function giveBack({ staff, second, ports }: SeasonContext, invoice: Body): Promise<void> {
  await staff.post(`${API}/invoices/${invoice.id}/credit_notes`, { reason: 'Ordered twice' });
  const [{ payment_id }] = invoice.payments;
  const refund = (await staff.post(`${API}/accounting/payments/${payment_id}/refund`, {
    amount_minor: invoice.total_minor, reason: 'Ordered twice' })).data;
  await second.put(`${API}/accounting/payments/${refund.id}/status`, { status: 'approved', version: refund.version });
  await settleOnlinePayments(ports);
}
