/** Each kind of paper with its address, and what has to stand on it by the records that it is about. */
import type { Division } from '#kernel/money/division.ts';
import type { Paper } from '#server/pdf.ts';
import type { Db } from '#server/db.ts';
import { sql, type Sql } from '#server/sql.ts';
import { dayOn, figure, priced, share, signed } from './paper-figures.ts';

const API = '/api/admin/staff';
const BOOKS = `${API}/accounting`;
const NEWEST = 3;

/** `within`: the name of the paper in the archive that the call answers. */
interface Proof { path: string; says: string[]; within?: string }
/** The newest papers of a division with what they say; none: the season has none, see `make` of the test. */
type Case = (db: Db, division: Division) => Promise<Proof[]>;
/** Rows of any query. */
// oxlint-disable-next-line no-explicit-any -- columns differ by paper
type Row = Record<string, any>;

const rows = (db: Db, query: Sql): Promise<Row[]> => db.query<Row>(query);

/** Name of the house, and the account it is paid on, as its division keeps them. */
async function houseOf(db: Db, division: Division): Promise<Row> {
  const [row] = await rows(db, sql`
    select d.*, (select r.number from tax_registrations r where r.division = d.code and r.scheme in ('vat', 'domestic')
      order by r.id limit 1) as vat from divisions d where d.code = ${division}`);
  return row!;
}

/** Papers frozen with a version of a licence: parties, days and every amount of the frozen offer. */
function ofOffer(type: string, more: (row: Row) => string[]): Case {
  return async (db, division) => (await rows(db, sql`
    select d.id, d.license_id, v.snapshot, v.reason, s.method, s.signer_name, s.signed_on, s.document_sha256,
      l.license_number, l.currency from license_documents d
      join licenses l on l.id = d.license_id join lateral (select * from license_versions v
        where v.license_id = l.id and (v.id = d.license_version_id
          or d.license_version_id is null and v.reason = 'offer')
        order by v.version_no desc limit 1) v on true
      left join signatures s on s.license_version_id = v.id and s.voided_at is null
    where d.origin = 'generate' and d.document_id is not null and d.type = ${type} and l.division = ${division}
      and d.status not in ('void', 'superseded') order by d.id desc limit ${NEWEST}`)).map((row) => ({
    path: `${API}/licenses/${row.license_id}/license_documents/${row.id}/file`,
    says: [row.snapshot.house.name, row.snapshot.customer.name, row.snapshot.title, row.snapshot.number,
      ...more({ ...row, division })],
  }));
}

/** The price of an offer: the sum of its lines, its tax and what they come to, each by the reader's own addition. */
function priceOf({ snapshot: offer }: Row): string[] {
  const net = offer.lines.reduce((all: number, line: Row) => all + line.net_minor, 0);
  const tax = offer.lines.reduce((all: number, line: Row) => all + line.tax_minor, 0);
  const promise = offer.promise ? [`Guaranteed ${offer.currency}, plus ${share(offer.promise.rate_ppm)} of gross ${
    figure(net + tax)}`] : [`Total ${offer.currency} ${figure(net + tax)}`];
  return [...promise, ...(tax === 0 ? [] : [`Subtotal ${figure(net)}`])];
}

const nights = ({ snapshot: offer, division }: Row): string[] =>
  offer.venues.flatMap((venue: Row) => [venue.name, ...venue.performances.map((one: Row) =>
    dayOn(division, one.local_date))]);

/** Instalments as planned, which come to the price with the deposits that are asked for beside it. */
const planOf = ({ snapshot: offer }: Row): string[] => offer.payment_plan.map((part: Row) => figure(part.amount_minor));

function firstAndLast({ snapshot: offer, division }: Row): string {
  const days = offer.venues.flatMap((venue: Row) => venue.performances.map((one: Row) => one.local_date)).sort();
  return days[0] === days.at(-1) ? dayOn(division, days[0])
    : `${dayOn(division, days[0])} to ${dayOn(division, days.at(-1))}`;
}

