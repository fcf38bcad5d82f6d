/**
 * Fields of a resource: one declaration of type, label, limits and hints, shared by the server's validation, the
 * form, the table, CSV and the documentation. Messages follow one style: "<Label> is required".
 */
import * as z from 'zod';
import { CURRENCIES, MAX_MINOR } from '#kernel/money/money.ts';

export type FieldKind =
  | 'text' | 'long_text' | 'email' | 'url' | 'integer' | 'minor' | 'ppm' | 'date' | 'time' | 'instant'
  | 'bool' | 'choice' | 'choices' | 'ref' | 'refs' | 'address' | 'json';

export interface Field<T extends z.ZodType = z.ZodType> {
  readonly kind: FieldKind;
  readonly label: string;
  readonly schema: T;
  /** Schema of a stored value, if less strict than the form's; the schema if absent. */
  readonly stored?: z.ZodType;
  readonly required: boolean;
  /** One sentence under the input. */
  readonly caption?: string;
  readonly options?: readonly string[];
  /** For `ref`: the list endpoint's path that offers the choices. */
  readonly source?: string;
  /** Value of an empty create form. */
  readonly initial?: unknown;
  /** Set once, at creation. */
  readonly immutable?: boolean;
}

interface Hints {
  caption?: string;
  initial?: unknown;
  immutable?: boolean;
}

function make<T extends z.ZodType>(kind: FieldKind, label: string, schema: T, required: boolean, hints: object = {}) {
  return { kind, label, schema, required, ...hints } as Field<T>;
}

const DIVISION_CODES = ['US', 'EU', 'UK', 'PROD'] as const;
export const divisionCode = z.enum(DIVISION_CODES);
export type Division = z.infer<typeof divisionCode>;
export const DIVISIONS: readonly Division[] = DIVISION_CODES;
/** Display names of divisions; PROD is shown as Production (SPEC.md section 2). */
export const DIVISION_LABELS: Record<Division, string> = { US: 'US', EU: 'EU', UK: 'UK', PROD: 'Production' };
export const currencyCode = z.enum(CURRENCIES);

/** An empty field is told nothing of the wire: forms write dates as their reader does. */
const NO_DATE = ({ input }: { input?: unknown }): string => (
  input === '' ? 'Enter a date' : 'Enter a date that exists, as YYYY-MM-DD');
/** A calendar date `YYYY-MM-DD` that exists. */
export const isoDate = z.string().refine((text) => {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const [year, month, day] = text.split('-').map(Number) as [number, number, number];
  if (year < 1900 || year > 2200 || month < 1 || month > 12 || day < 1) return false;
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return day <= [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]!;
}, { error: NO_DATE });
export const localTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter a time as HH:MM');
export const instant = z.string();
export const id = z.int().min(1);
const WHOLE_CENTS = ({ input }: { input?: unknown }): string => (
  input == null ? 'Enter an amount' : 'Enter an amount with at most two decimals');
const LARGEST = 'At most 10,000,000,000.00';
/** Integer minor units, at most 10^12 either way. */
export const minor = z.int({ error: WHOLE_CENTS }).min(-Number(MAX_MINOR), LARGEST).max(Number(MAX_MINOR), LARGEST);
export const positiveMinor = z.int({ error: WHOLE_CENTS }).min(0, 'An amount cannot be negative')
  .max(Number(MAX_MINOR), LARGEST);
export const ppm = z.int().min(0).max(1_000_000_000);
export const version = z.int().min(1);
/**
 * A name of a person or an organisation: one line. It ends up in mails, where a line break would be a header of its own
 * (reliability.md 2.4), so control characters are refused here, at the field.
 */
export const nameLine = (label: string, max = 120) => oneLine(label, z.string().trim().min(1, `${label} is required`)
  .max(max, `${label} is longer than ${max} characters`));

