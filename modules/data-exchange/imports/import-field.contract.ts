/**
 * The fields a box-office file can carry, and the words under which columns of other programs usually name them. The
 * first word is ours and heads the column of the downloadable template.
 */
import { CURRENCIES } from '#kernel/money/money.ts';
import { deductionLabel } from '#kernel/pricing/deduction-words.ts';
import { DEDUCTION_TYPES, type DeductionType } from '#kernel/pricing/rate-card.ts';
import { spell } from '#kernel/text/english.ts';

export const IMPORT_FIELDS = ['date', 'time', 'period_from', 'show', 'venue', 'license_number', 'currency', 'gross',
  'performances', 'attendance', 'complimentary', 'capacity', 'capacity_percent', 'tax_included',
  'running_costs', ...DEDUCTION_TYPES] as const;
export type ImportField = (typeof IMPORT_FIELDS)[number];

export const DATE_FORMATS = ['YYYY-MM-DD', 'MM/DD/YYYY', 'DD/MM/YYYY', 'DD.MM.YYYY'] as const;
export type DateFormat = (typeof DATE_FORMATS)[number];
export const DECIMAL_STYLES = ['point', 'comma'] as const;
export type DecimalStyle = (typeof DECIMAL_STYLES)[number];
export const DATE_MEANINGS = ['performance', 'week_start', 'week_end'] as const;
export type DateMeaning = (typeof DATE_MEANINGS)[number];
export const DELIMITERS = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof DELIMITERS)[number];
export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'windows-1250', 'iso-8859-15',
  'macintosh'] as const;
export type Encoding = (typeof ENCODINGS)[number];

export interface FieldFacts {
  label: string;
  /** Type of the cells; text if absent. Date and number formats of a file are detected from their cells. */
  type?: 'date' | 'amount' | 'count' | 'percent';
  /** One sentence for the mapping screen. */
  hint: string;
  /** A row without it is refused: from a column or from a constant. */
  required: boolean;
  /** May stand once for the whole file. */
  constant: boolean;
  /** Column heads seen in the wild, folded. */
  heads: readonly string[];
  /** The only words a constant may be. */
  options?: readonly string[];
  /** Words that lists use for an option: 'High school' for school_k12. */
  synonyms?: Readonly<Record<string, readonly string[]>>;
  /** A cell of the example row of a downloaded template. */
  example?: string;
}
/** Fields of one kind of import by their name, in the order of the screens. */
export type FieldSet = Readonly<Record<string, FieldFacts>>;

/** A deduction from the gross; the deal decides which of them it allows. */
function deduction(type: DeductionType, heads: readonly string[]): FieldFacts {
  return { label: deductionLabel(type), hint: spell`Deducted from the gross as far as the license allows`,
    required: false, constant: false, type: 'amount', heads, example: '' };
}

/** Fields of box-office returns; the other kinds have theirs in `kinds/`. */
export const FIELD_FACTS: Record<ImportField, FieldFacts> = {
  date: { label: 'Date', hint: 'The performance, or the day the week starts or ends', required: true, constant: false,
    type: 'date', heads: ['week ending', 'week to', 'date to', 'to', 'date', 'date full', 'week end', 'w e',
      'we date', 'week', 'performance date',
      'period end', 'period'] },
  time: { label: 'Time', hint: 'When the performance began, where a day has several', required: false, constant: false,
    heads: ['time', 'performance time', 'start time', 'curtain'], example: '19:30' },
  period_from: { label: 'First day', hint: 'For a whole run: its first day; the date is then its last',
    type: 'date', required: false, constant: false, heads: ['period from', 'first day', 'week from', 'date from',
      'from',
      'start date', 'week starting'] },
  show: { label: 'Show', hint: 'Title, show code or any of the show’s other names', required: true, constant: true,
    heads: ['show', 'show name', 'title', 'production', 'show title', 'play', 'musical', 'work'],
    example: 'The Gondoliers' },
  venue: { label: 'Venue', hint: 'Name, number or any of the venue’s other names', required: true, constant: true,
    heads: ['venue', 'theatre', 'theater', 'show theatre', 'show theater', 'house', 'venue name'],
    example: 'Savoy Hall' },
  license_number: { label: spell`License number`, hint: spell`Names the license directly where several would match`,
    required: false, constant: true, heads: ['licence number', 'license number', 'licence', 'license', 'contract'] },
  currency: { label: 'Currency', hint: spell`USD, EUR or GBP; must be the license’s`, required: true, constant: true,
    heads: ['currency', 'ccy', 'cur'] },
  gross: { label: 'Gross', hint: spell`Gross receipts of the period`, required: true, constant: false,
    type: 'amount',
    heads: ['gross', 'statistics gross', 'box office gross', 'gross receipts', 'takings', 'weekly gross',
      'gross revenue', 'this week gross', 'total gross', 'nagbor'], example: '41260.50' },
  performances: { label: 'Performances', hint: 'Number of performances', required: false, constant: false,
    type: 'count',
    heads: ['performances', 'statistics performances', 'perfs', 'perf', 'shows given', 'number of performances'],
    example: '8' },
  attendance: { label: 'Attendance', hint: 'Paid admissions', required: false, constant: false,
    type: 'count',
    heads: ['attendance', 'statistics attendance', 'paid admissions', 'admissions', 'tickets sold', 'seats sold',
      'paid',
      'paid attendance', 'paid tickets', 'paid seats', 'tickets'],
    example: '1842' },
  complimentary: { label: 'Complimentary', hint: 'Tickets given away', required: false, constant: false,
    type: 'count',
    heads: ['complimentary', 'comps', 'complimentary tickets', 'free tickets'], example: '24' },
  capacity: { label: 'Seats offered', hint: 'Seats on sale in the period', required: false, constant: false,
    type: 'count',
    heads: ['seats offered', 'seats', 'seating capacity', 'house capacity', 'capacity seats', 'seats available',
      'available seats', 'seats in theatre'],
    example: '2080' },
  capacity_percent: { label: 'Capacity %', hint: 'Seats sold as a percentage of seats offered; over 100 is asked about',
    required: false, constant: false, type: 'percent',
    heads: ['capacity %', 'capacity', 'statistics capacity', 'capacity percent', 'percent capacity', '% cap', 'cap %',
      'occupancy'], example: '88.6' },
  tax_included: { label: 'Tax included', hint: 'Whether the gross holds the tax on tickets: yes or no',
    required: false, constant: true, heads: ['tax included', 'vat included', 'incl vat', 'gross of vat'],
    example: 'no' },
  running_costs: { label: 'Running costs', hint: 'Of the week, where royaltors share in its operating profit',
    type: 'amount', required: false, constant: false,
    heads: ['running costs', 'weekly running costs', 'operating costs', 'running expenses'], example: '' },
  admission_tax: deduction('admission_tax', ['admission tax', 'admissions tax', 'ticket tax', 'amusement tax']),
  theatre_party_commission: deduction('theatre_party_commission', ['theatre party commission',
    'theater party commission', 'party commission']),
  union_pension_welfare: deduction('union_pension_welfare', ['union pension and welfare', 'pension and welfare']),
  group_sales_commission: deduction('group_sales_commission', ['group sales commission', 'group commission',
    'group sales commissions']),
  card_commission: deduction('card_commission', ['card commission', 'credit card commission', 'credit card fees',
    'card fees', 'credit card charges', 'card charges']),
  remote_ticketing_commission: deduction('remote_ticketing_commission', ['remote ticketing commission',
    'remote commission', 'agency commission', 'ticket agency commission']),
  restoration_charge: deduction('restoration_charge', ['restoration charge', 'restoration fee', 'facility fee',
    'restoration levy']),
  subscription_discount: deduction('subscription_discount', ['subscription discount', 'subscription discounts']),
};

