/**
 * The fields a box-office file can carry, and the words under which columns of other programs usually name them. The
 * first word is ours and heads the column of the downloadable template.
 */
import { CURRENCIES } from '#kernel/money/money.ts';

export const IMPORT_FIELDS = ['date', 'time', 'period_from', 'show', 'venue', 'license_number', 'currency', 'gross',
  'performances', 'attendance', 'complimentary', 'capacity', 'capacity_percent', 'tax_included'] as const;
export type ImportField = (typeof IMPORT_FIELDS)[number];

export const DATE_FORMATS = ['YYYY-MM-DD', 'MM/DD/YYYY', 'DD/MM/YYYY', 'DD.MM.YYYY'] as const;
export type DateFormat = (typeof DATE_FORMATS)[number];
export const DECIMAL_STYLES = ['point', 'comma'] as const;
export type DecimalStyle = (typeof DECIMAL_STYLES)[number];
export const DATE_MEANINGS = ['performance', 'week_start', 'week_end'] as const;
export type DateMeaning = (typeof DATE_MEANINGS)[number];
export const DELIMITERS = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

export interface FieldFacts {
  label: string;
  /** One sentence for the mapping screen. */
  hint: string;
  /** A row without it is refused: from a column or from a constant. */
  required: boolean;
  /** May stand once for the whole file. */
  constant: boolean;
  /** Column heads seen in the wild, folded. */
  heads: readonly string[];
}

export const FIELD_FACTS: Record<ImportField, FieldFacts> = {
  date: { label: 'Date', hint: 'The performance, or the day the week starts or ends', required: true, constant: false,
    heads: ['week ending', 'date', 'date full', 'week end', 'w e', 'we date', 'week', 'performance date',
      'period end', 'period'] },
  time: { label: 'Time', hint: 'When the performance began, where a day has several', required: false, constant: false,
    heads: ['time', 'performance time', 'start time', 'curtain'] },
  period_from: { label: 'First day', hint: 'For a whole run: its first day; the date is then its last',
    required: false, constant: false, heads: ['period from', 'first day', 'from', 'start date', 'week starting'] },
  show: { label: 'Show', hint: 'Title, show code or any of the show’s other names', required: true, constant: true,
    heads: ['show', 'show name', 'title', 'production', 'show title', 'play', 'musical', 'work'] },
  venue: { label: 'Venue', hint: 'Name, number or any of the venue’s other names', required: true, constant: true,
    heads: ['venue', 'theatre', 'theater', 'show theatre', 'show theater', 'house', 'venue name'] },
  license_number: { label: 'Licence number', hint: 'Names the licence directly where several would match',
    required: false, constant: true, heads: ['licence number', 'license number', 'licence', 'license', 'contract'] },
  currency: { label: 'Currency', hint: 'USD, EUR or GBP; must be the licence’s', required: true, constant: true,
    heads: ['currency', 'ccy', 'cur'] },
  gross: { label: 'Gross', hint: 'Takings of the period', required: true, constant: false,
    heads: ['gross', 'statistics gross', 'box office gross', 'gross receipts', 'takings', 'weekly gross',
      'gross revenue', 'this week gross', 'total gross', 'nagbor'] },
  performances: { label: 'Performances', hint: 'How many were given', required: false, constant: false,
    heads: ['performances', 'statistics performances', 'perfs', 'perf', 'shows given', 'number of performances'] },
  attendance: { label: 'Attendance', hint: 'Paid admissions', required: false, constant: false,
    heads: ['attendance', 'statistics attendance', 'paid admissions', 'admissions', 'tickets sold', 'seats sold'] },
  complimentary: { label: 'Complimentary', hint: 'Tickets given away', required: false, constant: false,
    heads: ['complimentary', 'comps', 'complimentary tickets', 'free tickets'] },
  capacity: { label: 'Seats offered', hint: 'Seats on sale in the period', required: false, constant: false,
    heads: ['seats offered', 'capacity seats', 'seats available', 'available seats', 'seats in theatre'] },
  capacity_percent: { label: 'Capacity %', hint: 'Seats sold as a percentage of seats offered; over 100 is asked about',
    required: false, constant: false,
    heads: ['capacity %', 'capacity', 'statistics capacity', 'capacity percent', 'percent capacity', '% cap', 'cap %',
      'occupancy'] },
  tax_included: { label: 'Tax included', hint: 'Whether the gross holds the tax on tickets: yes or no',
    required: false, constant: true, heads: ['tax included', 'vat included', 'incl vat', 'gross of vat'] },
};

/** Lower case, letters and digits and % only, one space between words. */
export function foldHead(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/[^a-z0-9%]+/g, ' ').trim();
}

/**
 * Which column feeds which field: first the names a template remembers, then the words of the trade, each column once.
 * Answers column positions; a field without one is absent.
 */
export function matchHeads(
  header: readonly string[], remembered: Partial<Record<ImportField, string>> = {},
): Partial<Record<ImportField, number>> {
  const folded = header.map(foldHead);
  const taken = new Set<number>();
  const found: Partial<Record<ImportField, number>> = {};
  const take = (field: ImportField, head: string): void => {
    const at = folded.findIndex((text, index) => text === head && !taken.has(index));
    if (found[field] !== undefined || head === '' || at < 0) return;
    found[field] = at;
    taken.add(at);
  };
  for (const field of IMPORT_FIELDS) take(field, foldHead(remembered[field] ?? ''));
  const longest = Math.max(...IMPORT_FIELDS.map((field) => FIELD_FACTS[field].heads.length));
  for (let rank = 0; rank < longest; rank += 1) {
    for (const field of IMPORT_FIELDS) take(field, FIELD_FACTS[field].heads[rank] ?? '');
  }
  return found;
}

/** The words a constant may be; null where it stands. */
export function constantProblem(field: ImportField, value: string): string | null {
  if (!FIELD_FACTS[field].constant) return `${FIELD_FACTS[field].label} is read from a column`;
  if (field === 'currency' && !(CURRENCIES as readonly string[]).includes(value)) return 'Choose USD, EUR or GBP';
  if (field === 'tax_included' && !['yes', 'no'].includes(value)) return 'Say yes or no';
  return null;
}
