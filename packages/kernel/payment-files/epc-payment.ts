/**
 * The text of an EPC QR code: a SEPA credit transfer that a banking app fills in from the picture (EPC069-12, version
 * 002: without a BIC inside the EEA; UTF-8; at most 331 bytes; error correction M).
 */
import { bicHolds, ibanHolds, isSepa, plainNumber } from '../receivables/bank-numbers.ts';
import { railText } from './character-sets.ts';

export interface EpcPayment {
  payee: string;
  iban: string;
  bic: string | null;
  /** Cents of a euro. */
  amount_minor: number;
  /** Reference the payer enters so that the payment can be matched: the invoice number. */
  reference: string;
}

const LONGEST_NAME = 70;
const LONGEST_REFERENCE = 140;
const MOST_CENTS = 99_999_999_999;
const MOST_BYTES = 331;

/** In the signs of SEPA, as payment files write them: 'Théâtre & Söhne' is 'Theatre + Soehne'. */
const sepaText = (text: string, longest: number): string => railText('sepa', text).text.slice(0, longest).trim();

/** The payload, or null where no such transfer exists: no SEPA account, no amount, nothing to write on it. */
export function epcPayload({ payee, iban, bic, amount_minor, reference }: EpcPayment): string | null {
  const name = sepaText(payee, LONGEST_NAME);
  const text = sepaText(reference, LONGEST_REFERENCE);
  if (!ibanHolds(iban) || !isSepa(iban) || (bic !== null && !bicHolds(bic)) || name === '' || text === '') return null;
  if (!Number.isSafeInteger(amount_minor) || amount_minor < 1 || amount_minor > MOST_CENTS) return null;
  const amount = `EUR${Math.floor(amount_minor / 100)}.${String(amount_minor % 100).padStart(2, '0')}`;
  const lines = ['BCD', '002', '1', 'SCT', bic === null ? '' : plainNumber(bic), name, plainNumber(iban), amount, '',
    '', text];
  const payload = lines.join('\n');
  // Every sign is one byte: sepaText leaves no other.
  return payload.length <= MOST_BYTES ? payload : null;
}
