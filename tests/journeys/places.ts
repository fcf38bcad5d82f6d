/** Real addresses: fills `:venueId` and its like with ids of the demo season, found through the API. */
import { createHash } from 'node:crypto';
import type { PageRow } from '#kit/page.ts';
import { DEMO_CUSTOMERS } from '#db/demo/houses.ts';
import type { Body, Visitor } from './visitor.ts';

const STAFF = '/api/admin/staff';
/** Ids found so far in an address: a document is one of the licence named before it. */
type Ids = Record<string, number | string>;
type Find = (ids: Ids) => Promise<number | string>;

async function first(staff: Visitor, path: string, fits: (row: Body) => boolean = () => true): Promise<Body> {
  const { data } = await staff.get(path);
  const row = (data as Body[]).find(fits);
  if (!row) throw new Error(`The season has nothing at ${path}`);
  return row;
}

/** The house of the signed-in customer. */
async function houseOf(staff: Visitor): Promise<number> {
  return (await first(staff, `${STAFF}/customers?search=Astoria`)).id;
}

/** An application like the ones customers hand in, for the same nights a year ahead. */
async function makeApplication(staff: Visitor): Promise<Body> {
  const astoria = DEMO_CUSTOMERS.find((customer) => customer.name === 'Astoria Community Players')!;
  const show = await first(staff, `${STAFF}/plays`);
  const venue = await first(staff, `${STAFF}/venues?search=${encodeURIComponent(astoria.venues[0]!.name)}`);
  const year = new Date().getFullYear() + 1;
  const { data } = await staff.send('POST', `${STAFF}/license_applications`, {
    customer_id: await houseOf(staff), show_ids: [show.id], division: astoria.division, category: 'Amateur',
    producing_organisation: astoria.name, submit: true,
    license_venues: [{ venue_id: venue.id, ticketing: astoria.venues[0]!.tickets,
      performances: ['04-09', '04-10'].map((day) => ({ local_date: `${year}-${day}`, local_time: '19:30' })) }],
  });
  return data;
}

async function makeImport(staff: Visitor): Promise<Body> {
  const template = await first(staff, `${STAFF}/import_templates?model_name=box_office_reports`);
  const file = 'Show,Venue,Period from,Period to,Gross,Currency\n'
    + 'No such show,Nowhere,2026-01-01,2026-01-07,100.00,USD\n';
  const { data } = await staff.upload(`${STAFF}/imports`, { import_template_id: String(template.id),
    file: { name: 'returns.csv', mimeType: 'text/csv', buffer: Buffer.from(file) } });
  return data;
}

/** A statement of two lines for the first bank account. */
async function makeStatement(staff: Visitor): Promise<Body> {
  const account = await first(staff, `${STAFF}/accounting/bank_accounts?open=true`);
  const file = Buffer.from('!Type:Bank\nD2026-01-02\nT100.00\nPPlayers\n^\nD2026-01-03\nT-2.50\nPFee\n^\n');
  const { data } = await staff.upload(`${STAFF}/accounting/bank_statements`, { bank_account_id: String(account.id),
    sha256: createHash('sha256').update(file).digest('hex'),
    file: { name: 'january.qif', mimeType: 'text/plain', buffer: file } });
  return { id: data.statement_ids[0] };
}

/** A rule, made where there is none. */
async function bankRule(staff: Visitor): Promise<number> {
  const path = `${STAFF}/accounting/bank_rules`;
  const { id } = await firstOrMade(staff, path, async () => {
    const fees = await first(staff, `${STAFF}/accounting/ledger_accounts?division=US&search=6100`);
    return (await staff.send('POST', path, { name: 'Bank fees', division: 'US', kind: 'entry',
      ledger_account_id: fees.id, conditions: [{ field: 'text', operator: 'contains', value: 'fee' }] })).data;
  });
  return id;
}

