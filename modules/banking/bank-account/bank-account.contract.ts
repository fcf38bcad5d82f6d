/**
 * Bank accounts (A47-A51, A71, A72): each has a ledger account of its own, made with it. Its number is written and
 * never read back; screens show the last characters.
 */
import * as z from 'zod';
import { spell } from '#kernel/text/english.ts';
import { staff } from '#kit/auth.ts';
import { bulk, restoring, trashing } from '#kit/bulk.ts';
import { all, endpoint, one } from '#kit/endpoint.ts';
import { currencyCode, divisionCode, field, id, isoDate, minor, version } from '#kit/field.ts';
import { resource } from '#kit/resource.ts';
import { MAX_MINOR } from '#kernel/money/money.ts';

export const STATEMENT_FORMATS = ['ofx', 'qif', 'csv', 'camt', 'mt940', 'bai2'] as const;
export const DATE_ORDERS = ['mdy', 'dmy', 'ymd'] as const;
/** An IBAN; an American account with its routing number; a British one with its sort code; any other. */
export const NUMBER_KINDS = ['iban', 'us', 'uk', 'other'] as const;
const banks = '/api/admin/staff/accounting/banks';

export const bankAccount = resource({
  name: 'bank_account', path: '/api/admin/staff/accounting/bank_accounts', label: ['bank account', 'bank accounts'],
  fields: {
    bank_id: field.ref('Bank', banks),
    division: field.division('Division', { immutable: true }),
    currency: field.currency('Currency', { immutable: true }),
    name: field.text('Name', { max: 100 }),
    holder: field.optionalText('Account holder', { max: 140 }),
    is_default: field.bool('Default of its division and currency',
      { caption: 'Proposed wherever money of this division and currency moves. In a currency other than that of its '
        + 'books, invoices show customers this account' }),
    opening_minor: field.json('Opening balance', minor, { initial: 0 }),
    opening_on: field.optionalDate('Opening date'),
    next_check_number: field.optionalInteger(spell`Next check number`, { min: 1, max: 999_999_999 }),
    statement_format: field.optionalChoice('Statement format', STATEMENT_FORMATS),
    statement_date_order: field.optionalChoice('Order of dates', DATE_ORDERS),
    notes: field.longText('Notes', { max: 5000 }),
  },
  extra: {
    bank_name: z.string(), ledger_account_id: z.int(), ledger_code: z.string(), functional_currency: z.string(),
    bank_account_last4: z.string().nullable(), number_kind: z.enum(NUMBER_KINDS).nullable(),
    /** In the currency of the account, and in that of the division. */
    balance_minor: z.int(), balance_base_minor: z.int(), opening_transaction_id: z.int().nullable(),
    /** Has postings or payments: it is closed, never trashed. */
    is_used: z.boolean(), closed_on: z.string().nullable(),
    /** Balance at the bank: the last closing balance with entries by hand since; null before the first line. */
    bank_balance_minor: z.int().nullable(), unmatched_count: z.int(),
    last_statement_id: z.int().nullable(), last_statement_on: z.string().nullable(),
  },
  filters: { division: divisionCode.optional(), currency: currencyCode.optional(),
    bank_id: z.coerce.number().int().optional(), open: z.stringbool().optional() },
  sort: ['name', 'updated_at', 'ledger_code'],
  permissions: { list: 'bank_account.list', show: 'bank_account.show', create: 'bank_account.create',
    update: 'bank_account.update', remove: 'bank_account.delete' },
});

/** Options of a form that moves money: the default first. */
export const bankAccountOption = z.object({ id: z.int(), name: z.string(), bank_name: z.string(),
  division: divisionCode, currency: currencyCode, bank_account_last4: z.string().nullable(), is_default: z.boolean() });
export type BankAccountOption = z.infer<typeof bankAccountOption>;

const DIGITS = /^[0-9 -]+$/;
const accountNumber = z.strictObject({
  version, kind: z.enum(NUMBER_KINDS, 'Choose the kind of number'),
  account: z.string().trim().min(4, 'Enter the IBAN or the account number').max(42)
    .regex(/^[0-9A-Za-z -]+$/, 'Letters, digits, blanks and hyphens'),
  routing: z.string().trim().max(20).regex(DIGITS, 'Digits, blanks and hyphens').nullable().default(null),
});

const positive = z.int('Enter an amount above zero').min(1, 'Enter an amount above zero')
  .max(Number(MAX_MINOR), 'The amount is larger than 10,000,000,000.00');
/** Money in or out that is no payment of a document: a fee, interest, capital, a tax. */
const bankEntry = z.strictObject({
  on: isoDate, direction: z.enum(['in', 'out'], 'Choose whether money came in or went out'),
  description: z.string().trim().min(1, 'Describe the entry').max(500),
  lines: z.array(z.strictObject({ ledger_account_id: z.int('Choose an account').min(1, 'Choose an account'),
    amount_minor: positive, party_id: id.nullable().default(null),
    memo: z.string().trim().max(500).default('') })).min(1, 'Add a line').max(50),
});

const { path, row, endpoints } = bankAccount;
const item = `${path}/{id}` as const;
export const bankAccountEndpoints = {
  ...endpoints,
  trash: endpoint({ ...endpoints.trash, auth: staff('bank_account.list_trash') }),
  restore: endpoint({ ...endpoints.restore, auth: staff('bank_account.restore') }),
  options: endpoint({ method: 'GET', path: `${path}/options`,
    auth: staff(['bank_account.list', 'payment.list', 'payment.create', 'invoice.manage_payments',
      'bank_transaction.list', 'bank_transaction.create']),
    summary: 'Open bank accounts of a division and currency, the default first',
    query: z.strictObject({ division: divisionCode.optional(), currency: currencyCode.optional() }),
    response: all(bankAccountOption) }),
  number: endpoint({ method: 'PUT', path: `${item}/number`, auth: staff('bank_account.update'), confirm: true,
    secret: true, summary: 'Write the number of a bank account; it is never read back', body: accountNumber,
    response: one(row) }),
  close: endpoint({ method: 'PUT', path: `${item}/close`, auth: staff('bank_account.update'),
    summary: 'Close a bank account with a zero balance', body: z.strictObject({ version }), response: one(row) }),
  reopen: endpoint({ method: 'PUT', path: `${item}/reopen`, auth: staff('bank_account.update'),
    summary: 'Open a closed bank account again', body: z.strictObject({ version }), response: one(row) }),
  entry: endpoint({ method: 'POST', path: `${item}/entries`, auth: staff('transaction.update'), idempotent: true,
    summary: 'Record money in or out that has no document', body: bankEntry, status: 201,
    response: one(z.object({ transaction_id: z.int() })) }),
};
export type BankAccountRow = z.infer<typeof bankAccount.row>;

const ACCOUNT_WORDS = { noun: ['bank account', 'bank accounts'], href: '/admin/banking/bank-accounts/{id}' } as const;
export const bankAccountBulk = bulk(bankAccountEndpoints.list, ACCOUNT_WORDS, [trashing(bankAccountEndpoints)]);
export const bankAccountTrashBulk = bulk(bankAccountEndpoints.trash, { ...ACCOUNT_WORDS, href: null },
  [restoring(bankAccountEndpoints)]);
