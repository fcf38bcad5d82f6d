/**
 * The words of every refusal that a schema does not put in its own: what to enter, never what a parser expected. Set
 * once, by the server, which alone checks (error-answer.ts); a text at the schema wins.
 */
import * as z from 'zod';
import { spell } from '#kernel/text/english.ts';

type Issue = Parameters<z.core.$ZodErrorMap>[0];

const KINDS: Readonly<Record<string, string>> = {
  number: 'Enter a number', int: 'Enter a whole number', bigint: 'Enter a whole number', string: 'Enter text',
  boolean: 'Send true or false', array: 'Send a list', object: 'Send a set of fields', record: 'Send a set of fields',
};
const FORMATS: Readonly<Record<string, string>> = {
  email: 'Enter a valid email address', url: 'Enter a web address', date: 'Enter a date', datetime: 'Enter a date with '
    + 'its time', uuid: 'Send an identifier', json_string: 'Send valid JSON',
};
/** Nouns for fields that hold a record's number, if the name on the wire is not the word of the field. */
const RECORDS: Readonly<Record<string, string>> = {
  actor: 'person', add_on: 'add-on', agent_royaltor: 'royaltor', assignee: 'person', attachment: 'file',
  bom_template: 'BOM template', cross_collateral_group: 'group', customer_classification: 'classification',
  invoice_item: 'line of the invoice', ledger_account: 'account', ledger_header: 'header',
  license: 'license', license_application: 'application', license_rep: 'representative', license_venue: 'venue',
  match_add_on: 'add-on', match_customer_classification: 'classification', optional_material: 'material',
  replaces_report: 'report', royalty_statement: 'statement', show_package: 'package', show_royaltor: 'agreement',
  up_to: 'notification', user: 'person', waiver_approval: 'approval',
};
/** Longer lists than this say nothing that a person would read. */
const NAMED_OPTIONS = 12;

const number = (value: number | bigint): string => value.toLocaleString('en-US');
const counted = (count: number | bigint, one: string, many: string): string =>
  `${number(count)} ${Number(count) === 1 ? one : many}`;

function most(origin: string, value: number | bigint, inclusive: boolean): string {
  if (origin === 'string') return `At most ${counted(value, 'character', 'characters')}`;
  if (origin === 'array' || origin === 'set') return `At most ${counted(value, 'entry', 'entries')}`;
  return inclusive ? `At most ${number(value)}` : `Less than ${number(value)}`;
}

function least(origin: string, value: number | bigint, inclusive: boolean): string {
  if (origin === 'string') return Number(value) === 1 ? 'This is required' : `At least ${number(value)} characters`;
  if (origin === 'array' || origin === 'set') return `At least ${counted(value, 'entry', 'entries')}`;
  if (inclusive && Number(value) === 0) return 'This cannot be negative';
  return inclusive ? `At least ${number(value)}` : `More than ${number(value)}`;
}

/**
 * "Choose an agreement" for a field of a record's number, one or a list of them: nobody enters such a number, it is
 * chosen by name. Null for every other field.
 */
function choice(path: readonly PropertyKey[] | undefined): string | null {
  const name = path?.findLast((part) => typeof part === 'string');
  const record = typeof name === 'string' ? /^(.+)_ids?$/.exec(name)?.[1] : undefined;
  if (record === undefined) return null;
  const noun = spell(RECORDS[record] ?? record.replaceAll('_', ' '));
  return `Choose ${/^(a|e|i|o)/i.test(noun) ? 'an' : 'a'} ${noun}`;
}

const isNumber = (kind: string): boolean => kind === 'number' || kind === 'int';
/** A form sends null for what was left empty. */
const isEmpty = (input: unknown): boolean => input === undefined || input === null;

/** Undefined where the general words of the library are as good. */
export function plainError(issue: Issue): string | undefined {
  switch (issue.code) {
    case 'invalid_type': {
      const chosen = isNumber(issue.expected) ? choice(issue.path) : null;
      if (chosen !== null) return chosen;
      return isEmpty(issue.input) ? 'This is required' : KINDS[issue.expected] ?? 'This has a form we do not know';
    }
    case 'too_big': return most(issue.origin, issue.maximum, issue.inclusive !== false);
    case 'too_small': return (isNumber(issue.origin) ? choice(issue.path) : null)
      ?? least(issue.origin, issue.minimum, issue.inclusive !== false);
    case 'invalid_format': return FORMATS[issue.format] ?? 'This has a form we do not know';
    case 'not_multiple_of': return `Use steps of ${number(issue.divisor)}`;
    case 'invalid_value': {
      const { values } = issue;
      if (isEmpty(issue.input)) return 'This is required';
      return values.length > NAMED_OPTIONS ? 'Choose one of the values offered here'
        : `Choose ${values.length === 1 ? '' : 'one of '}${values.map(String).join(', ')}`;
    }
    case 'invalid_union': case 'invalid_key': case 'invalid_element': return 'This has a form we do not know';
    default: return undefined;
  }
}

z.config({ customError: plainError });