/** The latest line of the banks, else an entry by hand on the first account. */
async function bankTransaction(staff: Visitor): Promise<number> {
  const path = `${STAFF}/accounting/bank_transactions`;
  const { id } = await firstOrMade(staff, path, async () => {
    const account = await first(staff, `${STAFF}/accounting/bank_accounts?open=true`);
    return (await staff.send('POST', path, { bank_account_id: account.id, booked_on: '2026-01-05',
      amount_minor: -1_250, name: 'Harbor National Bank', memo: 'Monthly fee' })).data;
  });
  return id;
}

/** A reconciliation of the first account, through the day of an early statement. */
async function makeReconciliation(staff: Visitor): Promise<Body> {
  const account = await first(staff, `${STAFF}/accounting/bank_accounts?open=true`);
  const { data } = await staff.send('POST', `${STAFF}/accounting/reconciliations`, { bank_account_id: account.id,
    to_on: '2026-01-31', closing_minor: 0 });
  return data;
}

/** A slip over a check of the house that the journeys are about. */
async function makeDepositSlip(staff: Visitor): Promise<Body> {
  const account = await first(staff, `${STAFF}/accounting/bank_accounts?open=true&division=US&currency=USD`);
  const { data: receipt } = await staff.send('POST', `${STAFF}/accounting/payments`, { division: 'US', currency: 'USD',
    customer_id: await houseOf(staff), amount_minor: 4_700, method: 'check', received_on: '2026-01-02',
    reference: 'Check 1207', duplicate_confirmed: true });
  const { data } = await staff.send('POST', `${STAFF}/accounting/deposit_slips`, { bank_account_id: account.id,
    deposited_on: '2026-01-05', payment_ids: [receipt.id] });
  return data;
}

/** A form of the house that was spoiled: it has a number and a page. */
async function makeCheck(staff: Visitor): Promise<Body> {
  const path = `${STAFF}/accounting/bank_accounts`;
  const account = await first(staff, `${path}?open=true&division=US&currency=USD`);
  const checks = `${STAFF}/accounting/checks`;
  const { data: next } = await staff.get(`${checks}/next-check-number?bank_account_id=${account.id}`);
  if (next.next_check_number === null) {
    await staff.send('PUT', `${path}/${account.id}`, { next_check_number: 1_001, version: account.version });
  }
  await staff.send('POST', `${checks}/skip`, { bank_account_id: account.id, reason: 'Torn',
    through_number: next.next_check_number ?? '1001' });
  return first(staff, checks);
}

/** A material of the show in the address; of the first play elsewhere. */
async function makeMaterial(staff: Visitor, showId: number | string | undefined): Promise<Body> {
  const show = showId === undefined ? (await staff.get(`${STAFF}/plays`)).data[0]
    : (await staff.get(`${STAFF}/shows/${showId}`)).data;
  const { data } = await staff.send('POST', `${STAFF}/materials`, { item_number: `${show.show_code}-JOURNEY`,
    name: 'Prompt book', show_code: show.show_code, category: 'scripts', type: 'rental' });
  return data;
}

async function makeTemplate(staff: Visitor, showId: number | string | undefined): Promise<Body> {
  const path = showId === undefined ? 'plays' : `shows/${showId}`;
  const { data: found } = await staff.get(`${STAFF}/${path}`);
  const show = showId === undefined ? found[0] : found;
  const { data } = await staff.send('POST', `${STAFF}/bom_templates`, { name: 'Standard set', show_code: show.show_code,
    category: 'Amateur', lines: [] });
  return data;
}

const addOn = (show_id: number | string): object => ({ show_id, name: 'Rehearsal tracks', key: 'rehearsal_tracks',
  kind: 'rehearsal_tracks', price_usd_minor: 15_000 });

/** The statements of the American authors, for all there is until today. */
async function makeRun(staff: Visitor): Promise<Body> {
  const today = new Date().toISOString().slice(0, 10);
  const { data } = await staff.send('POST', `${STAFF}/royalty_statement_runs`, {
    division: 'US', currency: 'USD', period_from: `${Number(today.slice(0, 4)) - 2}-01-01`, period_to: today });
  return data;
}

