/**
 * Postal addresses of SEPA files as the rulebooks ask since 15 November 2026: town and country in elements of their
 * own, the rest in elements (structured) or in at most two lines (hybrid); lines alone are never sent (EPC153-22).
 */
import { accountName, type PaymentAddress, type PaymentItem } from './payment-batch.ts';
import type { FileDraft } from './file-draft.ts';

/** Address form the account's bank accepts; some refuse the hybrid form, some profiles of .03 refuse streets. */
export type AddressForm = 'structured' | 'hybrid' | 'none';

/** Element and text, in the order of the schema. */
export type AddressElement = readonly [name: string, text: string];

/** Countries of the European Economic Area, with what counts as their territory in SEPA. */
const EEA = new Set(('AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK ES '
  + 'GF GP MQ YT RE BL MF PM').split(' '));

/** Whether the rulebook lets a payee's address be missing: both banks stand in the EEA. */
export function isInEea(country: string): boolean {
  return EEA.has(country);
}

/** The elements of an address; none where it may be left out, which is noted. Refuses the item where it may not. */
export function addressElements(
  draft: FileDraft, item: PaymentItem, form: AddressForm, isNeeded: boolean,
): AddressElement[] {
  const { address } = item;
  const written = address && form !== 'none' ? elementsOf(draft, item, address, form) : [];
  if (written.length > 0) return written;
  if (isNeeded) {
    draft.refuse(item, 'address', 'the address needs a town and a country in their own fields; outside of the EEA a '
      + 'payment without them is refused.');
  } else if (address && form !== 'none') {
    draft.note(item, 'address', inLine(address), '', ['address_left_out']);
  }
  return [];
}

function inLine({ street, building_number, postal_code, town, country, lines }: PaymentAddress): string {
  return [...lines, street, building_number, postal_code, town, country].filter((part) => part !== null && part !== '')
    .join(', ');
}

function elementsOf(draft: FileDraft, item: PaymentItem, address: PaymentAddress, form: AddressForm): AddressElement[] {
  const { country, town } = address;
  if (!town || !country || !/^[A-Z]{2}$/.test(country)) return [];
  const text = (value: string | null, most: number): string => draft.text(item, 'address', value ?? '', most);
  const own: AddressElement[] = [['StrtNm', text(address.street, 70)], ['BldgNb', text(address.building_number, 16)],
    ['PstCd', text(address.postal_code, 16)], ['TwnNm', text(town, 35)], ['Ctry', country]];
  if (own.some(([name, value]) => name === 'TwnNm' && value === '')) return [];
  const lines = form === 'hybrid' ? freeLines(draft, item, address) : [];
  return [...own, ...lines.map((line): AddressElement => ['AdrLine', line])].filter(([, value]) => value !== '');
}

/** At most two lines of 70 that repeat nothing which has an element of its own. */
function freeLines(draft: FileDraft, item: PaymentItem, address: PaymentAddress): string[] {
  const { street, building_number, postal_code, town, country } = address;
  const known = new Set([street, building_number, postal_code, town, country, accountName(item),
    `${street ?? ''} ${building_number ?? ''}`, `${building_number ?? ''} ${street ?? ''}`,
    `${postal_code ?? ''} ${town ?? ''}`].map((part) => plain(part ?? '')));
  const lines = address.lines.filter((line) => !known.has(plain(line)));
  return lines.slice(0, 2).map((line) => draft.text(item, 'address', line, 70));
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[\s,]+/g, ' ').trim();
}