/** 'GB29 NWBK 6016 …' by fours, '60-16-13' by twos. */
const fours = (text: string): string => text.match(/.{1,4}/g)!.join(' ');
const twos = (text: string): string => text.match(/.{1,2}/g)!.join('-');

/** The account of the division with what to write; the address for checks where it has none. */
function accountOf(house: Row, reference: string): string[] {
  if (house.payee === null) return ['How to pay Paying by che', `write ${reference} on it`];
  const routing = house.payee_routing;
  return [`Payee ${house.payee}`, ...(house.payee_iban ? [`IBAN ${fours(house.payee_iban)}`] : []),
    ...(house.payee_bic ? [`BIC ${house.payee_bic}`] : []),
    ...(routing ? [routing.length === 9 ? `Routing number ${routing}` : `Sort code ${twos(routing)}`] : []),
    ...(house.payee_account ? [`Account number ${house.payee_account}`] : []), `Reference ${reference}`];
}

const TITLES = { invoice: ['Invoice', 'Tax invoice'], proforma: ['Pro forma invoice', 'Pro forma invoice'],
  credit_note: ['Credit memo', 'Credit note'] } as const;

/** Reason of the due day, as the reader of a pro forma or an invoice has to find it beside the day. */
function whyDue(division: Division, row: Row): string {
  if (row.kind === 'invoice') return row.days > 0 ? `, ${row.days} days after the date of the invoice` : '';
  if (row.due_on !== row.pay_by) return '';
  const reasons: Record<string, string> = { signed: ', 90 days after you signed',
    shipping: row.pay_by_ships_on && `, so that your materials can ship on ${dayOn(division, row.pay_by_ships_on)}`,
    soon: ', 7 days after you signed, so that your materials can ship right away',
    opening: ', the day before your first performance' };
  return reasons[row.pay_by_reason as string] ?? ', for no reason';
}

/** Quantity × each is each line, lines come to the total, less what was prepaid to what is due. */
function invoices(kind: keyof typeof TITLES): Case {
  return async (db, division) => {
    const house = await houseOf(db, division);
    const british = division === 'UK' || division === 'EU';
    const found = await rows(db, sql`
      select i.*, i.prepaid_net_minor + i.prepaid_tax_minor as prepaid_minor,
        coalesce(i.invoice_number, i.reference) as number, o.invoice_number as credits,
        l.pay_by, l.pay_by_reason, l.pay_by_ships_on, i.due_on - i.issued_on as days,
        (select json_agg(t order by t.id) from invoice_items t where t.invoice_id = i.id) as items
      from invoices i left join invoices o on o.id = i.credits_invoice_id
        left join licenses l on l.id = i.license_id
      where i.kind = ${kind} and i.division = ${division} and i.issued_on is not null
        and i.status <> 'void' order by i.prepaid_net_minor > 0 desc, i.tax_minor > 0 desc, i.id desc limit ${NEWEST}`);
    return found.map((row): Proof => {
      const sumOf = (name: string): number => row.items.reduce((all: number, item: Row) => all + Number(item[name]), 0);
      const [net, tax] = [row.items.reduce((all: number, item: Row) => all + item.quantity * item.unit_minor, 0),
        sumOf('tax_minor')];
      const paid = Number(row.prepaid_minor);
      const due = net + tax - paid;
      return { path: `${API}/invoices/${row.id}/document`, says: [
        TITLES[kind][british ? 1 : 0], house.legal_entity_name, row.billing_name,
        `${kind === 'proforma' ? 'Reference' : 'Number'} ${row.number}`, `Date ${dayOn(division, row.issued_on)}`,
        ...(kind === 'credit_note' ? [`Credits invoice ${row.credits}`, `Reason ${row.reason}`]
          : [`Due ${dayOn(division, row.due_on)}${whyDue(division, row)}`]),
        ...(kind === 'invoice' && british ? [`Tax point ${dayOn(division, row.tax_point_on)}`] : []),
        ...(row.division_vat_number && british ? [`Our VAT number ${row.division_vat_number}`] : []),
        ...row.items.map((item: Row) => [item.description, item.quantity, figure(item.unit_minor),
          figure(item.quantity * item.unit_minor), figure(item.tax_minor),
          figure(item.quantity * item.unit_minor + item.tax_minor)].join(' ')),
        `Total ${figure(net)} ${figure(tax)} ${priced(net + tax, row.currency)}`,
        ...(paid > 0 ? [`Less paid on account ${signed(Number(row.prepaid_tax_minor) - paid)} ${
          signed(-row.prepaid_tax_minor)} ${signed(-paid)}`,
        `Due ${figure(net - paid + Number(row.prepaid_tax_minor))} ${
          figure(tax - row.prepaid_tax_minor)} ${priced(due, row.currency)}`] : []),
        ...(kind === 'credit_note' || due <= 0 ? [] : accountOf(house, row.number)),
      ] };
    });
  };
}

