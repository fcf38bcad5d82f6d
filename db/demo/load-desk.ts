/**
 * Desk work besides quotes and payments: memos, letters to customers, saved views, an invoice that nobody will pay, one
 * that billed too much, a week that was reported twice, and a correction for a royaltor.
 */
import { addDays } from '#kernel/calendar/calendar.ts';
import type { Body, DemoClient } from './client.ts';
import { SCAN, type SeasonContext } from './load-licenses.ts';
import { DEMO_PEOPLE } from './people.ts';

const API = '/api/admin/staff';
const INVOICES = `${API}/invoices?kind=invoice&per_page=100`;
/** Days before the season's last one. */
const WRITTEN_OFF = 21;
const CREDITED = 16;
const REFUNDED = 13;
const CORRECTED = 120;
/** Of an invoice: what was billed for a performance that was called off. */
const CALLED_OFF_PART = 4;
const CORRECTION_MINOR = 12_500;
const LATE_SALES_MINOR = 31_200;
/** Houses whose people can sign in (README). */
const SIGNS_IN = new Set(DEMO_PEOPLE.flatMap((person) => person.customer?.name ?? []));

export function planDesk(season: SeasonContext): void {
  const on = (days: number, run: () => Promise<void>): void => season.calendar.add(addDays(season.today, -days), run);
  on(CORRECTED, () => correctRoyalties(season));
  on(WRITTEN_OFF, () => writeOff(season));
  on(CREDITED, () => credit(season));
  on(0, () => reportTwice(season));
  on(0, () => readOpeningBalances(season));
}

/** The former books of the production office, read and not posted: one account of theirs is not in our chart. */
async function readOpeningBalances({ staff, today }: SeasonContext): Promise<void> {
  const rows = ['Account,Name,Debit,Credit', '1200,Scores and parts,1840.00,', '6950,Petty cash,60.00,',
    '3100,Retained earnings,,1900.00'];
  await staff.post(`${API}/accounting/opening_balances`, undefined, { file: { field: 'file',
    name: 'Production trial balance.csv', type: 'text/csv',
    fields: { division: 'PROD', kind: 'ledger', as_of: addDays(today, -1) },
    content: Buffer.from(rows.join('\n')) } });
}

/** A company sends a week a second time with the late sales: it is held until somebody answers. */
async function reportTwice({ staff, portals }: SeasonContext): Promise<void> {
  const { data } = await staff.get(
    `${API}/box_office_reports?status=accepted&sort_by=period_to&sort_direction=desc&per_page=100`);
  const weeks = (data as Body[]).filter((one) => one.scope === 'week' && one.gross_minor > 0 && !one.asks_running_costs
    && portals.has(one.customer_name));
  const first = weeks.find((one) => SIGNS_IN.has(one.customer_name)) ?? weeks[0];
  if (!first) return;
  const { client, name } = portals.get(first.customer_name)!;
  await client.post(`/api/customers/${first.customer_id}/licenses/${first.license_id}/box_office_reports`, {
    license_venue_id: first.license_venue_id, scope: first.scope, period_from: first.period_from,
    period_to: first.period_to, currency: first.currency, gross_minor: first.gross_minor + LATE_SALES_MINOR,
    performances_held: first.performances_held, paid_admissions: first.paid_admissions, certified_name: name });
}

/** The oldest invoice that nobody has paid. */
async function writeOff({ staff }: SeasonContext): Promise<void> {
  const { data } = await staff.get(`${INVOICES}&due=overdue`);
  const [oldest] = (data as Body[]).toSorted((a, b) => String(a.due_on).localeCompare(b.due_on));
  if (!oldest) return;
  await staff.post(`${API}/invoices/${oldest.id}/write_off`, { amount_minor: oldest.balance_minor,
    reason: 'The company was wound up; nothing is left for its creditors.' });
}

/** A performance that was paid and called off: credited, and the money sent back by two people. */
async function credit(season: SeasonContext): Promise<void> {
  const { staff, second, today, calendar } = season;
  const { data } = await staff.get(`${INVOICES}&division=US&status=paid`);
  const invoice = (data as Body[]).find((one) => one.prepaid_minor === 0 && one.credited_minor === 0);
  if (!invoice) return;
  const { data: { items } } = await staff.get(`${API}/invoices/${invoice.id}`);
  const item = (items as Body[]).find((one) => one.net_minor > 0)!;
  await staff.post(`${API}/invoices/${invoice.id}/credit_notes`, { reason: 'A performance was called off.',
    lines: [{ invoice_item_id: item.id, amount_minor: Math.round(item.net_minor / CALLED_OFF_PART) }] });
  const { data: onAccount } = await staff.get(
    `${API}/accounting/payments?customer_id=${invoice.customer_id}&unapplied=true&direction=in&per_page=100`);
  const source = (onAccount as Body[]).find((one) => one.currency === invoice.currency)!;
  const { data: refund } = await staff.post(`${API}/accounting/payments/${source.id}/refund`, {
    amount_minor: Math.ceil(source.unapplied_minor / 2), reason: 'Credited: the customer asked for the money back.' });
  const path = `${API}/accounting/payments/${refund.id}/status`;
  const { data: approved } = await second.put(path, { status: 'approved', version: refund.version });
  const paidOn = addDays(today, -REFUNDED);
  calendar.add(paidOn, async () => {
    await staff.put(path, { status: 'posted', version: approved.version, on: paidOn });
  });
  await payByRun(season, source);
}

