/**
 * Sales tax of New York and New Jersey. A house in New York City buys posters in every quarter; its tax is what the
 * returns owe. The quarters before the last are filed and paid, the last one of New York waits for a second person.
 * Nothing is sold in New Jersey: its returns are filed with zeros.
 */
import { addDays, addMonths, startOfMonth } from '#kernel/calendar/calendar.ts';
import type { Body } from './client.ts';
import { BILLS, TAX_OFFICE } from './load-bills.ts';
import type { SeasonContext } from './load-licenses.ts';

const API = '/api/admin/staff';
const BOOKS = `${API}/accounting`;
const RETURNS = `${BOOKS}/sales_tax_returns`;
/** Days after the end of a quarter on which its return is worked on, before it is due. */
const DAYS_AFTER = 17;
const QUARTERS = 3;
/** Days after the beginning of a quarter on which posters are sold, and their net. */
const SOLD_AFTER = 40;
const POSTERS_MINOR = [42_000, 36_000, 51_000];
/** First month that the quarters of the state are counted from. */
const STATES = [{ state: 'NY', name: 'New York', first_month: 3 }, { state: 'NJ', name: 'New Jersey', first_month: 1 }];

function quarterOf(day: string, firstMonth: number): string {
  return startOfMonth(addMonths(`${day.slice(0, 7)}-01`, -((Number(day.slice(5, 7)) - firstMonth + 12) % 3)));
}

export async function planSalesTaxReturns(season: SeasonContext): Promise<void> {
  const { staff, second, today, calendar } = season;
  await staff.post(`${BOOKS}/tax_registrations`, { division: 'US', jurisdiction: 'US-NJ', scheme: 'sales_tax',
    number: '123-456-789/000', valid_from: '2020-01-01' });
  for (const { state, name, first_month } of STATES) {
    const last = addMonths(quarterOf(addDays(today, -DAYS_AFTER - 1), first_month), -3);
    for (let back = QUARTERS - 1; back >= 0; back -= 1) {
      const from = addMonths(last, -3 * back);
      const to = addDays(addMonths(from, 3), -1);
      if (state === 'NY') calendar.add(addDays(from, SOLD_AFTER), () => sellPosters(season, addDays(from, SOLD_AFTER),
        POSTERS_MINOR[back]!));
      calendar.add(addDays(to, DAYS_AFTER), async () => {
        const { data: prepared } = await staff.post(RETURNS, { division: 'US', state, from, to });
        if (state === 'NY' && back === 0) return;
        const { data: filed } = await second.put(`${BOOKS}/tax_returns/${prepared.id}/file`, {
          version: prepared.version, receipt: `${state}-${to.slice(0, 4)}-${prepared.id}` });
        if (filed.net_minor > 0) await pay(season, filed.id, name, addDays(to, DAYS_AFTER));
      });
    }
  }
}

/** Paid by card on the day, so that nothing of it is open when payments are planned. */
async function sellPosters({ staff, houses }: SeasonContext, on: string, net_minor: number): Promise<void> {
  const customer_id = houses.get('Astoria Community Players')!.id;
  const { data: draft } = await staff.post(`${API}/invoices`, { customer_id, license_id: null, division: 'US',
    currency: 'USD', issued_on: on, items: [{ kind: 'sale', description: 'Posters and window cards',
      item_class: 'merchandise', net_minor }] });
  const { data: invoice } = await staff.post(`${API}/invoices/${draft.id}/issue`, { version: draft.version,
    confirmed_total_minor: draft.total_minor });
  await staff.post(`${BOOKS}/payments`, { method: 'wire', reference: '', duplicate_confirmed: true, customer_id,
    division: 'US', currency: 'USD', amount_minor: invoice.total_minor, received_on: on,
    apply_to: [{ invoice_id: invoice.id, amount_minor: invoice.total_minor }] });
}

/** Enters and approves the bill of the return, and pays it on the same day. */
async function pay(season: SeasonContext, returnId: number, name: string, on: string): Promise<void> {
  const { staff, second } = season;
  const vendor_id = await officeOf(season, `${name}${TAX_OFFICE}`);
  const { data: draft } = await staff.post(`${BOOKS}/tax_returns/${returnId}/bill`, { vendor_id });
  const { data: submitted } = await staff.put(`${BILLS}/${draft.id}/submit`, { version: draft.version });
  await second.put(`${BILLS}/${draft.id}/approve`, { version: submitted.version });
  const { data: accounts } = await staff.get(`${BOOKS}/bank_accounts?open=true&division=US&currency=USD`);
  const bank_account_id = (accounts as Body[])[0]!.id;
  const { data: { payee } } = await staff.get(`${BOOKS}/accounts_payable/payments/payables?bank_account_id=${
    bank_account_id}&party_type=vendor&party_id=${vendor_id}&method=card`);
  const item = (payee.items as Body[]).find((one) => one.document_id === draft.id)!;
  const { data: payment } = await staff.post(`${BOOKS}/accounts_payable/payments`, { bank_account_id, method: 'card',
    party_type: 'vendor', party_id: vendor_id, on, memo: 'Sales tax',
    parts: [{ open_item_id: item.open_item_id, amount_minor: item.amount_minor }] });
  const path = `${BOOKS}/payments/${payment.id}/status`;
  const { data: approved } = await second.put(path, { status: 'approved', version: payment.version });
  await staff.put(path, { status: 'posted', version: approved.version, on, reference: 'Card 4711' });
}

async function officeOf({ staff }: SeasonContext, name: string): Promise<number> {
  const { data: known } = await staff.get(`${API}/vendors?search=${encodeURIComponent(name)}`);
  const [vendor] = known as Body[];
  if (vendor) return vendor.id;
  return (await staff.post(`${API}/vendors`, { name, divisions: ['US'], default_currency: 'USD', tax_form_type: 'none',
    tax_1099_category: 'none', active: true })).data.id;
}