const METHODS: Readonly<Record<string, readonly [string, string]>> = { card: ['Card', 'Card'], ach: ['ACH', 'ACH'],
  wire: ['Wire transfer', 'Wire transfer'], check: ['Check', 'Cheque'], bacs: ['BACS', 'BACS'], cash: ['Cash', 'Cash'],
  sepa: ['SEPA credit transfer', 'SEPA credit transfer'], set_off: ['Set-off', 'Set-off'] };

/** Invoices that were paid and the rest on account come to the amount received. */
function receipts(kind: Sql, more: (row: Row, house: Row) => string[]): Case {
  return async (db, division) => {
    const house = await houseOf(db, division);
    const found = await rows(db, sql`
      select p.*, coalesce(c.legal_name, c.name) as customer, c.vat_number, d.net_minor, d.vat_minor, d.kind as deposit,
        (select json_agg(json_build_object('number', number, 'minor', minor) order by id) from (
          select i.id, i.invoice_number as number, sum(a.amount_minor) as minor from payment_allocations a
            join invoices i on i.id = a.invoice_id where a.payment_id = p.id group by i.id
          having sum(a.amount_minor) > 0) x) as applied
      from payments p join customers c on c.id = p.customer_id left join deposits d on d.payment_id = p.id
      where p.direction = 'in' and p.posted_at is not null and p.division = ${division} and ${kind}
      order by p.method = 'check' desc, p.id desc limit ${NEWEST}`);
    return found.map((row) => {
      const applied = (row.applied ?? []) as Row[];
      const left = applied.reduce((all, one) => all - one.minor, Number(row.amount_minor));
      return { path: `${BOOKS}/payments/${row.id}/document`, says: [house.legal_entity_name, row.customer,
        `Number ${row.number}`, `Received on ${dayOn(division, row.paid_on)}`,
        `Amount ${priced(row.amount_minor, row.currency)}`,
        `Payment method ${METHODS[row.method]![division === 'UK' || division === 'EU' ? 1 : 0]}`,
        ...applied.map((one) => `${one.number} ${priced(one.minor, row.currency)}`),
        ...(applied.length > 0 && left > 0 ? [`On account ${priced(left, row.currency)}`] : []),
        ...more(row, house)] };
    });
  };
}

/** Balance of the customer's documents by the ledger. */
const accounts: Case = async (db, division) => {
  const house = await houseOf(db, division);
  return (await rows(db, sql`
    select c.id, c.number, coalesce(c.legal_name, c.name) as name, e.currency, sum(e.amount_minor)::bigint as balance
    from posted_entries e join ledger_accounts a on a.id = e.ledger_account_id and a.system_key = 'ar'
      join customers c on c.id = e.party_id and e.party_type = 'customer'
    where e.division = ${division} and c.default_division = ${division} and not e.is_revaluation
    group by 1, 4 order by abs(sum(e.amount_minor)) desc, c.id limit ${NEWEST}`)).map((row) => ({
    path: `${API}/customers/${row.id}/statement/document`, says: [house.legal_entity_name, row.name,
      `Account ${row.number}`, `Balance ${priced(row.balance, row.currency)}`,
      ...(Number(row.balance) > 0 ? accountOf(house, row.number) : [])],
  }));
};

