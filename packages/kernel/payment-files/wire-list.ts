/**
 * Wires as a list for the bank's own screen or upload: one row a payment, RFC 4180, in the characters that SWIFT
 * carries (its set x is the basic Latin set of SEPA). No cell begins with a sign that a spreadsheet would take for a
 * formula; ids and accounts that do are refused, because they may not change.
 */
import { minorToDecimal, sum } from '../money/money.ts';
import { abaHolds, bicHolds, ibanHolds, plainNumber } from '../receivables/bank-numbers.ts';
import { FileDraft } from './file-draft.ts';
import { accountName, type PaymentAddress, type PaymentBatch, type PaymentFileResult,
  type PaymentItem } from './payment-batch.ts';

const HEADS = ['Payment', 'Payee', 'Country', 'Town', 'Address', 'Account', 'Bank', 'Amount', 'Currency', 'Value date',
  'Purpose', 'Reference'] as const;
const MOST_AMOUNT = 1_000_000_000_000n;

/** The list with its heads. Lines end with CR LF. */
export function writeWireList(batch: PaymentBatch): PaymentFileResult {
  const draft = new FileDraft('sepa');
  draft.batch(batch, MOST_AMOUNT);
  const rows = batch.items.map((item) => rowOf(draft, item, batch));
  return draft.result(() => ({ text: [HEADS, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join(''),
    count: rows.length, total_minor: sum(batch.items.map(({ amount_minor }) => amount_minor)),
    value_on: batch.value_on, ids: batch.items.map(({ id }) => ({ item_id: id, bank_id: id })) }));
}

function rowOf(draft: FileDraft, item: PaymentItem, { currency, value_on }: PaymentBatch): string[] {
  draft.amount(item, MOST_AMOUNT);
  if (item.is_prenote) draft.refuse(item, 'amount', 'a wire has no prenote.');
  const { account, bank } = accountOf(draft, item);
  const { address } = item;
  if (/^\W/.test(item.id)) draft.refuse(item, 'id', `the payment id “${item.id}” begins with a sign.`);
  if (/^\W/.test(account)) draft.refuse(item, 'account', 'the account number begins with a sign.');
  return [draft.id(item, item.id, 35), draft.needed(item, 'payee', accountName(item), 70),
    draft.text(item, 'address', address?.country ?? '', 2),
    draft.text(item, 'address', address?.town ?? '', 35), draft.text(item, 'address', inLine(address), 105), account,
    bank, minorToDecimal(item.amount_minor), currency, value_on, draft.text(item, 'purpose', item.purpose, 35),
    draft.text(item, 'reference', item.reference, 140)];
}

function inLine(address: PaymentAddress | null): string {
  if (!address) return '';
  const { lines, street, building_number, postal_code } = address;
  const own = [building_number, street].filter((part) => part !== null && part !== '').join(' ');
  return [...(own === '' ? lines : [own]), postal_code].filter((part) => part !== null && part !== '').join(', ');
}

function accountOf(draft: FileDraft, item: PaymentItem): { account: string; bank: string } {
  const { bank } = item;
  switch (bank?.kind) {
    case 'iban':
      if (!ibanHolds(bank.iban)) draft.refuse(item, 'iban', `the IBAN ${plainNumber(bank.iban)} is wrong.`);
      if (bank.bic !== null && !bicHolds(bank.bic)) draft.refuse(item, 'bic', `the BIC ${bank.bic} is wrong.`);
      return { account: plainNumber(bank.iban), bank: plainNumber(bank.bic ?? '') };
    case 'us':
      if (!abaHolds(bank.routing)) draft.refuse(item, 'routing', `the routing number ${bank.routing} is wrong.`);
      return { account: draft.id(item, bank.account, 17, 'account'), bank: plainNumber(bank.routing) };
    case 'uk':
      if (!/^\d{6}$/.test(plainNumber(bank.sort_code))) draft.refuse(item, 'sort_code', 'a sort code has 6 digits.');
      return { account: draft.id(item, plainNumber(bank.account), 8, 'account'), bank: plainNumber(bank.sort_code) };
    case 'other':
      return { account: draft.id(item, bank.account, 34, 'account'), bank: draft.needed(item, 'bank', bank.bank, 70) };
    case undefined:
      draft.refuse(item, 'bank', 'there are no bank details.');
      return { account: '', bank: '' };
  }
}

/** Quoted where a comma asks for it (the set has no quotation mark); a sign at the beginning is left out. */
function cell(text: string): string {
  const plain = text.replace(/^[=+\-@ ]+/, '');
  return plain.includes(',') ? `"${plain}"` : plain;
}
