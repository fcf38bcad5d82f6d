/**
 * Bills of the last months: entered by one person, approved by another; some wait, are on hold, void or credited. Two
 * of the last month are paid by card.
 */
import { addDays, addMonths } from '#kernel/calendar/calendar.ts';
import { makeRecurringBills } from '#modules/payables/payables.public.server.ts';
import type { Body, DemoClient } from './client.ts';
import type { SeasonContext } from './load-licenses.ts';
import { seeded } from './random.ts';

const API = '/api/admin/staff';
export const BILLS = `${API}/accounting/bills`;
/** Vendors that are the tax office of a state, by the end of their names; nobody prints for us there. */
export const TAX_OFFICE = ' Sales Tax';
/** Days back to which bills reach, and the days of a month on which each vendor bills. */
const REACH_DAYS = 120;
const EVERY_DAYS = 30;
/** Days back on which the card was charged. */
const CHARGED = 5;
const WORDS = ['Printing of librettos', 'Binding of scores', 'Parcels', 'Paper and cartons', 'Engraving of parts',
  'Posters', 'Advice'] as const;

/** A random sequence of its own: the rest of the season stays as it was. */
export function planBills(season: SeasonContext): void {
  const random = seeded(1911);
  for (let day = addDays(season.today, -REACH_DAYS); day < season.today; day = addDays(day, EVERY_DAYS)) {
    season.calendar.add(day, () => enterAmerican(season, day, random, (k) => k));
  }
}

/** Bills of the US vendors on a day, by the place that each is given; those without a place bill nothing. */
export async function enterAmerican(season: SeasonContext, day: string, random: ReturnType<typeof seeded>,
  placeOf: (k: number, vendors: number) => number | null): Promise<void> {
  const { data } = await season.staff.get(`${API}/vendors?division=US&per_page=100`);
  const vendors = (data as Body[]).filter((one) => !one.name.endsWith(TAX_OFFICE));
  const { data: choices } = await season.staff.get(`${BILLS}/choices?division=US&on=${day}`);
  const account = choices.accounts.find((one: Body) => one.code === '6200').id;
  for (const [k, vendor] of vendors.entries()) {
    const place = placeOf(k, vendors.length);
    if (place === null) continue;
    await enter(season, { vendor_id: vendor.id, division: 'US', currency: 'USD', billed_on: day,
      vendor_number: `${day.slice(2, 7).replace('-', '')}-${100 + k}`, memo: '', duplicate_confirmed: true,
      lines: [{ ledger_account_id: account, description: WORDS[k % WORDS.length], net_minor: random.int(80, 900)
        * 100 }] }, place);
  }
}

/** The accountants bill the same every month: the first is approved, the last is still a draft. A premium is paused. */
export function planRecurringBills(season: SeasonContext): void {
  const { staff, second, calendar, today } = season;
  const from = addDays(today, -34);
  const schedules = `${API}/accounting/bill_schedules`;
  calendar.add(from, async () => {
    const { data: vendors } = await staff.get(`${API}/vendors?division=US&per_page=100&search=ledger`);
    const { data: choices } = await staff.get(`${BILLS}/choices?division=US&on=${from}`);
    const line = { ledger_account_id: choices.accounts.find((one: Body) => one.code === '6200').id };
    const shared = { vendor_id: vendors[0].id, division: 'US', currency: 'USD', every_count: 1 };
    await staff.post(schedules, { ...shared, name: 'Bookkeeping', every_unit: 'month', starts_on: from,
      memo: 'Bookkeeping', lines: [{ ...line, description: 'Bookkeeping of the month', net_minor: 85_000 }] });
    const { data: premium } = await staff.post(schedules, { ...shared, name: 'Insurance of the warehouse',
      every_unit: 'year', starts_on: addDays(today, 60), memo: 'Paused until the new policy is signed',
      lines: [{ ...line, description: 'Premium of the year', net_minor: 420_000 }] });
    await staff.put(`${schedules}/${premium.id}/pause`, { version: premium.version });
  });
  for (const day of [from, addMonths(from, 1)].filter((one) => one <= today)) {
    calendar.add(day, async () => {
      await makeRecurringBills(season.ports);
      const { data: drafts } = await staff.get(`${BILLS}?state=draft&search=Bookkeeping&billed_from=${day}`);
      const [draft] = day === from ? drafts as Body[] : [];
      if (draft) await step(second, await step(staff, draft, 'submit'), 'approve');
    });
  }
}

/** By the place of the vendor: a draft, one that waits, one on hold, one void, a credit; the others are approved. */
export async function enter(season: SeasonContext, bill: Body, k: number): Promise<void> {
  const { staff, second } = season;
  const { data: draft } = await staff.post(BILLS, bill);
  if (k === 3) return;
  const submitted = await step(staff, draft, 'submit');
  if (k === 5) return;
  if (k === 7) {
    await step(staff, submitted, 'hold', { reason: 'Fewer copies arrived than were billed' });
    return;
  }
  const approved = await step(second, submitted, 'approve');
  if (k === 9) await step(second, approved, 'void', { reason: 'Billed twice', on: bill.billed_on });
  if (k === 0 || k === 2) await payByCard(season, approved, k === 0);
  if (k !== 1) return;
  const { data: credit } = await staff.post(BILLS, { ...bill, kind: 'credit', vendor_number: `${bill.vendor_number}-C`,
    lines: [{ ...bill.lines[0], description: 'Misprinted sheets', net_minor: 2_500 }] });
  const given = await step(second, await step(staff, credit, 'submit'), 'approve');
  await second.post(`${BILLS}/${approved.id}/credits`, { credit_id: given.id, amount_minor: 2_500 });
}

async function step(who: DemoClient, bill: Body, name: string, more: object = {}): Promise<Body> {
  return (await who.put(`${BILLS}/${bill.id}/${name}`, { version: bill.version, ...more })).data;
}

/** The bills of the last month: one is posted on the day of the charge, the other waits for its approval. */
async function payByCard({ staff, second, today, calendar }: SeasonContext, bill: Body, isPosted: boolean):
Promise<void> {
  if (bill.billed_on < addDays(today, -EVERY_DAYS)) return;
  const books = `${API}/accounting`;
  const { data: accounts } = await staff.get(`${books}/bank_accounts?open=true&division=US&currency=USD`);
  const bank_account_id = (accounts as Body[])[0]!.id;
  const { data: { payee } } = await staff.get(`${books}/accounts_payable/payments/payables?bank_account_id=${
    bank_account_id}&party_type=vendor&party_id=${bill.vendor_id}&method=card`);
  const item = (payee.items as Body[]).find((one) => one.document_id === bill.id)!;
  const on = addDays(today, -CHARGED);
  const { data: payment } = await staff.post(`${books}/accounts_payable/payments`, { bank_account_id, method: 'card',
    party_type: 'vendor', party_id: bill.vendor_id, on, memo: 'Company card',
    parts: [{ open_item_id: item.open_item_id, amount_minor: item.amount_minor }] });
  if (!isPosted) return;
  const path = `${books}/payments/${payment.id}/status`;
  const { data: approved } = await second.put(path, { status: 'approved', version: payment.version });
  calendar.add(on, async () => {
    await staff.put(path, { status: 'posted', version: approved.version, on, reference: 'Card 4711' });
  });
}
