/** Collects a file writer's output: texts fitted to their fields, changes to show, reasons to refuse. */
import { formatMinor, sum } from '../money/money.ts';
import { railText } from './character-sets.ts';
import type { ChangeKind, FileIssue, PaymentBatch, PaymentField, PaymentFile, PaymentFileResult, PaymentItem, Rail,
  TextChange } from './payment-batch.ts';

const FIELD_WORDS: Readonly<Record<PaymentField, string>> = {
  payee: 'name', address: 'address', bank: 'bank details', routing: 'routing number', account: 'account number',
  iban: 'IBAN', bic: 'BIC', sort_code: 'sort code', amount: 'amount', currency: 'currency', value_on: 'value date',
  reference: 'reference', purpose: 'purpose', id: 'payment id', remittance: 'remittance text',
  originator: 'originator', items: 'payments', file: 'file',
};

/** Subject of a message or a change: a payment, or a check. */
export type Named = Pick<PaymentItem, 'id' | 'payee'>;

export class FileDraft {
  readonly issues: FileIssue[] = [];
  readonly changes: TextChange[] = [];
  readonly #rail: Rail;

  constructor(rail: Rail) {
    this.#rail = rail;
  }

  /** A reason against the file; of an item where one is to blame. */
  refuse(item: Named | null, field: PaymentField, message: string): void {
    const named = item ? `${item.payee}: ${message}` : message;
    this.issues.push({ item_id: item?.id ?? null, payee: item?.payee ?? null, field, message: named });
  }

  note(item: Named | null, field: PaymentField, from: string, to: string, kinds: readonly ChangeKind[]): void {
    this.changes.push({ item_id: item?.id ?? null, payee: item?.payee ?? null, field, from, to, kinds });
  }

  /** A text in the rail's characters and at most `most` of them; what was changed is noted. '' where it is refused. */
  text(item: Named | null, field: PaymentField, value: string, most: number): string {
    const { text, kinds, unspelled } = railText(this.#rail, value);
    if (unspelled !== null) {
      this.refuse(item, field, `the ${FIELD_WORDS[field]} has “${unspelled}”, which the bank cannot take. `
        + 'Write it in Latin letters.');
      return '';
    }
    const cut = text.slice(0, most).trimEnd();
    const all: ChangeKind[] = cut === text ? kinds : [...kinds, 'shortened'];
    if (all.length > 0) this.note(item, field, value, cut, all);
    return cut;
  }

  /** A text that must not be empty. */
  needed(item: Named | null, field: PaymentField, value: string, most: number): string {
    const before = this.issues.length;
    const text = this.text(item, field, value, most);
    if (text === '' && this.issues.length === before) this.refuse(item, field, `the ${FIELD_WORDS[field]} is empty.`);
    return text;
  }

  /** An id goes into the file as it is or not at all: a changed id would not come back. */
  id(item: Named | null, value: string, most: number, field: PaymentField = 'id'): string {
    const { text } = railText(this.#rail, value);
    if (value === '' || text !== value || value.length > most) {
      this.refuse(item, field, `the ${FIELD_WORDS[field]} “${value}” must have 1 to ${most} characters that the bank `
        + 'takes.');
      return '';
    }
    return value;
  }

  /** Amount above zero and within the field; a prenote has none. */
  amount(item: PaymentItem, most: bigint, why = 'is more than the file can hold'): void {
    const { amount_minor, is_prenote } = item;
    if (is_prenote) {
      if (amount_minor !== 0n) this.refuse(item, 'amount', 'a prenote has no amount.');
    } else if (amount_minor <= 0n) this.refuse(item, 'amount', 'the amount must be above zero.');
    else if (amount_minor > most) {
      this.refuse(item, 'amount', `${formatMinor(amount_minor)} ${why} (${formatMinor(most)}).`);
    }
  }

  /** A batch without payments, with one id twice or with a total beyond the format. */
  batch({ items }: PaymentBatch, mostTotal: bigint): void {
    if (items.length === 0) this.refuse(null, 'items', 'The batch holds no payments.');
    const ids = new Set<string>();
    for (const item of items) {
      if (ids.has(item.id)) this.refuse(item, 'id', `the payment id “${item.id}” is in the batch twice.`);
      ids.add(item.id);
    }
    const total = sum(items.map(({ amount_minor }) => amount_minor));
    if (total > mostTotal) {
      this.refuse(null, 'amount', `The total of ${formatMinor(total)} is more than the file can hold.`);
    }
  }

  result(write: () => PaymentFile): PaymentFileResult {
    if (this.issues.length > 0) return { file: null, issues: this.issues, changes: this.changes };
    return { file: write(), issues: [], changes: this.changes };
  }
}

/** Left in the field, blanks behind. */
export function alpha(text: string, width: number): string {
  return text.slice(0, width).padEnd(width);
}

/** Digits at the right of the field, zeros before. Throws where the number does not fit: the limits come first. */
export function digits(value: bigint | number, width: number): string {
  const text = String(value);
  if (text.length > width || !/^\d+$/.test(text)) throw new RangeError(`${text} does not fit ${width} digits`);
  return text.padStart(width, '0');
}
