/**
 * A record of the season for each parameter in the staff's addresses: below `licenses/{licenseId}` lies what belongs to
 * that licence. What the season holds none of is asked for at an id that does not exist.
 */
import type { Endpoint } from '#kit/endpoint.ts';
import type { Db } from '#server/db.ts';
import { name, sql, type Sql } from '#server/sql.ts';

const MISSING = '999999999';
/** Found so far in the address, by the collection before the parameter. */
type Found = Record<string, string>;
type Find = (found: Found, path: string) => Sql | string;

/** The first row of the table outside the trash; of what stands before it in the address, if a column says so. */
const first = (table: string, column?: string, collection = ''): Find => (found) => {
  const above = found[collection];
  const own = column === undefined || above === undefined ? sql`true` : sql`${name(column)} = ${Number(above)}`;
  return sql`select min(id)::text as id from ${name(table)} t where to_jsonb(t) ->> 'deleted_at' is null and ${own}`;
};
const show = (type: string): Find => () => sql`select min(id)::text as id from shows where type = ${type}`;
const ofLicense = (table: string): Find => first(table, 'license_id', 'licenses');

/** As much below it as a licence can have: money held, returns, papers, materials. */
const richest: Find = () => sql`
  select l.id::text from licenses l where l.phase not in ('draft', 'closed') and l.deleted_at is null
  order by exists (select 1 from deposits d where d.license_id = l.id)::int
    + exists (select 1 from box_office_reports r where r.license_id = l.id)::int
    + exists (select 1 from license_documents d where d.license_id = l.id)::int
    + exists (select 1 from license_boms b where b.license_id = l.id)::int desc, l.id limit 1`;
const clerk: Find = () => sql`
  select user_id::text as id from staff_group_users order by staff_group_id, user_id limit 1`;

/** Somebody of what stands before: of the customer, the group or the team, else of the staff. */
const personOf: Find = (found, path) => {
  if (found.customers) {
    return sql`select min(user_id)::text as id from customer_users where customer_id = ${Number(found.customers)}`;
  }
  if (found.groups) {
    return sql`select min(user_id)::text as id from staff_group_users where staff_group_id = ${Number(found.groups)}`;
  }
  return clerk(found, path);
};

/** Sounds are handed out as they are, pages as pictures: a file of the kind that the call is for. */
const fileFor = (path: string): Sql => sql`from material_files t join files f on f.id = t.file_id
  where t.removed_at is null and (f.mime_type like 'audio/%') = ${path.endsWith('/content')}`;

