/**
 * A house in Cologne and Boston that moves in from spreadsheets (story 10): its lists, with what Excel and people do to
 * lists, and its former books at October 31, 2026. Every figure of the books is written twice: once as the file has it,
 * once as minor units for the comparison.
 */
// cspell:ignore KAETHCHEN Rheinstraße
// cspell:ignore Schauspielhaus Köln Käthchen Heilbronn Domplatz Bühnen Straße Uhrwerk Laternen Bonn Druckerei Rhein
// cspell:ignore Théâtre l'Île Gärtner Müller
import { writeFile, type Cell } from './spreadsheets.ts';

export const AS_OF = '2026-10-31';

/** A file as it lies on the old house's disk, and what the product has to make of its rows. */
export interface OldList {
  model: 'shows' | 'venues' | 'royaltors' | 'agreements' | 'customers' | 'vendors' | 'materials' | 'stock_counts';
  name: string;
  content: Buffer;
  ready: number;
  duplicate: number;
  refused: number;
  /** Its numbers can be read in two ways: a person says that the comma is the decimal one. */
  asks: boolean;
}

const SHOWS: Cell[][] = [['Title', 'Type', 'Show code', 'Year', 'Authors'],
  ['Käthchen’s Lantern', 'play', 'KAETHCHEN', 1998, 'Ada O’Neill'],
  ['Clockwork', 'musical', 'UHRWERK', 2004, 'Ben Gärtner'],
  ['Doll\'s Garden', 'play', 'DOLL', 2011, 'Ada O\'Neill'],
  // The same two again, with the other apostrophe and another spelling of blanks.
  ['Käthchen\'s Lantern', 'play', '', 1998, 'Ada O\'Neill'],
  ['Doll’s  Garden', 'play', '', 2011, 'Ada O’Neill'],
  ['Not a show', 'circus', '', '', '']];

const VENUES: string[][] = [['Name', 'Street', 'City', 'State', 'Zip', 'Country', 'Seats'],
  ['Schauspielhaus Köln', 'Domplatz 1', 'Köln', '', '50667', 'Germany', '1.200'],
  ['O’Neill Hall', '12 Harbor Street', 'Boston', 'MA', '2110', 'US', '880'],
  ['O\'Neill Hall', '12 Harbor St.', 'Boston', 'MA', '2110', 'US', '880'],
  ['Nowhere Hall', '1 Main Street', 'Boston', 'XX', '02110', 'US', '100']];

const ROYALTORS: string[][] = [['Name', 'Kind', 'Country', 'Currency', 'Divisions', 'Email'],
  // Known from the shows.
  ['Ada O\'Neill', 'person', 'Ireland', 'EUR', 'EU', 'ada@oneill.example'],
  ['Rhine Agency', 'agent', 'Germany', 'EUR', 'EU', 'office@rhine.example'],
  ['No Mail', 'person', 'Germany', 'EUR', 'EU', 'no mail']];

const AGREEMENTS: string[][] = [
  ['Show', 'Royaltor', 'Role', 'Paying division', 'Currency', 'Owed', 'Rate %', 'Signed on', 'In force from',
    'In force'],
  ['Käthchen\'s Lantern', 'Ada O’Neill', 'author', 'EU', 'EUR', 'on invoice', '62,5', '03.04.2019', '01.05.2019',
    'yes'],
  ['Clockwork', 'Ben Gärtner', 'composer', 'EU', 'EUR', 'on invoice', '50', '13.04.2020', '01.05.2020', 'yes'],
  ['Doll’s Garden', 'Ada O\'Neill', 'author', 'EU', 'EUR', 'on invoice', '60,25', '13.04.2021', '01.05.2021', 'yes'],
  ['Doll’s Garden', 'Nobody Known', 'author', 'EU', 'EUR', 'on invoice', '10', '13.04.2021', '01.05.2021', 'yes']];

const VENDORS: string[][] = [['Vendor', 'Street', 'City', 'Zip', 'Country', 'Currency', 'Divisions', 'Terms'],
  ['Druckerei Müller', 'Rheinstraße 7', 'Bonn', '53111', 'Germany', 'EUR', 'EU', '14'],
  ['DRUCKEREI  MÜLLER', 'Rheinstraße 7', 'Bonn', '53111', 'Germany', 'EUR', 'EU', '14'],
  ['No Country Print', '1 Mill Road', 'Keene', '03431', 'Narnia', 'EUR', 'EU', '14']];

const MATERIALS: Cell[][] = [['Item number', 'Name', 'Show', 'Category', 'Type', 'Delivered', 'Replacement EUR'],
  ['UHRWERK-LIB', 'Libretto', 'UHRWERK', 'scripts', 'rental', 'physical', 40],
  ['UHRWERK-VOC', 'Vocal book', 'Clockwork', 'scripts', 'rental', 'physical', 42.5],
  ['UHRWERK-LIB', 'Libretto', 'UHRWERK', 'scripts', 'rental', 'physical', 40],
  ['NO-SHOW', 'Libretto', 'No Such Show', 'scripts', 'rental', 'physical', 40]];