/** A venue is made active that is so already: a report, and nothing else. */
async function makeBulkRun(staff: Visitor): Promise<Body> {
  const venue = await first(staff, `${STAFF}/venues`);
  const { data } = await staff.send('POST', `${STAFF}/bulk`, { endpoint: 'PUT /api/admin/staff/venues/{id}',
    body: { active: true }, ids: [venue.id] });
  return { record_id: data.id };
}

/** Returns the first record, or creates it once where the season has none. */
async function firstOrMade(staff: Visitor, path: string, make: () => Promise<Body>): Promise<Body> {
  const { data } = await staff.get(path);
  return data[0] ?? make();
}

const anyOr = (staff: Visitor, path: string, make: (staff: Visitor) => Promise<Body>) => async (): Promise<number> =>
  (await firstOrMade(staff, `${STAFF}/${path}`, () => make(staff))).id;

/** The first deposit of the first license, else one that is asked for. */
async function depositOf(staff: Visitor, ofCustomer: string): Promise<number> {
  const { id: license } = await first(staff, `${STAFF}/licenses?${ofCustomer}per_page=100`,
    (row) => row.license_number !== null);
  const path = `${STAFF}/licenses/${license}/deposits`;
  const make = async (): Promise<Body> => (await staff.send('POST', path, { amount_minor: 10_000 })).data;
  return (await firstOrMade(staff, path, make)).id;
}

/** Asked for in a division that has balances in other currencies. */
async function makeRevaluation(staff: Visitor): Promise<Body> {
  const path = `${STAFF}/accounting/revaluations`;
  for (const division of ['EU', 'UK', 'US', 'PROD']) {
    const { data } = await staff.get(`${path}/preview?division=${division}`);
    if (data.missing.length > 0 || data.lines.every((line: Body) => line.gain_minor === 0)) continue;
    return (await staff.send('POST', path, { division, on: data.on })).data;
  }
  throw new Error('The season has no balance in another currency');
}

/** A draft of the first vendor. */
async function makeBill(staff: Visitor): Promise<Body> {
  const vendor = await first(staff, `${STAFF}/vendors`);
  const { data: choices } = await staff.get(`${STAFF}/accounting/bills/choices?division=US&on=2026-01-05`);
  const { data } = await staff.send('POST', `${STAFF}/accounting/bills`, { vendor_id: vendor.id, division: 'US',
    currency: 'USD', billed_on: new Date().toISOString().slice(0, 10), vendor_number: 'J-1',
    lines: [{ ledger_account_id: choices.accounts[0].id, description: 'Paper', net_minor: 12_500 }] });
  return data;
}

/** Paper from the first vendor every month, from the first of January to come. */
async function makeBillSchedule(staff: Visitor): Promise<Body> {
  const vendor = await first(staff, `${STAFF}/vendors?active=true`);
  const { data: choices } = await staff.get(`${STAFF}/accounting/bills/choices?division=US&on=2026-01-05`);
  const { data } = await staff.send('POST', `${STAFF}/accounting/bill_schedules`, { name: 'Paper', vendor_id: vendor.id,
    division: 'US', currency: 'USD', every_count: 1, every_unit: 'month',
    starts_on: `${new Date().getUTCFullYear() + 1}-01-01`,
    lines: [{ ledger_account_id: choices.accounts[0].id, description: 'Paper', net_minor: 12_500 }] });
  return data;
}

/** A file of next numbers, read and not posted. */
async function makeOpeningSet(staff: Visitor): Promise<Body> {
  const { data } = await staff.upload(`${STAFF}/accounting/opening_balances`, { division: 'PROD',
    kind: 'next_numbers', as_of: new Date(Date.now() - 86_400_000).toISOString().slice(0, 10),
    file: { name: 'numbers.csv', mimeType: 'text/csv',
      buffer: Buffer.from('Series,Year,Next number\nInvoice,2031,501\n') } });
  return data;
}

