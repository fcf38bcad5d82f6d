/** Whether the account number of a file is that of a bank account: whole, however banks write it. */
import type { PayeeAccount } from '#kernel/payment-files/payment-batch.ts';

export const plainNumber = (text: string): string => text.replace(/[^0-9A-Za-z]/g, '').toUpperCase();
const withoutZeros = (text: string): string => text.replace(/^0+(?=.)/, '');

/** "XXXXXX7890", "****7890": the bank shows the end alone. */
const MASKED = /^[*x•.\s-]{3,}([0-9A-Za-z]{3,})$/i;
/** The end of an IBAN is the domestic number; a shorter one is shared by too many. */
const MIN_TAIL = 7;

interface Written { number: string; iban: string | null; last4: string }

/** Without a kept number its last four decide. */
export function isNumberOf(own: PayeeAccount | null, { number, iban, last4 }: Written): boolean {
  const written = [number, ...iban === null ? [] : [iban]];
  // Of a short number fewer than four are kept readable.
  if (own === null) return written.some((one) => plainNumber(one).endsWith(last4));
  const whole = wholeNumbers(own);
  return written.some((one) => {
    const end = MASKED.exec(one.trim())?.[1];
    if (end !== undefined) return whole.some((full) => full.endsWith(plainNumber(end)));
    const plain = plainNumber(one);
    return whole.some((full) => withoutZeros(full) === withoutZeros(plain)
      || (isIban(full) && full.endsWith(plain) && plain.length >= MIN_TAIL)
      || (isIban(plain) && plain.endsWith(full) && full.length >= MIN_TAIL));
  });
}

const isIban = (text: string): boolean => /^[A-Z]{2}[0-9]{2}[0-9A-Z]{11,30}$/.test(text);

function wholeNumbers(own: PayeeAccount): string[] {
  const of = (account: string, bank: string): string[] => [plainNumber(account),
    ...bank === '' ? [] : [plainNumber(bank + account)]];
  switch (own.kind) {
    case 'us': return of(own.account, own.routing);
    case 'uk': return of(own.account, own.sort_code);
    case 'iban': return [plainNumber(own.iban), plainNumber(own.iban).slice(4)];
    case 'other': return of(own.account, own.bank);
  }
}