const STOCK: string[][] = [['Warehouse', 'Item number', 'Counted'], ['CGN', 'UHRWERK-LIB', '24'],
  ['CGN', 'UHRWERK-VOC', '130'], ['CGN', 'UHRWERK-VIOLA', '3']];

const CUSTOMER_HEADS = ['Customer', 'Kind', 'Street', 'City', 'State', 'Zip', 'Country', 'Currency', 'Default division',
  'Email', 'Terms'];
const SPECIAL: Cell[][] = [
  ['Théâtre de l’Île', 'professional', '3 rue du Port', 'Lyon', '', 69001, 'France', 'EUR', 'EU', '', 30],
  ['Theatre de l\'Ile', '', '3 rue du Port', 'Lyon', '', 69001, 'France', 'EUR', 'EU', '', ''],
  ['O’Neill Players', 'amateur', '9 Mill Road', 'Boston', 'MA', 2112, 'US', 'EUR', 'EU', 'office@oneill.example', 30],
  ['O\'Neill  Players', 'amateur', '', '', '', '', 'US', 'EUR', 'EU', '', ''],
  ['Half an address', '', 'Domplatz 3', '', '', '', 'Germany', 'EUR', 'EU', '', ''],
];
/** Names that are far enough apart not to be asked about. */
const SYLLABLES = ['ba', 'co', 'du', 'fe', 'gi', 'ha', 'jo', 'ku', 'le', 'mi', 'no', 'pa', 'qui', 'ro', 'su', 'ta'];
const nameOf = (n: number): string => {
  const word = [n % 16, Math.floor(n / 16) % 16, Math.floor(n / 256) % 16, (n * 7 + 3) % 16]
    .map((at) => SYLLABLES[at]!).join('');
  return `${word.charAt(0).toUpperCase()}${word.slice(1)} Society ${n}`;
};
const customersOf = (count: number): Cell[][] => [CUSTOMER_HEADS, ...SPECIAL, ...Array.from({ length: count },
  (_, n): Cell[] => [nameOf(n), 'amateur', `${n + 1} High Street`, `Town ${n}`, '', String(10_000 + n), 'Germany',
    'EUR', 'EU', `office${n}@society.example`, 14])];

/** Lists in the order in which a house brings them; so many customers besides those with something special. */
export async function oldLists(customers: number): Promise<OldList[]> {
  const list = async (model: OldList['model'], kind: 'xlsx' | 'csv', rows: readonly Cell[][],
    [ready, duplicate, refused]: readonly [number, number, number]): Promise<OldList> =>
    ({ model, name: `${model.replaceAll('_', ' ')}.${kind}`, content: await writeFile(kind, rows), ready, duplicate,
      refused, asks: model === 'venues' });
  return [await list('shows', 'xlsx', SHOWS, [3, 2, 1]), await list('venues', 'csv', VENUES, [2, 1, 1]),
    await list('royaltors', 'csv', ROYALTORS, [1, 1, 1]), await list('agreements', 'csv', AGREEMENTS, [3, 0, 1]),
    await list('customers', 'xlsx', customersOf(customers), [customers + 2, 2, 1]),
    await list('vendors', 'csv', VENDORS, [1, 1, 1]), await list('materials', 'xlsx', MATERIALS, [2, 1, 1]),
    await list('stock_counts', 'csv', STOCK, [2, 0, 1])];
}

/** Owed by customers on the day of the move, in minor units of EUR, by their names in the product. */
export const OWED: Readonly<Record<string, number>> = { 'Théâtre de l’Île': 123_450 - 10_000,
  'O’Neill Players': 80_000 + 45_000, [nameOf(3)]: 61_005 };
export const OWED_TO_VENDOR = 98_075 - 5_000;
/** By author: owed, held in reserve, paid in advance and not recouped. */
export const AUTHORS: Readonly<Record<string, { owed: number; reserve: number; advance: number }>> = {
  'Ada O’Neill': { owed: 125_050 + 4_000, reserve: 30_000, advance: 0 },
  'Ben Gärtner': { owed: 0, reserve: 0, advance: 300_000 } };
export const BANK = 5_012_345;
/** Of it a payment that the bank has not seen yet. */
export const OUTSTANDING = 60_000;
export const DEPOSITS = { security: 50_000, on_account: 8_000 };
export const DEFERRED = 90_000;

const german = (minor: number): string => {
  const text = (Math.abs(minor) / 100).toFixed(2).replace('.', ',').replace(/\B(?=(\d{3})+(?!\d))/g, '.');
  return minor < 0 ? `-${text}` : text;
};
const total = (of: Readonly<Record<string, number>>): number => Object.values(of).reduce((all, one) => all + one, 0);
const authors = (of: 'owed' | 'reserve' | 'advance'): number =>
  Object.values(AUTHORS).reduce((all, one) => all + one[of], 0);