/** Line breaks, control characters, and what turns the direction of the text around it. */
const UNSEEN = /[\p{Cc}\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/u;
/** Letters, digits and signs; blanks, joiners and fillers alone are no name. */
const VISIBLE = /[[\p{L}\p{N}\p{P}\p{S}]--\p{Default_Ignorable_Code_Point}]/v;

/** A text of one line that a person can see. */
export function oneLine<T extends z.ZodType<string, string>>(label: string, schema: T): T {
  return schema
    .refine((text) => !UNSEEN.test(text), `${label} cannot hold line breaks or control characters`)
    .refine((text) => text === '' || VISIBLE.test(text), `${label} needs a letter or a digit that can be seen`);
}

/** SPEC.md section 3 Address, with the messages of section 5. */
export const address = z.strictObject({
  country_code: z.string().length(2, 'Choose a country'),
  thoroughfare: z.string().trim().min(1, 'Address 1 is required').max(200),
  premise: z.string().trim().max(200).optional(),
  locality: z.string().trim().min(1, 'City is required').max(120),
  administrative_area: z.string().trim().max(120),
  postal_code: z.string().trim().min(1, 'Postal code is required').max(20),
});
export type Address = z.infer<typeof address>;

/** An address as far as it is known: lists from elsewhere often name the town alone. */
export const knownAddress = z.strictObject({
  country_code: z.string().length(2, 'Choose a country'),
  thoroughfare: z.string().max(200, 'Address 1 is longer than 200 characters'),
  premise: z.string().max(200, 'Address 2 is longer than 200 characters').optional(),
  locality: z.string().max(120, 'City is longer than 120 characters'),
  administrative_area: z.string().max(120, 'State is longer than 120 characters'),
  postal_code: z.string().max(20, 'Postal code is longer than 20 characters'),
});

interface TextHints extends Hints {
  max?: number;
  pattern?: RegExp;
  message?: string;
}

function requiredText(label: string, { max = 200, pattern, message }: TextHints) {
  const base = z.string().trim().min(1, `${label} is required`).max(max, `${label} is longer than ${max} characters`);
  return pattern ? base.regex(pattern, message ?? `${label} has a form we do not know`) : oneLine(label, base);
}

function optionalText(label: string, { max = 200, pattern, message }: TextHints) {
  const base = z.string().trim().max(max, `${label} is longer than ${max} characters`);
  return (pattern ? base.regex(pattern, message ?? `${label} has a form we do not know`) : oneLine(label, base))
    .nullable();
}

/** Schema of a stored text: texts from before there was a rule stay readable. */
const storedText = (max: number) => z.string().max(max);

function longText(label: string, { max = 10_000 }: TextHints) {
  return z.string().trim().max(max, `${label} is longer than ${max} characters`).nullable();
}

function wholeNumber(label: string, { min = 0, max = 1_000_000_000 }: { min?: number; max?: number }) {
  return z.int(`${label} must be a whole number`)
    .min(min, `${label} is at least ${min}`).max(max, `${label} is at most ${max}`);
}

export const field = {
  text: (label: string, hints: TextHints = {}) =>
    make('text', label, requiredText(label, hints), true, { stored: storedText(hints.max ?? 200), ...hints }),
  optionalText: (label: string, hints: TextHints = {}) => make('text', label, optionalText(label, hints), false,
    { initial: null, stored: storedText(hints.max ?? 200).nullable(), ...hints }),
  longText: (label: string, hints: TextHints = {}) =>
    make('long_text', label, longText(label, hints), false, { initial: null, ...hints }),
  email: (label: string, hints: Hints = {}) =>
    make('email', label, z.email(`${label} must be a valid email address`).max(254), true, hints),
  optionalEmail: (label: string, hints: Hints = {}) =>
    make('email', label, z.email(`${label} must be a valid email address`).max(254).nullable(), false,
      { initial: null, ...hints }),
  optionalUrl: (label: string, hints: Hints = {}) =>
    make('url', label, z.url({ protocol: /^https?$/, error: `${label} must be a web address` }).nullable(), false,
      { initial: null, ...hints }),
  integer: (label: string, range: { min?: number; max?: number } & Hints = {}) =>
    make('integer', label, wholeNumber(label, range), true, range),
  optionalInteger: (label: string, range: { min?: number; max?: number } & Hints = {}) =>
    make('integer', label, wholeNumber(label, range).nullable(), false, { initial: null, ...range }),
  minor: (label: string, hints: Hints = {}) => make('minor', label, positiveMinor, true, hints),
  optionalMinor: (label: string, hints: Hints = {}) =>
    make('minor', label, positiveMinor.nullable(), false, { initial: null, ...hints }),
  ppm: (label: string, hints: Hints = {}) => make('ppm', label, ppm, true, hints),
  optionalPpm: (label: string, hints: Hints = {}) =>
    make('ppm', label, ppm.nullable(), false, { initial: null, ...hints }),
  date: (label: string, hints: Hints = {}) => make('date', label, isoDate, true, hints),
  optionalDate: (label: string, hints: Hints = {}) =>
    make('date', label, isoDate.nullable(), false, { initial: null, ...hints }),
  bool: (label: string, hints: Hints = {}) => make('bool', label, z.boolean(), true, { initial: false, ...hints }),
  choice: <const V extends readonly [string, ...string[]]>(label: string, options: V, hints: Hints = {}) =>
    make('choice', label, z.enum(options, `Choose ${label.toLowerCase()}`), true, { options, ...hints }),
  optionalChoice: <const V extends readonly [string, ...string[]]>(label: string, options: V, hints: Hints = {}) =>
    make('choice', label, z.enum(options, `Choose ${label.toLowerCase()}`).nullable(), false,
      { options, initial: null, ...hints }),
  choices: <const V extends readonly [string, ...string[]]>(label: string, options: V, hints: Hints = {}) =>
    make('choices', label, z.array(z.enum(options)), true, { options, initial: [], ...hints }),
  division: (label = 'Division', hints: Hints = {}) =>
    make('choice', label, divisionCode, true, { options: DIVISIONS, initial: 'US', ...hints }),
  currency: (label = 'Currency', hints: Hints = {}) =>
    make('choice', label, currencyCode, true, { options: CURRENCIES, initial: 'USD', ...hints }),
  ref: (label: string, source: string, hints: Hints = {}) =>
    make('ref', label, z.int(`${label} is required`).min(1), true, { source, ...hints }),
  optionalRef: (label: string, source: string, hints: Hints = {}) =>
    make('ref', label, id.nullable(), false, { source, initial: null, ...hints }),
  address: (label = 'Address', hints: Hints = {}) => make('address', label, address, true, hints),
  optionalAddress: (label = 'Address', hints: Hints = {}) =>
    make('address', label, address.nullable(), false, { initial: null, ...hints }),
  /** Optional and, where it was imported, perhaps not whole. */
  partlyKnownAddress: (label = 'Address', hints: Hints = {}) =>
    make('address', label, address.nullable(), false, { initial: null, ...hints, stored: knownAddress.nullable() }),
  json: <T extends z.ZodType>(label: string, schema: T, hints: Hints = {}) => make('json', label, schema, true, hints),
};

export type Fields = Record<string, Field>;
type Shape<F extends Fields> = { [K in keyof F]: F[K]['schema'] };

/** The shape of a row as it is answered: as {@link shapeOf}, with what may be stored. */
export function rowShapeOf<F extends Fields>(fields: F): Shape<F> {
  return Object.fromEntries(Object.entries(fields).map(([name, f]) => [name, f.stored ?? f.schema])) as Shape<F>;
}

/** The zod shape of a field record: `z.strictObject(shapeOf(fields))`. */
export function shapeOf<F extends Fields>(fields: F): Shape<F> {
  return Object.fromEntries(Object.entries(fields).map(([name, f]) => [name, f.schema])) as Shape<F>;
}

/** The division and the currency decide the books: a create call always names them. */
const decidesTheBooks = (f: Field): boolean =>
  f.kind === 'choice' && (f.options === DIVISIONS || f.options === CURRENCIES);

/**
 * The shape of a create body: as {@link shapeOf}, but a call may leave out what a form starts with a value for. The
 * types still ask for every field, so that no form of ours forgets one.
 */
export function creationShapeOf<F extends Fields>(fields: F): Shape<F> {
  return Object.fromEntries(Object.entries(fields).map(([name, f]) => {
    const free = f.initial !== undefined && f.initial !== '' && !decidesTheBooks(f);
    return [name, free ? f.schema.default(f.initial) : f.schema];
  })) as Shape<F>;
}

/** Values of an empty create form. */
export function initialOf(fields: Fields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, f]) => [name, f.initial ?? (f.required ? '' : null)]));
}