/** A shared cost that US has paid for Production, waiting for a second person. */
async function makeIntercompany(staff: Visitor): Promise<Body> {
  const account = async (division: string): Promise<number> =>
    (await first(staff, `${STAFF}/accounting/ledger_accounts?division=${division}&search=6200`)).id;
  const { data } = await staff.send('POST', `${STAFF}/accounting/intercompany_entries`, { creditor: 'US',
    debtor: 'PROD', currency: 'USD', dated_on: new Date(Date.now() - 86_400_000).toISOString().slice(0, 10),
    amount_minor: 25_000, creditor_account_id: await account('US'), debtor_account_id: await account('PROD'),
    description: 'Share of insurance' });
  return data;
}

const ofBooks = (staff: Visitor): Record<string, Find> => ({
  bankTransactionId: () => bankTransaction(staff),
  reconciliationId: anyOr(staff, 'accounting/reconciliations', makeReconciliation),
  depositSlipId: anyOr(staff, 'accounting/deposit_slips', makeDepositSlip),
  checkId: anyOr(staff, 'accounting/checks', makeCheck),
  setId: anyOr(staff, 'accounting/opening_balances', makeOpeningSet),
  revaluationId: anyOr(staff, 'accounting/revaluations', makeRevaluation),
  intercompanyEntryId: anyOr(staff, 'accounting/intercompany_entries', makeIntercompany),
  billScheduleId: anyOr(staff, 'accounting/bill_schedules', makeBillSchedule),
});

/** Of the bank, or of a royaltor. */
const statementOf = (staff: Visitor, page: PageRow): Find => (page.path.includes('/banking/')
  ? anyOr(staff, 'accounting/bank_statements', makeStatement)
  : async () => (await firstOrMade(staff, `${STAFF}/royalty_statements`,
    async () => (await makeRun(staff)).statements[0])).id);

/** A receipt, or a payment out: a disputed payment stands among the receipts and is no document of ours. */
const paymentOf = (staff: Visitor, page: PageRow): Find => async () => (page.path.includes('receivable')
  ? receiptOf(staff, '') : (await first(staff, `${STAFF}/accounting/accounts_payable/payments`)).id);

async function receiptOf(staff: Visitor, ofCustomer: string): Promise<number> {
  return (await first(staff, `${STAFF}/accounting/accounts_receivable/payments?${ofCustomer}`,
    (row) => row.kind === 'receipt')).id;
}

