/**
 * The text of a contract as clauses: paragraphs with named placeholders, each for all licences or for those that meet a
 * condition. A paragraph whose placeholder has nothing to say in a licence is left out, so that no sentence stands on
 * paper with a gap in it.
 */

/** Words that a licence fills in. Those of the first list are never empty. */
export const CERTAIN_WORDS = {
  licensor: 'Name of the licensor', licensee: 'Name of the licensee', reference: 'Number and version of the offer',
  offer_date: 'Date of the offer', expires_on: 'Last day of the offer', work: 'Title and authors',
  title: 'Title of the show', producing_organization: 'Producing organization', rights: 'Rights granted',
  language: 'Language of the performances', territory: 'Territory', run: 'First and last performance',
  performance_count: 'Number of performances', venues: 'Venues', total: 'Total, with tax',
  effect: 'Sentence on when the license takes effect', pay_by: 'Last day to pay before issue, with its reason',
} as const;
export const POSSIBLE_WORDS = {
  exclusivity: 'Radius and days of the exclusivity', max_performances: 'Most performances',
  average_seat_cap: 'Most seats on average', ticket_price_cap: 'Highest ticket price', discount: 'Discount',
  refundable_deposit: 'Refundable security deposit', on_account: 'Payment on account',
  late_interest: 'Interest per month on late payment', report: 'Due date of box-office reports',
  ship_on: 'Day the materials ship', returns_due_on: 'Day the materials are due back',
  comps: 'Complimentary tickets per performance', producer_billing: 'Largest size of Licensee’s name',
  presenter_line: 'Presenter line', program_text: 'Required program text', changes: 'Agreed clause on changes',
  merchandise: 'Agreed clause on merchandise', insurance: 'Agreed clause on insurance', other_terms: 'Other terms',
  governing_law: 'Governing law',
} as const;
/** Tables and lists, each placed in a paragraph of its own. */
export const TABLES = {
  parties_table: 'Parties, addresses and contacts', performances_table: 'Dates, times and venues',
  seats_table: 'Seats and ticket prices', price_table: 'Price', royalty_table: 'Royalty terms',
  payment_table: 'Payment plan', cancellation_table: 'Amounts kept and refunded on cancellation',
  materials_table: 'Materials, returns and replacement prices', credits_table: 'Billing and sizes',
} as const;
export type ContractWord = keyof typeof CERTAIN_WORDS | keyof typeof POSSIBLE_WORDS;
export type ContractTable = keyof typeof TABLES;

export const CONDITIONS = {
  always: 'Every license', percentage: 'Royalty is a percentage of gross', fixed_price: 'Royalty is a fixed amount',
  paid_before_issue: 'Paid before issue', purchase_order: 'Purchase order', signature_only: 'Signature alone',
  materials_lent: 'Materials are lent', exclusive: 'Exclusive', non_exclusive: 'Non-exclusive',
  streaming: 'Streaming is licensed', no_streaming: 'Streaming is not licensed',
  no_recording: 'No recording is licensed',
  archival_recording: 'An archival recording is licensed', personal_recording: 'Personal recordings are licensed',
  replica_forbidden: 'Replica staging is forbidden', logo_licensed: 'The logo is licensed',
  logo_not_licensed: 'The logo is not licensed', audit: 'Audit right', no_late_interest: 'No interest agreed',
  no_insurance_terms: 'No agreed clause on insurance',
} as const;
export type ContractCondition = keyof typeof CONDITIONS;

export interface ContractParagraph { readonly when: ContractCondition; readonly text: string }
export interface ContractClause { readonly heading: string; readonly paragraphs: readonly ContractParagraph[] }

/** Contents of one license: words by placeholder ('' where there is nothing), existing tables, conditions met. */
export interface ContractFacts {
  readonly words: Readonly<Record<ContractWord, string>>;
  readonly tables: ReadonlySet<ContractTable>;
  readonly conditions: ReadonlySet<ContractCondition>;
}

export type FilledPart =
  | { readonly kind: 'text'; readonly number: string; readonly text: string }
  | { readonly kind: 'table'; readonly table: ContractTable };
export interface FilledClause { readonly heading: string; readonly parts: readonly FilledPart[] }

const PLACEHOLDER = /\{([^{}]*)\}/g;
const has = (list: object, name: string): boolean => Object.hasOwn(list, name);

/** Problems of one paragraph, as a person who edits it can mend them. */
export function paragraphProblems(text: string): string[] {
  const names = [...text.matchAll(PLACEHOLDER)].map((match) => match[1]!);
  const unknown = names.filter((name) => !has(CERTAIN_WORDS, name) && !has(POSSIBLE_WORDS, name) && !has(TABLES, name));
  const table = names.find((name) => has(TABLES, name));
  return [
    ...text.trim() === '' ? ['Enter the text, or remove the paragraph'] : [],
    ...unknown.map((name) => `{${name}} is not a placeholder. Choose one from the list`),
    ...text.replace(PLACEHOLDER, '').match(/[{}]/) ? ['A brace is open. Write placeholders as {licensee}'] : [],
    ...table !== undefined && text.trim() !== `{${table}}` ? [`{${table}} is a table: give it a paragraph of its own`]
      : [],
  ];
}

/** Clauses with their numbers: heading '3. Materials', paragraphs '3.1', '3.2'. Empty clauses are left out. */
export function fillClauses(clauses: readonly ContractClause[], facts: ContractFacts): FilledClause[] {
  const filled: FilledClause[] = [];
  for (const clause of clauses) {
    const number = filled.length + 1;
    const parts: FilledPart[] = [];
    for (const paragraph of clause.paragraphs) {
      const part = facts.conditions.has(paragraph.when) ? filledPart(paragraph.text.trim(), facts) : null;
      if (part === null) continue;
      const texts = parts.filter((one) => one.kind === 'text').length;
      parts.push(part.kind === 'text' ? { ...part, number: `${number}.${texts + 1}` } : part);
    }
    if (parts.length > 0) filled.push({ heading: `${number}. ${clause.heading}`, parts });
  }
  return filled;
}

function filledPart(text: string, { words, tables }: ContractFacts): FilledPart | null {
  const own = /^\{(\w+)\}$/.exec(text)?.[1];
  if (own !== undefined && has(TABLES, own)) {
    return tables.has(own as ContractTable) ? { kind: 'table', table: own as ContractTable } : null;
  }
  const names = [...text.matchAll(PLACEHOLDER)].map((match) => match[1] as ContractWord);
  if (names.some((name) => words[name] === '')) return null;
  return { kind: 'text', number: '', text: text.replace(PLACEHOLDER, (_all, name: ContractWord) => words[name]) };
}
