/**
 * A batch of payments as every rail takes it, and what a writer of a bank file answers: the text, what was changed in
 * it for the format, or every reason why it is not written. Ids, days and times of a file are inputs, so the same batch
 * has the same bytes.
 */
import type { IsoDate } from '../calendar/calendar.ts';
import type { Currency } from '../money/money.ts';

/** The clearing systems whose files have a character set and a calendar of their own. */
export type Rail = 'nacha' | 'sepa' | 'bacs';

/** ISO 3166 country; what an address has in elements of its own, and the lines that are not split. */
export interface PaymentAddress {
  country: string | null;
  town: string | null;
  postal_code: string | null;
  street: string | null;
  building_number: string | null;
  lines: readonly string[];
}

export interface UsAccount {
  kind: 'us';
  routing: string;
  account: string;
  savings: boolean;
}

export interface UkAccount {
  kind: 'uk';
  sort_code: string;
  account: string;
}

export interface IbanAccount {
  kind: 'iban';
  iban: string;
  bic: string | null;
}

export interface OtherAccount {
  kind: 'other';
  account: string;
  /** BIC, routing number or the name of the bank, as written. */
  bank: string;
}

export type PayeeAccount = UsAccount | UkAccount | IbanAccount | OtherAccount;

/** A document that the payment settles, with the part that is paid of it. */
export interface PaidDocument {
  number: string;
  amount_minor: bigint;
}

export interface PaymentItem {
  /** Unique in the batch and kept for ever: the id that the bank gives back with its answer. */
  id: string;
  /** The name of the payee in the records of the house, for messages. */
  payee: string;
  /** The name on the account where it differs: it is what the bank is told. */
  account_holder: string | null;
  is_person: boolean;
  address: PaymentAddress | null;
  /** null where the payee has no bank details; the item is refused by name. */
  bank: PayeeAccount | null;
  /** Minor units, above zero; 0 for a prenote. */
  amount_minor: bigint;
  /** A payment of nothing that asks the bank whether the account exists. */
  is_prenote: boolean;
  /** Text the payee reads on the statement. */
  reference: string;
  /** Purpose of the payment as the bank asks for it (a wire abroad). */
  purpose: string;
  documents: readonly PaidDocument[];
}

export interface PaymentBatch {
  /** The id of the batch, at most 35 characters. */
  reference: string;
  currency: Currency;
  value_on: IsoDate;
  items: readonly PaymentItem[];
}

export type ChangeKind = 'letters' | 'script' | 'symbols' | 'shortened' | 'address_left_out';

/** A text that goes into the file in another form than it is kept: shown before the export. */
export interface TextChange {
  item_id: string | null;
  payee: string | null;
  field: PaymentField;
  from: string;
  to: string;
  kinds: readonly ChangeKind[];
}

export type PaymentField = 'payee' | 'address' | 'bank' | 'routing' | 'account' | 'iban' | 'bic' | 'sort_code'
  | 'amount' | 'currency' | 'value_on' | 'reference' | 'purpose'
  | 'id' | 'remittance' | 'originator' | 'items' | 'file';

/** A reason why the file is not written, with the payee and the field to mend. */
export interface FileIssue {
  item_id: string | null;
  payee: string | null;
  field: PaymentField;
  message: string;
}

export interface PaymentFile {
  text: string;
  /** Payments in it, prenotes included. */
  count: number;
  total_minor: bigint;
  value_on: IsoDate;
  /** The id under which the bank's answer names each payment. */
  ids: readonly { item_id: string; bank_id: string }[];
}

export type PaymentFileResult =
  | { file: PaymentFile; issues: readonly []; changes: readonly TextChange[] }
  | { file: null; issues: readonly FileIssue[]; changes: readonly TextChange[] };

/** The name that the bank is told. */
export function accountName(item: PaymentItem): string {
  return item.account_holder ?? item.payee;
}