/** Open items with the vendor, by the ledger. */
const vendors: Case = async (db, division) => {
  const house = await houseOf(db, division);
  return (await rows(db, sql`
    select v.id, v.number, coalesce(v.legal_name, v.name) as name, i.currency, sum(-i.open_minor)::bigint as open,
      json_agg(json_build_object('due_on', i.due_date, 'open', -i.open_minor)) as items
    from open_items i join vendors v on i.party_type = 'vendor' and i.party_id = v.id
    where i.division = ${division} and v.divisions[1] = ${division} and i.open_minor <> 0
    group by 1, 4 order by sum(i.open_minor), v.id limit ${NEWEST}`)).map((row) => ({
    path: `${BOOKS}/accounts_payable/vendors/${row.id}/statement/document`, says: [house.legal_entity_name, row.name,
      `Vendor ${row.number}`, `Balance ${priced(row.open, row.currency)}`,
      ...row.items.map((item: Row) => `${Number(item.open) > 0 ? `${dayOn(division, item.due_on)} ` : ''}${
        figure(item.open)}`)],
  }));
};

/** The documents that it settles come to the payment. */
const advice: Case = async (db, division) => {
  const house = await houseOf(db, division);
  return (await rows(db, sql`
    select p.*, coalesce(v.legal_name, v.name, r.legal_name, r.name, c.legal_name, c.name) as payee,
      (select json_agg(x.amount_minor) from payment_parts x where x.payment_id = p.id and x.state <> 'released')
        as parts
    from payments p left join vendors v on v.id = p.vendor_id left join royaltors r on r.id = p.royaltor_id
      left join customers c on c.id = p.customer_id
    where p.direction = 'out' and p.division = ${division} and p.status in ('posted', 'cleared') and (p.kind = 'refund'
      or exists (select 1 from payment_parts x where x.payment_id = p.id)
      or exists (select 1 from royalty_payment_conversions x where x.payment_id = p.id))
    order by p.method = 'check' desc, p.vendor_id is null, p.id desc limit ${NEWEST}`)).map((row) => ({
    path: `${BOOKS}/payments/${row.id}/remittance`, says: [house.legal_entity_name, row.payee,
      `Payment ${row.number}`, `Amount ${priced(row.amount_minor, row.currency)}`,
      `Paid by ${METHODS[row.method]![division === 'UK' || division === 'EU' ? 1 : 0]}`,
      ...((row.parts ?? []) as number[]).map((minor) => signed(minor)),
      priced(((row.parts ?? [Number(row.amount_minor) + Number(row.withheld_minor)]) as number[])
        .reduce((all, one) => all + one, -row.withheld_minor), row.currency)] }));
};

/** The lines become due, the steps come to the payment. */
const royalties: Case = async (db, division) => {
  const house = await houseOf(db, division);
  return (await rows(db, sql`
    select m.*, r.name as payee, (select json_agg(t) from royalty_statement_lines t
      where t.royalty_statement_id = m.id) as lines
    from royalty_statements m join royaltors r on r.id = m.royaltor_id
    where m.division = ${division} and m.number is not null and m.status <> 'void'
    order by m.self_billing_number is not null desc, m.payable_minor desc, m.id desc limit ${NEWEST}`)).map((row) => ({
    path: `${API}/royalty_statements/${row.id}/document`, says: [house.legal_entity_name, row.payee,
      `Royalty statement ${row.number}`,
      `Period ${dayOn(division, row.period_from)} to ${dayOn(division, row.period_to)}`,
      `Payment ${priced(row.payable_minor, row.currency)}`,
      ...((row.lines ?? []) as Row[]).map((line) => figure(line.amount_minor)),
      ...(row.self_billing_number ? [`Self-billing invoice ${row.self_billing_number}`] : [])],
  }));
};

