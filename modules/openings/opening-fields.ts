/** The columns of each kind of opening balances. The first head of a field is ours and heads the template. */
import type { OpeningKind } from '#kernel/ledger/opening-sets.ts';
import { spell } from '#kernel/text/english.ts';
import type { FieldFacts, FieldSet } from '#modules/data-exchange/imports/import-field.contract.ts';

const field = (label: string, hint: string, heads: readonly string[], more: Partial<FieldFacts> = {}): FieldFacts =>
  ({ label, hint, required: false, constant: false, heads, ...more });
const needed = { required: true } as const;

const CURRENCY = field('Currency', 'Left out: the currency of the division', ['currency', 'ccy', 'cur'],
  { example: 'USD' });
const VALUE = {
  currency: CURRENCY,
  base: field('Value in the books', 'Of a foreign amount, in the currency of the division',
    ['value in the books', 'base amount', 'functional amount', 'home amount', 'local amount'], { type: 'amount' }),
  rate: field('Exchange rate', 'Of a foreign amount; left out: the rate of the day',
    ['exchange rate', 'rate', 'fx rate']),
};
/** In both spellings. */
const LICENSE_HEADS = ['license', 'licence'].flatMap((word) => [word, `${word} number`]);
const CHECK_HEADS = ['check', 'cheque'].map((word) => `${word} number`);
const CUSTOMER = field('Customer', 'Number or name', ['customer', 'customer number', 'customer name', 'client',
  'account', 'account name', 'debtor'], { ...needed, example: 'Harbor Players' });
const AGREEMENT = {
  show: field('Show', 'Code or title', ['show', 'show code', 'title', 'work'], { ...needed, example: 'LANTERN' }),
  royaltor: field('Royaltor', 'Name', ['royaltor', 'author', 'payee', 'name'], { ...needed, example: 'Ada Winter' }),
  contract_no: field(spell`Contract`, 'Number, where a royaltor has several agreements on a show',
    ['contract', 'contract number', 'agreement', 'agreement number']),
};

