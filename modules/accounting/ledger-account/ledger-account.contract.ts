/** The chart: accounts below headers, one chart for each division (accounting.md 1.1). */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { all, endpoint } from '#kit/endpoint.ts';
import { currencyCode, DIVISIONS, field } from '#kit/field.ts';
import { resource } from '#kit/resource.ts';

export const ACCOUNT_CLASSES = ['asset', 'liability', 'equity', 'income', 'expense'] as const;
export const PARTY_TYPES = ['customer', 'vendor', 'royaltor', 'bank', 'staff', 'tax_authority', 'division'] as const;
/** Cash flow activity of an account's changes; for cash, equity and the result it follows from their type. */
export const ACTIVITIES = ['operating', 'investing', 'financing'] as const;
const divisions = z.enum(DIVISIONS as unknown as readonly ['US', 'EU', 'UK', 'PROD']);

export const ledgerHeader = resource({
  name: 'ledger_header', path: '/api/admin/staff/accounting/ledger_headers', label: ['header', 'headers'],
  fields: {
    division: field.division('Division', { immutable: true }),
    code: field.text('Code', { max: 40 }),
    name: field.text('Name', { max: 120 }),
    class: field.choice('Class', ACCOUNT_CLASSES, { immutable: true }),
    parent_id: field.optionalRef('Parent', '/api/admin/staff/accounting/ledger_headers'),
    section: field.text('Section', { max: 40 }),
    sort: field.integer('Order', { max: 100_000, initial: 0 }),
  },
  extra: { statement: z.string(), is_system: z.boolean(), parent_name: z.string().nullable(),
    account_count: z.int() },
  filters: { division: divisions.optional(), class: z.enum(ACCOUNT_CLASSES).optional() },
  sort: ['sort', 'code', 'name'],
  permissions: { list: 'ledger_header.list', show: 'ledger_header.view', create: 'ledger_header.create',
    update: 'ledger_header.update', remove: 'ledger_header.delete' },
});

export const ledgerAccount = resource({
  name: 'ledger_account', path: '/api/admin/staff/accounting/ledger_accounts', label: ['account', 'accounts'],
  fields: {
    division: field.division('Division', { immutable: true }),
    ledger_header_id: field.ref('Header', '/api/admin/staff/accounting/ledger_headers'),
    code: field.text('Code', { max: 20, pattern: /^[0-9A-Za-z.-]+$/, message: 'Use digits, letters, . and -' }),
    name: field.text('Name', { max: 120 }),
    class: field.choice('Class', ACCOUNT_CLASSES, { immutable: true }),
    currency: field.json('Currency', currencyCode.nullable(), { initial: null }),
    is_monetary: field.bool('Monetary', { caption: 'Takes part in revaluation' }),
    cash_flow_class: field.optionalChoice('Cash flow', [...ACTIVITIES, 'cash']),
    allow_manual: field.bool('Manual journals', { initial: true }),
    active: field.bool('Active', { initial: true }),
  },
  extra: { normal_side: z.string(), is_control: z.string().nullable(), is_cash: z.boolean(), is_bank: z.boolean(),
    party_types: z.array(z.string()).nullable(), system_key: z.string().nullable(), header_name: z.string(),
    section: z.string(), balance_minor: z.int(), functional_currency: z.string() },
  filters: { division: divisions.optional(), class: z.enum(ACCOUNT_CLASSES).optional(),
    ledger_header_id: z.coerce.number().int().optional(),
    /** The same under the name of SPEC.md 7. */
    ledger_header: z.coerce.number().int().optional(), active: z.stringbool().optional() },
  sort: ['code', 'name', 'updated_at'],
  permissions: { list: 'ledger_account.list', show: 'ledger_account.view', create: 'ledger_account.create',
    update: 'ledger_account.update', remove: 'ledger_account.delete' },
});

const headers = ledgerHeader.endpoints;
const accounts = ledgerAccount.endpoints;
export const ledgerHeaderEndpoints = { ...headers,
  trash: endpoint({ ...headers.trash, auth: staff('ledger_header.list_trash') }),
  restore: endpoint({ ...headers.restore, auth: staff('ledger_header.restore') }),
  purge: endpoint({ method: 'DELETE', path: '/api/admin/staff/accounting/ledger_headers/{id}/force',
    auth: staff('ledger_header.forceDelete'), summary: 'Delete a header for good', response: null }) };
export const ledgerAccountEndpoints = { ...accounts,
  trash: endpoint({ ...accounts.trash, auth: staff('ledger_account.list_trash') }),
  restore: endpoint({ ...accounts.restore, auth: staff('ledger_account.restore') }),
  purge: endpoint({ method: 'DELETE', path: '/api/admin/staff/accounting/ledger_accounts/{id}/force',
    auth: staff('ledger_account.forceDelete'), summary: 'Delete an account for good', response: null }),
  partyTypes: endpoint({ method: 'GET', path: '/api/admin/staff/accounting/journal_entries/party_types',
    auth: staff('journal_entry.list'), summary: 'Kinds of parties a line can name',
    response: all(z.object({ value: z.string(), label: z.string() })) }) };