/** Debits are positive. What is left over is the capital of the old house. */
function trialBalance(): string[][] {
  const lines: [string, string, number][] = [['1000', 'Bank', BANK], ['1100', 'Receivables', total(OWED)],
    ['1150', 'Advances to authors', authors('advance')], ['2000', 'Payables', -OWED_TO_VENDOR],
    ['2100', 'Deferred income', -DEFERRED], ['2150', 'Security deposits', -DEPOSITS.security],
    ['2160', 'Paid on account', -DEPOSITS.on_account], ['2200', 'Royalties due', -authors('owed')],
    ['2205', 'Reserves', -authors('reserve')]];
  const capital = -lines.reduce((all, [, , minor]) => all + minor, 0);
  return [['Account', 'Name', 'Debit', 'Credit'], ...[...lines, ['3100', 'Capital', capital] as const]
    .map(([code, name, minor]) => [code, name, minor > 0 ? german(minor) : '', minor < 0 ? german(-minor) : ''])];
}

export interface OldBooks { kind: 'next_numbers' | 'ledger' | 'receivables' | 'payables' | 'deposits' | 'deferred'
  | 'royaltors' | 'advances' | 'reserves' | 'banks'; label: string; name: string; content: Buffer; rows: number;
  /** Balance of 3999 once the set is posted, debits positive, in minor units. */
  after: number }

/** The sets in the order in which they are posted; `license` is the number of a licence that deposits were paid for. */
export async function oldBooks(license: string): Promise<OldBooks[]> {
  const sets: [OldBooks['kind'], string, 'xlsx' | 'csv', Cell[][], number][] = [
    ['next_numbers', 'Next numbers', 'csv', [['Series', 'Year', 'Next number'], ['Invoice', '2026', '501']], 0],
    ['ledger', 'Trial balance', 'csv', trialBalance(), 0],
    ['receivables', 'Open invoices', 'csv', [['Customer', 'Number', 'Date', 'Due date', 'Amount open', 'Currency',
      'Exchange rate'],
    ['Theatre de l\'Ile', '00417', '03.09.2026', '03.10.2026', '1.234,50', '', ''],
    ['Théâtre de l’Île', '', '05.10.2026', '', '(100,00)', '', ''],
    ['O\'Neill Players', '00418', '13.10.2026', '12.11.2026', '800,00', '', ''],
    ['O’Neill Players', '00419', '14.10.2026', '13.11.2026', '500,00', 'USD', '0,9000'],
    [nameOf(3), '00420', '15.10.2026', '', '610,05', '', '']], total(OWED)],
    ['payables', 'Open bills', 'csv', [['Vendor', 'Number', 'Date', 'Due date', 'Amount open'],
      ['Druckerei Müller', 'R-2201', '05.10.2026', '19.10.2026', '980,75'],
      ['DRUCKEREI MÜLLER', 'R-2180', '05.09.2026', '', '-50,00']], -OWED_TO_VENDOR],
    ['deposits', 'Deposits held', 'csv', [['License', 'Kind', 'Amount held'],
      [license, 'Security deposit', '500,00'], [license, 'On account', '80,00']],
    -DEPOSITS.security - DEPOSITS.on_account],
    ['deferred', 'Deferred income', 'csv', [['Customer', 'Invoice number', 'Amount deferred', 'Release on'],
      ['O\'Neill Players', '00402', '900,00', '15.11.2026']], -DEFERRED],
    ['royaltors', 'Royalties owed', 'xlsx', [['Show', 'Royaltor', 'Amount owed'],
      ['KAETHCHEN', 'Ada O\'Neill', 1250.5], ['Doll\'s Garden', 'ADA O’NEILL', 40]], -authors('owed')],
    ['advances', 'Advances to royaltors', 'xlsx', [['Show', 'Royaltor', 'Advance not recouped'],
      ['Clockwork', 'Ben Gärtner', 3000]], authors('advance')],
    ['reserves', 'Royalty reserves', 'csv', [['Show', 'Royaltor', 'Reserve held'],
      ['Käthchen’s Lantern', 'Ada O’Neill', '300,00']], -authors('reserve')],
    ['banks', 'Bank balances', 'csv', [['Bank account', 'Balance', 'Reference', 'Date'],
      ['1000', german(BANK + OUTSTANDING), '', ''], ['1000', german(-OUTSTANDING), '1043', '20.10.2026']], BANK]];
  // The trial balance waits on 3999 for the documents of the accounts that have them.
  let after = 0;
  const books: OldBooks[] = [];
  for (const [kind, label, type, rows, brings] of sets) {
    after = kind === 'ledger' ? carried() : after - brings;
    books.push({ kind, label, name: `${label.toLowerCase()}.${type}`, content: await writeFile(type, rows),
      rows: rows.length - 1, after });
  }
  return books;
}

/** Everything of the trial balance that documents bring. */
function carried(): number {
  return BANK + total(OWED) + authors('advance') - OWED_TO_VENDOR - DEFERRED - DEPOSITS.security - DEPOSITS.on_account
    - authors('owed') - authors('reserve');
}