export const OPENING_FIELDS: Readonly<Record<OpeningKind, FieldSet>> = {
  ledger: {
    account: field('Account', 'Code in the chart of accounts', ['account', 'account code', 'code', 'account number',
      'nominal', 'nominal code', 'gl account'], { ...needed, example: '3100' }),
    name: field('Name', 'Not read; for the reader of the file', ['name', 'account name', 'description'],
      { example: 'Retained earnings' }),
    debit: field('Debit', 'In the currency of the row', ['debit', 'dr', 'debits'], { type: 'amount' }),
    credit: field('Credit', 'In the currency of the row', ['credit', 'cr', 'credits'],
      { type: 'amount', example: '30000.00' }),
    amount: field('Amount', 'Instead of debit and credit: credits below zero', ['amount', 'balance', 'net'],
      { type: 'amount' }),
    ...VALUE,
    party: field('Party', 'Number or name, for accounts that require a party', ['party', 'party name', 'contact']),
    memo: field('Memo', 'Kept with the line', ['memo', 'note', 'comment']),
  },
  receivables: {
    customer: CUSTOMER,
    number: field('Number', 'Of the invoice; of a credit it may be left out', ['number', 'invoice number', 'invoice',
      'document', 'document number', 'invoice no', 'ref', 'reference'], { example: '4711' }),
    issued_on: field('Date', 'Of the invoice', ['date', 'invoice date', 'issued', 'issued on', 'document date'],
      { ...needed, type: 'date', example: '2026-11-02' }),
    due_on: field('Due date', 'Left out: the date of the invoice', ['due date', 'due', 'due on'],
      { type: 'date', example: '2026-12-02' }),
    amount: field('Amount open', 'Amount still to be paid; negative for a customer credit',
      ['amount open', 'open amount', 'amount', 'balance', 'outstanding', 'amount due', 'open balance'],
      { ...needed, type: 'amount', example: '1284.00' }),
    ...VALUE,
    description: field('Description', 'Shown on the invoice', ['description', 'memo', 'note', 'details'],
      { example: 'Royalties, The Lantern' }),
    purchase_order: field('Purchase order', 'Of the customer', ['purchase order', 'po', 'po number',
      'purchase order number']),
    income_account: field('Income account', 'Debited by a credit note; left out: 4000',
      ['income account', 'revenue account', 'sales account']),
  },
  payables: {
    vendor: field('Vendor', 'Number or name', ['vendor', 'vendor number', 'vendor name', 'supplier', 'supplier name',
      'creditor', 'payee'], { ...needed, example: 'Harbor Printing' }),
    number: field('Number', 'On the bill of the vendor', ['number', 'bill number', 'bill', 'invoice number', 'invoice',
      'vendor number of bill', 'ref', 'reference'], { ...needed, example: 'HP-2201' }),
    billed_on: field('Date', 'Of the bill', ['date', 'bill date', 'invoice date', 'billed on'],
      { ...needed, type: 'date', example: '2026-11-05' }),
    due_on: field('Due date', 'Left out: the date of the bill', ['due date', 'due', 'due on'],
      { type: 'date', example: '2026-12-05' }),
    amount: field('Amount open', 'Amount still owed; negative for a vendor credit', ['amount open',
      'open amount', 'amount', 'balance', 'outstanding', 'amount due', 'open balance'],
    { ...needed, type: 'amount', example: '600.00' }),
    ...VALUE,
    memo: field('Memo', 'Kept with the bill', ['memo', 'description', 'note']),
  },
  deposits: {
    license: field(spell`License`, 'Number', [...LICENSE_HEADS, 'contract'],
      { ...needed, example: 'L-US-2026-000001' }),
    kind: field('Kind', 'Security, or on account', ['kind', 'type', 'deposit type'],
      { example: 'Security', options: ['security', 'on_account'], synonyms: { security: ['security deposit'],
        on_account: ['prepayment'] } }),
    amount: field('Amount held', 'Without tax that the former books reported',
      ['amount held', 'amount', 'held', 'balance', 'deposit'], { ...needed, type: 'amount', example: '500.00' }),
    ...VALUE,
  },
  deferred: {
    customer: CUSTOMER,
    number: field('Invoice number', 'Of the invoice that billed it', ['invoice number', 'number', 'invoice', 'document',
      'reference'], { ...needed, example: '4702' }),
    description: field('Description', 'Purpose', ['description', 'memo', 'details'],
      { example: 'Royalties, The Lantern' }),
    amount: field('Amount deferred', 'Billed and not earned yet', ['amount deferred', 'amount', 'deferred', 'balance'],
      { ...needed, type: 'amount', example: '900.00' }),
    release_on: field('Release on', 'Day on which it is earned, or the last day of a period',
      ['release on', 'release date', 'earned on', 'to', 'until'], { ...needed, type: 'date', example: '2027-02-12' }),
    release_from: field('Release from', 'First day: earned evenly through the last, month by month',
      ['release from', 'from', 'start'], { type: 'date' }),
    ...VALUE,
    income_account: field('Income account', 'Left out: 4000', ['income account', 'revenue account',
      'sales account']),
  },
  banks: {
    bank_account: field('Bank account', 'Name, or code of its ledger account', ['bank account', 'account', 'name',
      'account name', 'bank'], { ...needed, example: 'Bank' }),
    amount: field('Balance', spell`At the bank, where outstanding checks and deposits in transit have rows of their own;
      else in the books`, ['balance', 'amount', 'book balance', 'opening balance'],
    { ...needed, type: 'amount', example: '50000.00' }),
    reference: field('Reference', spell`Of an outstanding check (its amount below zero) or a deposit in transit; the
      balance has none`, ['reference', ...CHECK_HEADS]),
    date: field('Date', 'Of the payment or the deposit', ['date', 'issued on', 'paid on'], { type: 'date' }),
    ...VALUE,
  },
  next_numbers: {
    series: field('Series', 'Invoice, credit note, journal, check or self-billing invoice',
      ['series', 'kind', 'document', 'type'],
      { ...needed, example: 'Invoice', options: ['invoice', 'credit_note', 'journal', 'check', 'self_billing'],
        synonyms: { check: ['cheque'],
          self_billing: ['self-billing', 'self-billing invoice', 'self billing invoice'] } }),
    year: field('Year', 'Fiscal year of the series; left out: the year of the date of the set',
      ['year', 'fiscal year', 'scope'], { example: '2026' }),
    bank_account: field('Bank account', spell`Of a series of checks: name, or code of its ledger account`,
      ['bank account', 'account']),
    royaltor: field('Royaltor', 'Of a series of self-billing invoices: the royaltor in whose name they are made',
      ['royaltor', 'author', 'supplier']),
    next: field('Next number', 'The number that the next document gets', ['next number', 'next', 'start', 'first'],
      { ...needed, type: 'count', example: '501' }),
  },
  royaltors: { ...AGREEMENT,
    amount: field('Amount owed', 'To the royaltor; below zero where the royaltor owes it', ['amount owed', 'amount',
      'balance', 'owed', 'payable'], { ...needed, type: 'amount', example: '1250.00' }),
    ...VALUE },
  reserves: { ...AGREEMENT,
    amount: field('Reserve held', 'Withheld from former statements and not released yet', ['reserve held', 'amount',
      'reserve', 'balance'], { ...needed, type: 'amount', example: '300.00' }),
    ...VALUE },
  advances: { ...AGREEMENT,
    amount: field('Advance not recouped', 'Paid and not yet earned', ['advance not recouped', 'amount', 'unrecouped',
      'balance', 'advance'], { ...needed, type: 'amount', example: '3000.00' }),
    ...VALUE },
};