/** Finders by name of the parameter; a name that is missing here fails its page's test and says so. */
function findersOf(staff: Visitor, page: PageRow): Record<string, Find> {
  const any = (path: string) => async (): Promise<number> => (await first(staff, `${STAFF}/${path}`)).id;
  const family = page.path.includes('/musicals') ? 'musicals' : 'plays';
  const ofCustomer = ({ customerId }: Ids): string => customerId === undefined ? '' : `customer_id=${customerId}&`;
  return {
    customerId: () => houseOf(staff),
    userId: async ({ customerId }) => (await first(staff, `${STAFF}/customers/${customerId}/users`)).id,
    // One's own: what somebody hears of opens for nobody else.
    staffId: async () => (await staff.get('/api/users/me')).data.id,
    venueId: any('venues'),
    teamId: any('teams'),
    groupId: any('groups'),
    classificationId: any('customer_classifications'),
    transactionId: any('accounting/transactions'),
    ledgerAccountId: any('accounting/ledger_accounts'),
    ledgerHeaderId: any('accounting/ledger_headers'),
    paymentId: paymentOf(staff, page), receiptId: (ids) => receiptOf(staff, ofCustomer(ids)),
    paymentRunId: any('accounting/payment_runs'),
    batchId: any('accounting/royalty_payment_batches'), reportId: any('box_office_reports'),
    runId: async () => (await firstOrMade(staff, `${STAFF}/royalty_statement_runs`, () => makeRun(staff))).id,
    statementId: statementOf(staff, page),
    id: any(family),
    showId: any('plays'),
    showCode: async () => (await first(staff, `${STAFF}/plays`)).show_code,
    quoteId: any('licenses?phase=sent'),
    token: async () => 'no-such-token-any-more',
    importId: async () => (await firstOrMade(staff, `${STAFF}/imports`, () => makeImport(staff))).id,
    bulkRunId: async () => (await firstOrMade(staff, '/api/jobs?kind=bulk', () => makeBulkRun(staff))).record_id,
    applicationId: async (ids) => (await firstOrMade(staff, `${STAFF}/license_applications?${ofCustomer(ids)}`,
      () => makeApplication(staff))).id,
    materialId: async ({ id }) => {
      const code = id === undefined ? '' : `?show_code=${(await staff.get(`${STAFF}/shows/${id}`)).data.show_code}`;
      return (await firstOrMade(staff, `${STAFF}/materials${code}`, () => makeMaterial(staff, id))).id;
    },
    key: async () => 'libretto',
    vendorId: any('vendors'),
    bankId: any('accounting/banks'),
    bankAccountId: any('accounting/bank_accounts'),
    ...ofBooks(staff), bankRuleId: () => bankRule(staff),
    warehouseId: any('warehouses'), salesItemId: any('sales_items'),
    salesOrderId: any('sales_orders'),
    // Of the shop of the portal: the staff's list says which it made.
    orderId: async (ids) => (await first(staff, `${STAFF}/sales_orders?${ofCustomer(ids)}kind=book_order&per_page=100`,
      (row) => row.from_portal)).id,
    // In the portal one that can be read: the page that matters is the reader.
    perusalId: async (ids) => (await first(staff, `${STAFF}/perusals?${ofCustomer(ids)}${
      ids.customerId === undefined ? '' : 'status=active'}`)).id,
    addOnId: async ({ id }) => (id === undefined ? await first(staff, `${STAFF}/add_ons`)
      : await firstOrMade(staff, `${STAFF}/add_ons?show_id=${id}`,
        async () => (await staff.send('POST', `${STAFF}/add_ons`, addOn(id))).data)).id,
    bomTemplateId: async () => (await firstOrMade(staff, `${STAFF}/bom_templates`,
      () => makeTemplate(staff, undefined))).id,
    contractTemplateId: any('contract_templates'),
    bomId: async ({ id }) => {
      const { show_code: code } = (await staff.get(`${STAFF}/shows/${id}`)).data;
      return (await firstOrMade(staff, `${STAFF}/bom_templates?show_code=${code}`, () => makeTemplate(staff, id))).id;
    },
    royaltorId: async ({ id }) => id === undefined ? (await first(staff, `${STAFF}/royaltors`)).id
      : (await first(staff, `${STAFF}/show_royaltors?show_id=${id}`)).id,
    productionId: async (ids) => (await first(staff, `${STAFF}/licenses?${ofCustomer(ids)}per_page=100`,
      (row) => row.license_number !== null)).id,
    documentId: async ({ quoteId, productionId }) =>
      (await first(staff, `${STAFF}/licenses/${quoteId ?? productionId}/license_documents`)).id,
    depositId: (ids) => depositOf(staff, ofCustomer(ids)),
    billId: anyOr(staff, 'accounting/bills', makeBill),
    invoiceId: async (ids) => page.path.includes('accounts-payable')
      ? anyOr(staff, 'accounting/bills', makeBill)() : (await first(staff, `${STAFF}/invoices?${ofCustomer(ids)}${
      ids.productionId === undefined ? '' : `license_id=${ids.productionId}`}`)).id,
  };
}

/** The page's address with ids of things that are there; from the left, since later ids belong to earlier ones. */
export async function addressOf(staff: Visitor, page: PageRow): Promise<string> {
  const finders = findersOf(staff, page);
  const ids: Ids = {};
  for (const [, name = ''] of page.path.matchAll(/:(\w+)/g)) {
    const find = finders[name];
    if (!find) throw new Error(`No finder for :${name} of ${page.path}; add it in tests/journeys/places.ts`);
    ids[name] = await find(ids);
  }
  return page.path.replace(/:(\w+)/g, (_, name: string) => String(ids[name]));
}