function orders(type: string, title: string): Case {
  return async (db, division) => (await rows(db, sql`
    select o.*, c.name as customer, d.legal_entity_name as house, (select json_agg(t order by t.sort, t.id)
      from sales_order_lines t where t.sales_order_id = o.id and t.physical) as lines
    from sales_orders o join customers c on c.id = o.customer_id join divisions d on d.code = o.division
    where o.division = ${division} and (o.status in ('packed', 'shipped', 'released', 'picking', 'overdue'))
      and exists (select 1 from sales_order_lines t where t.sales_order_id = o.id and t.physical)
    order by o.shipped_on is not null desc, o.id desc limit ${NEWEST}`)).map((row) => ({
    path: `${API}/sales_orders/${row.id}/document?type=${type}`, says: [row.house, `${title} ${row.number}`,
      `Customer ${row.customer}`, ...(row.shipped_on ? [`Shipped on ${dayOn(division, row.shipped_on)}`] : []),
      ...((row.lines ?? []) as Row[]).flatMap((line) => {
        const packed = line.qty_picked + line.qty_shipped;
        const open = line.quantity - line.qty_cancelled - packed;
        return type === 'packing_list' ? (packed > 0 ? [`${line.description} ${packed}`] : [])
          : type === 'pick_list' && open > 0 ? [String(open)] : [];
      })] }));
}

const slips: Case = async (db, division) => (await rows(db, sql`
  select s.*, d.legal_entity_name as house, b.currency as money, n.name as bank, (select json_agg(p.amount_minor)
    from deposit_slip_items x join payments p on p.id = x.payment_id where x.deposit_slip_id = s.id and x.holds)
    as receipts
  from deposit_slips s join divisions d on d.code = s.division join bank_accounts b on b.id = s.bank_account_id
    join banks n on n.id = b.bank_id
  where s.division = ${division} and s.status <> 'discarded' order by s.id desc limit ${NEWEST}`)).map((row) => ({
  path: `${BOOKS}/deposit_slips/${row.id}/document`, says: [row.house, row.bank, `Deposit slip ${row.number}`,
    `Date ${dayOn(division, row.deposited_on)}`, ...(row.receipts as number[]).map((minor) => figure(minor)),
    `Total deposit ${priced((row.receipts as number[]).reduce((all, one) => all + one, 0), row.money)}`] }));

/** The balance of the bank, corrected by what is on its way, is that of the books. */
const reconciliations: Case = async (db, division) => (await rows(db, sql`
  select r.*, b.name as account, d.legal_entity_name as house from bank_reconciliations r
    join bank_accounts b on b.id = r.bank_account_id join divisions d on d.code = b.division
  where b.division = ${division} and r.status = 'finished' order by r.id desc limit ${NEWEST}`)).map((row) => ({
  path: `${BOOKS}/reconciliations/${row.id}/document`, says: [row.house, row.account,
    `As of ${dayOn(division, row.to_on)}`, `Balance per bank statement ${figure(row.closing_minor)}`,
    `Difference ${figure(0)}`] }));

/** Every account of the trial balance with its balance by the ledger. */
const statements: Case = async (db, division) => {
  const house = await houseOf(db, division);
  const to = new Date().toISOString().slice(0, 10);
  const balances = await rows(db, sql`
    select a.code, sum(e.base_amount_minor)::bigint as minor from posted_entries e
      join ledger_accounts a on a.id = e.ledger_account_id where e.division = ${division} and e.transaction_at <= ${to}
      and a.code between '1000' and '1999' group by 1 having sum(e.base_amount_minor) <> 0 order by 1`);
  return [{ path: `${BOOKS}/reports/statements/file?statement=trial_balance&division=${division}&to=${to}&format=pdf`,
    says: [house.legal_entity_name, dayOn(division, to), `Amounts in ${house.functional_currency}`,
      ...balances.flatMap((row) => [row.code, figure(Math.abs(row.minor))])] }];
};

/** The paper beside each table of the auditor's package: every balance of the month that ended last. */
const auditTables: Case = async (db, division) => {
  const house = await houseOf(db, division);
  const [month] = await rows(db, sql`
    select period, starts, ends from periods where division = ${division} and ends < current_date
      and period % 100 <= 12 order by period desc limit 1`);
  const balances = await rows(db, sql`
    select a.code, a.name, sum(e.base_amount_minor)::bigint as minor from posted_entries e
      join ledger_accounts a on a.id = e.ledger_account_id where e.division = ${division}
      and e.transaction_at <= ${month!.ends} and a.code between '1000' and '2999' group by 1, 2
    having sum(e.base_amount_minor) <> 0 order by 1`);
  return [{ path: `${BOOKS}/auditor_package?division=${division}&period=${month!.period}`, within: 'trial-balance.pdf',
    says: [house.legal_entity_name, `Amounts in ${house.functional_currency}`,
      `Period ${dayOn(division, month!.starts)} to ${dayOn(division, month!.ends)}`,
      ...balances.flatMap((row) => [row.code, figure(Math.abs(row.minor))])] }];
};

