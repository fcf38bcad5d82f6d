/** Numbers of bank accounts, checked by their own arithmetic: IBAN (ISO 13616), BIC (ISO 9362), US routing (ABA). */

/** Countries of the SEPA schemes with the length of their IBAN (EPC409-09; registry of ISO 13616). */
const SEPA_LENGTHS: Readonly<Record<string, number>> = {
  AD: 24, AL: 28, AT: 20, BE: 16, BG: 22, CH: 21, CY: 28, CZ: 24, DE: 22, DK: 18, EE: 20, ES: 24, FI: 18, FR: 27,
  GB: 22, GI: 23, GR: 27, HR: 21, HU: 28, IE: 22, IS: 26, IT: 27, LI: 21, LT: 20, LU: 20, LV: 21, MC: 27, MD: 24,
  ME: 22, MK: 19, MT: 31, NL: 18, NO: 15, PL: 28, PT: 25, RO: 24, RS: 22, SE: 24, SI: 19, SK: 24, SM: 27, VA: 22,
};

/** 'ie29 aibk ...' as 'IE29AIBK...': how it is kept. */
export function plainNumber(text: string): string {
  return text.replace(/[\s-]/g, '').toUpperCase();
}

/** In groups of four, as people read and compare it. */
export function grouped(iban: string): string {
  return plainNumber(iban).replace(/(.{4})(?=.)/g, '$1 ');
}

/** Whether the check digits hold (97-10 of ISO 7064) and, in a country of SEPA, the length is right. Takes blanks. */
export function ibanHolds(text: string): boolean {
  const iban = plainNumber(text);
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban)) return false;
  const length = SEPA_LENGTHS[iban.slice(0, 2)];
  if (length !== undefined && iban.length !== length) return false;
  const digits = `${iban.slice(4)}${iban.slice(0, 4)}`.split('').map((sign) => Number.parseInt(sign, 36)).join('');
  return BigInt(digits) % 97n === 1n;
}

/** Whether banks of a country take part in SEPA. */
export function isSepaCountry(country: string): boolean {
  return country in SEPA_LENGTHS;
}

/** Whether an account can be reached by a SEPA credit transfer, as far as its country says so. */
export function isSepa(iban: string): boolean {
  return isSepaCountry(plainNumber(iban).slice(0, 2));
}

/** Eight or eleven signs: bank, country, place, and a branch. */
export function bicHolds(text: string): boolean {
  return /^[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/.test(plainNumber(text));
}

/** Nine digits of the American Bankers Association with their check: 3, 7, 1 over the digits is a multiple of ten. */
export function abaHolds(text: string): boolean {
  const digits = plainNumber(text);
  if (!/^\d{9}$/.test(digits) || digits === '000000000') return false;
  const sum = digits.split('').reduce((all, digit, index) => all + Number(digit) * ([3, 7, 1][index % 3] ?? 0), 0);
  return sum % 10 === 0;
}

/** The kind of account that the two numbers beside each other are, as far as they say so. */
export function numberKind(account: string, routing: string | null): 'iban' | 'us' | 'uk' | 'other' {
  if (/^[A-Z]{2}\d{2}/.test(plainNumber(account))) return 'iban';
  const bank = plainNumber(routing ?? '');
  if (abaHolds(bank)) return 'us';
  return /^\d{6}$/.test(bank) && /^\d{8}$/.test(plainNumber(account)) ? 'uk' : 'other';
}

/** As people read it: a sort code '60-16-13', an ABA routing number as it is. */
export function routingInWords(number: string): string {
  return routingName(number) === 'Sort code' ? number.replace(/^(\d\d)-?(\d\d)-?(\d\d)$/, '$1-$2-$3') : number;
}

/** Usual name of the number beside an account number: nine digits are an ABA routing number, else a sort code. */
export function routingName(number: string): 'Routing number' | 'Sort code' {
  return number.replace(/\D/g, '').length === 9 ? 'Routing number' : 'Sort code';
}