const FINDERS: Record<string, Find> = {
  ach_files: () => sql`select min(id)::text as id from ach_files where purpose = 'prenotes'`,
  ach_prenotes: first('ach_prenotes'), bank_corrections: first('bank_corrections'),
  add_ons: first('add_ons'), bank_accounts: first('bank_accounts'), bank_rules: first('bank_rules'),
  bank_transactions: first('bank_transactions'),
  bank_transfers: first('bank_transfers'),
  bill_schedules: first('bill_schedules'), goods_receipt_lines: first('goods_receipt_lines'),
  bills: first('bills'), credits: first('bill_credits', 'bill_id', 'bills'),
  banks: first('banks'), checks: first('checks'), positive_pay: first('positive_pay_files'),
  deposit_slips: first('deposit_slips'),
  reconciliations: first('bank_reconciliations'),
  amendments: ofLicense('license_amendments'), bom_templates: first('bom_templates'),
  box_office_reports: ofLicense('box_office_reports'), checklist: ofLicense('license_checklist_items'),
  contract_templates: first('contract_templates'),
  customer_classifications: first('customer_classifications'), customers: (_, path) =>
    path.startsWith('/api/utilities/taxjar/') ? sql`select min(id)::text as id from tax_service_customers` : sql`
    select coalesce((select min(customer_id) from tax_exemption_certificates), min(id))::text as id from customers`,
  deposits: ofLicense('deposits'), divisions: () => 'US', erasures: first('erasures'),
  exceptions: first('lock_exceptions'), exchange_rates: first('exchange_rates'),
  exemption_certificates: first('tax_exemption_certificates', 'customer_id', 'customers'), export_csv: first('exports'),
  files: ({ materials, licenses, bank_transactions: line }, path) => path.includes('/messages/files/')
    ? sql`select min(id)::text as id from thread_files where license_id = ${Number(licenses)}`
    : path.includes('/box_office_reports/') ? sql`select min(file_id)::text as id from box_office_attachments`
    : line === undefined ? sql`
    select min(t.id)::text as id ${fileFor(path)} and (${materials ?? null}::bigint is null
      or t.material_id = ${materials ?? null}::bigint)`
    : sql`select min(id)::text as id from bank_transaction_files where bank_transaction_id = ${Number(line)}`,
  groups: first('staff_groups'),
  holidays: first('holidays'),
  images: ({ shows }) => sql`select min(id)::text as id from show_images where show_id = ${Number(shows)}`,
  import_templates: first('import_templates'),
  imports: first('imports'), invitations: first('customer_invitations', 'customer_id', 'customers'),
  invites: first('staff_invites'), invoice_items: first('invoice_items', 'invoice_id', 'invoices'),
  invoices: first('invoices'), jobs: () => '00000000-0000-4000-8000-000000000000',
  join_requests: first('customer_join_requests', 'customer_id', 'customers'),
  journal_entries: first('journal_entries'), ledger_accounts: first('ledger_accounts'),
  ledger_headers: first('ledger_headers'), license_applications: first('license_applications'),
  license_boms: ofLicense('license_boms'), license_documents: ofLicense('license_documents'),
  license_materials: ofLicense('license_materials'), license_venues: ofLicense('license_venues'), licenses: richest,
  material_categories: first('material_categories'), materials: (_, path) => sql`
    select coalesce((select min(t.material_id) ${fileFor(path)}), min(id))::text as id
    from materials where deleted_at is null`,
  members: () => sql`select min(user_id)::text as id from team_members`, musicals: show('musical'),
  notifications: first('notifications'), pages: () => '1', processor_keys: () => 'US', party_types: () => 'customer',
  opening_balances: first('opening_sets'), opening_balance_templates: () => 'ledger',
  // Of the refunds by check: runs of royaltors are shown by their batches.
  payment_runs: () => sql`select min(id)::text as id from payment_runs where royalty_payment_batch_id is null
    and file_id is not null`,
  payments: ({ royalty_payment_batches: batch, payment_runs: run }) => run !== undefined
    ? sql`select min(id)::text as id from payments where payment_run_id = ${Number(run)}` : batch === undefined
    ? sql`select min(id)::text as id from payments where direction = 'in' and deleted_at is null`
    : sql`select min(id)::text as id from payments where royalty_payment_batch_id = ${Number(batch)}`,
  people: clerk, performances: ofLicense('performances'), periods: () => '202611',
  permission_holders: () => 'venue.list', perusals: first('perusals'), plays: show('play'),
  questions: first('box_office_questions'),
  rate_cards: first('rate_cards'), restrictions: () => sql`select min(id)::text as id from show_restrictions`,
  revaluations: first('revaluations'), intercompany_entries: first('intercompany_entries'),
  royaltors: first('royaltors'), royalty_accruals: first('royalty_accruals'),
  royalty_adjustments: first('royalty_adjustments'), royalty_advances: first('royalty_advances'),
  royalty_payment_batches: first('royalty_payment_batches'), royalty_statement_runs: first('royalty_statement_runs'),
  royalty_statements: first('royalty_statements'), sales_items: first('sales_items'),
  sales_orders: first('sales_orders'), search: () => '1', show_packages: first('show_packages'),
  show_royaltors: first('show_royaltors'), shows: () => sql`
    select coalesce((select min(show_id) from show_restrictions), min(id))::text as id from shows`,
  tasks: first('tasks'), tax_codes: first('tax_codes'), tax_registrations: first('tax_registrations'),
  tax_returns: first('tax_returns'), filing_rules: first('filing_rules'),
  local_tax_rates: first('local_tax_rates'), local_tax_states: first('local_tax_states'),
  tax_rules: first('taxability'), teams: first('teams'),
  email_groups: first('email_groups'),
  terms: first('royalty_terms', 'show_royaltor_id', 'show_royaltors'), transactions: first('transactions'),
  trash: () => sql`select min(id)::text as id from bom_templates where deleted_at is not null`, users: personOf,
  details: first('customer_change_requests', 'customer_id', 'customers'),
  shipping_addresses: first('customer_shipping_addresses', 'customer_id', 'customers'), vendors: first('vendors'),
  year_end_filings: first('year_end_filings'), year_end_forms: first('year_end_forms'),
  year_end_layouts: first('year_end_layouts'), year_end_thresholds: first('year_end_thresholds'),
  venues: first('venues'), warehouses: first('warehouses'), wht_rules: first('wht_rules'),
  material_sub_categories: first('material_sub_categories'),
};

export interface Place { url: string; ids: Found; real: boolean }

/** The address with ids of the season; `real` says whether every record is there. */
export async function placeOf(db: Db, { path }: Endpoint): Promise<Place> {
  const ids: Found = {};
  let url = path.split('?')[0]!;
  let real = true;
  for (const [whole, collection = '', parameter = ''] of url.matchAll(/([\w-]+)\/\{(\w+)\}/g)) {
    const find = parameter === 'key' ? () => 'libretto' : FINDERS[collection];
    const asked = find?.(ids, path) ?? sql`select null as id`;
    const found = typeof asked === 'string' ? asked : (await db.maybeOne<{ id: string | null }>(asked))?.id ?? null;
    real &&= found !== null;
    ids[collection] = found ?? MISSING;
    url = url.replace(whole, `${collection}/${ids[collection]}`);
  }
  return { url, ids, real };
}