/** Lower case, letters and digits and % only, one space between words. */
export function foldHead(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/[^a-z0-9%]+/g, ' ').trim();
}

/**
 * Maps columns to fields: first the names a template remembers, then the words of the trade, each column once.
 * Returns column positions; a field without one is absent.
 */
export function matchHeads(
  header: readonly string[], fields: FieldSet = FIELD_FACTS, remembered: Readonly<Record<string, string>> = {},
): Record<string, number> {
  const folded = header.map(foldHead);
  const taken = new Set<number>();
  const found: Record<string, number> = {};
  const take = (field: string, head: string): void => {
    const at = folded.findIndex((text, index) => text === head && !taken.has(index));
    if (found[field] !== undefined || head === '' || at < 0) return;
    found[field] = at;
    taken.add(at);
  };
  for (const field of Object.keys(fields)) take(field, foldHead(remembered[field] ?? ''));
  const longest = Math.max(...Object.values(fields).map((facts) => facts.heads.length));
  for (let rank = 0; rank < longest; rank += 1) {
    for (const [field, facts] of Object.entries(fields)) take(field, facts.heads[rank] ?? '');
  }
  return found;
}

/** Heads that stand over several columns, and columns that nothing is read from. */
export function columnNotes(
  { header, columns }: { header: readonly string[]; columns: Readonly<Record<string, number>> },
): { repeated: string[]; unused: string[] } {
  const used = new Set(Object.values(columns));
  const named = header.map((head, at) => head === '' ? `Column ${at + 1}` : head);
  const repeated = named.filter((head, at) => header[at] !== '' && named.findIndex((other) =>
    foldHead(other) === foldHead(head)) !== at);
  return { repeated: [...new Set(repeated)], unused: named.filter((_, at) => !used.has(at)) };
}

/** The option that a word stands for: the option itself in any spelling ("School hall"), or one of its synonyms. */
export function optionOf(facts: Pick<FieldFacts, 'options' | 'synonyms'>, word: string): string | null {
  const folded = foldHead(word);
  return facts.options?.find((option) => foldHead(option) === folded
    || facts.synonyms?.[option]?.some((synonym) => foldHead(synonym) === folded)) ?? null;
}

/** Why a text cannot stand for a whole file; null where it can. */
export function constantProblem(fields: FieldSet, field: string, value: string): string | null {
  const facts = fields[field];
  if (!facts) return 'This is not a field we know';
  if (!facts.constant) return `${facts.label} is read from a column`;
  if (field === 'currency' && !(CURRENCIES as readonly string[]).includes(value)) return 'Choose USD, EUR or GBP';
  if (field === 'tax_included' && !['yes', 'no'].includes(value)) return 'Say yes or no';
  if (facts.options && optionOf(facts, value) === null) return `Say ${facts.options.join(', ')}`;
  return null;
}