const checks: Case = async (db, division) => (await rows(db, sql`
  select k.*, p.amount_minor as paid from checks k join payments p on p.id = k.payment_id
  where k.division = ${division} and k.status = 'printed' order by k.id desc limit ${NEWEST}`)).map((row) => ({
  path: `${BOOKS}/checks/${row.id}/download`, says: [row.payee, dayOn(division, row.checked_on),
    `**${figure(row.paid)}`, `and ${String(row.paid % 100).padStart(2, '0')}/100`, String(row.check_number)] }));

/** Boxes as prepared, to the recipient by name. */
const yearEnds: Case = async (db, division) => (await rows(db, sql`
  select o.*, f.tax_year, d.legal_entity_name as house, d.functional_currency as money from year_end_forms o
    join year_end_filings f on f.id = o.filing_id join divisions d on d.code = f.division
  where f.division = ${division} order by o.id desc limit ${NEWEST}`)).map((row) => ({
  path: `${BOOKS}/year_end_forms/${row.id}/recipient_copy`, says: [row.house, row.name, String(row.tax_year),
    `Account number ${row.account}`, ...Object.values(row.boxes as Record<string, number>).filter((minor) => minor > 0)
      .map((minor) => priced(minor, row.money))] }));

export const CASES = {
  quote_letter: ofOffer('quote_letter', (row) => [...priceOf(row), ...planOf(row), firstAndLast(row),
    `until ${dayOn(row.division, row.snapshot.expires_on)}`]),
  production_contract: ofOffer('production_contract', (row) => [...priceOf(row), ...planOf(row), ...nights(row)]),
  amendment: ofOffer('amendment', (row) => [...nights(row), 'Price before and after', 'Difference']),
  signature_certificate: ofOffer('signed_contract', (row) => ['Certificate of signature',
    // A contract signed on paper is the scan that was uploaded.
    ...(row.reason === 'amendment' || row.method !== 'portal' ? [] : priceOf(row)),
    `Name ${row.signer_name}`, `SHA-256 of the signed file: ${row.document_sha256}`]),
  execution_certificate: ofOffer('execution_certificate', (row) => [row.license_number, firstAndLast(row),
    ...(row.signer_name ? [`${row.signer_name}`, dayOn(row.division, row.signed_on)] : [])]),
  invoice: invoices('invoice'), proforma: invoices('proforma'), credit_note: invoices('credit_note'),
  receipt: receipts(sql`coalesce(d.vat_minor, 0) = 0`, (row) => (row.deposit === 'security'
    ? ['Security deposit'] : [])),
  vat_receipt: receipts(sql`d.vat_minor > 0`, (row, house) => ['VAT receipt',
    `Net ${priced(row.net_minor, row.currency)}`,
    `VAT included ${priced(row.vat_minor, row.currency)}`, `VAT rate ${
      share(Math.round(row.vat_minor / row.net_minor * 1_000) * 1_000)}`, `Our VAT number ${house.vat}`,
    ...(row.vat_number ? [`Your VAT number ${row.vat_number}`] : [])]),
  account_statement: accounts, vendor_statement: vendors, remittance_advice: advice, royalty_statement: royalties,
  pick_list: orders('pick_list', 'Picking list'), packing_list: orders('packing_list', 'Packing list'),
  label: orders('label', 'Label'), deposit_slip: slips, bank_reconciliation: reconciliations,
  financial_statement: statements, audit_table: auditTables, year_end_form: yearEnds, check: checks,
} as const satisfies Record<Paper | 'check', Case>;