/** The rest of the money goes back by check, in a payment run that waits for its approval. */
async function payByRun({ staff, second, today }: SeasonContext, source: Body): Promise<void> {
  const rest = Math.floor(source.unapplied_minor / 2);
  if (rest === 0) return;
  const { data: refund } = await staff.post(`${API}/accounting/payments/${source.id}/refund`, { amount_minor: rest,
    reason: 'The rest of the credit, by check.' });
  await second.put(`${API}/accounting/payments/${refund.id}/status`, { status: 'approved', version: refund.version });
  const { data: accounts } = await staff.get(`${API}/accounting/bank_accounts?open=true&division=US&currency=USD`);
  await staff.post(`${API}/accounting/payment_runs`, { bank_account_id: (accounts as Body[])[0]!.id, method: 'check',
    due_by: today, value_on: addDays(today, 3), refund_ids: [refund.id], memo: 'Refunds of the month' });
}

/** Items a statement left out, entered by one person and approved by another; the next statement carries them. */
async function correctRoyalties({ staff, second, today, works }: SeasonContext): Promise<void> {
  const { data } = await staff.get(`${API}/show_royaltors?show_id=${works.get('PIRATES')!.id}`);
  const [agreement] = data as Body[];
  const { data: correction } = await staff.post(`${API}/royalty_adjustments`, { show_royaltor_id: agreement.id,
    amount_minor: CORRECTION_MINOR, currency: agreement.currency, on_date: addDays(today, -CORRECTED),
    reason: 'Cast album, left out of the last statement' });
  await second.put(`${API}/royalty_adjustments/${correction.id}/approve`);
}

const VIEWS = [
  { page_key: '/admin/quotes', name: 'Waiting for signature', search: { phase: 'sent' }, shared: true },
  { page_key: '/admin/customers', name: 'Schools', search: { search: 'school' }, shared: false },
] as const;

/** Two conversations: one answered, with a file, and one that waits for an answer. */
async function talk(
  staff: DemoClient, client: DemoClient, customerId: number, licenses: readonly Body[],
): Promise<void> {
  const [first, second] = licenses.filter((license) => license.phase !== 'draft');
  const own = (license: Body) => `/api/customers/${customerId}/licenses/${license.id}/messages`;
  const plan = await client.post(`${own(first)}/files`, {}, { file: { field: 'file', name: 'loading-dock.txt',
    type: 'text/plain', fields: {}, content: Buffer.from('Dock on 31st Street, 8 AM to 4 PM. Ask for Marco.\n') } });
  await client.post(own(first), { file_ids: [plan.data.id],
    body: 'Could the parts come to our loading dock instead of the office? The hours are in the file.' });
  await staff.post(`${API}/licenses/${first.id}/messages`, { body: 'Yes, we have changed the delivery note. You will '
    + 'get the tracking number when the parcel leaves.' });
  if (second) {
    await client.post(own(second), {
      body: 'Our director would like to move the intermission. Is that a change to the text?' });
  }
}

/** Notes between colleagues and to customers, and the views that a person keeps. */
export async function writeNotes({ staff, portals, houses, today }: SeasonContext): Promise<void> {
  for (const view of VIEWS) await staff.post('/api/users/me/views', view);
  const name = 'Astoria Community Players';
  const { id } = houses.get(name)!;
  const { data } = await staff.get(`${API}/licenses?customer_id=${id}&per_page=100`);
  const [license] = data as Body[];
  const memo = (body: string, internal: boolean) =>
    staff.post(`${API}/licenses/${license.id}/memos`, { body, internal });
  await memo('Called their producer: they may add a Sunday matinee. The price stays as quoted.', true);
  await memo('The rehearsal scores leave our library two months before you open.', false);
  await staff.post(`${API}/customers/${id}/messages`, { subject: 'Your season with us',
    recipients: ['accounts@astoriaplayers.example'],
    body: `Dear ${portals.get(name)!.name},\n\nThank you for playing with us again. If your dates change, tell us here `
      + 'and we will send a new offer.\n\nEleanor' });
  const college = houses.get('Fairmount College')!;
  await portals.get(college.name)!.client.post(`/api/customers/${college.id}/details`, {
    legal_name: 'Trustees of Fairmount College', phone: '+1 518 555 0142' });
  const operetta = houses.get('Bay Area Operetta')!;
  await portals.get(operetta.name)!.client.post(`/api/customers/${operetta.id}/exemption_certificates`, {}, {
    file: { field: 'file', name: 'certificate.pdf', type: 'application/pdf', content: SCAN, fields: {
      jurisdiction: 'US-CA', number: 'CA-204417', kind: 'nonprofit', valid_from: addDays(today, -40),
      expires_on: addDays(today, 325) } } });
  await talk(staff, portals.get(name)!.client, id, data as Body[]);
}
