/** Counts the rows of the specification that the product satisfies; pure, the gathering is in conformance.ts. */
import type { CallShape } from './conformance-calls.ts';

export interface SpecRow {
  id: string;
  method?: string;
  path?: string;
  value?: string;
  kind?: string;
  redirectTo?: string | null;
  /** Another row that is the same call with other query values. */
  variantOf?: string | null;
  later?: boolean;
  name?: string;
  query?: readonly string[];
  /** Names with their types as the specification says them; `{}` where it names none. */
  body?: Readonly<Record<string, string>> | null;
  contentType?: string | null;
  fields?: readonly { name: string; type: string }[];
  /** Text of a rule, a state or its situation. */
  statement?: string;
  given?: string;
}

export interface Spec {
  pages: SpecRow[];
  calls: SpecRow[];
  permissions: SpecRow[];
  states: SpecRow[];
  rules: SpecRow[];
  constants: SpecRow[];
  messages: SpecRow[];
  pages_added: SpecRow[];
  calls_added: SpecRow[];
  entities: SpecRow[];
}

export interface Product {
  /** Page rows with a screen or a redirect. */
  pagePaths: ReadonlySet<string>;
  /** Paths that the derived page test opens on their real screen. */
  coveredPaths: ReadonlySet<string>;
  /** Every endpoint that is declared and mounted. */
  calls: readonly CallShape[];
  /** Values that a call or a page demands, and the placeholder that is known and grants nothing. */
  permissions: ReadonlySet<string>;
  /** Calls of an entity, the one that answers it first. */
  entityCalls: Readonly<Record<string, readonly string[]>>;
  /** Names in the files that declare what only a screen has. */
  entityWords: Readonly<Record<string, ReadonlySet<string>>>;
  /** Entities that the specification gives as a sample, or without a shape. */
  withoutShape: ReadonlySet<string>;
  /** `Entity.field`, and its name in the product. */
  fieldNames: Readonly<Record<string, string>>;
  /** Ids in the titles of tests. */
  testIds: ReadonlySet<string>;
}

export interface Count {
  have: number;
  want: number;
  missing: string[];
  /** Number of missing rows in each area that does not exist yet. */
  open: Readonly<Record<string, number>>;
}

export type Conformance = Record<keyof Spec | 'queries' | 'bodies' | 'content_types' | 'fields', Count>;

/** Areas that do not exist yet, by the words of a row: the first that fits. */
const OPEN_AREAS: readonly [area: string, words: RegExp][] = [
  ['tax service', /taxjar|Tax[A-Z]|NexusRegion|AddressValidation|VatValidation|SummaryRate/],
  ['banking', /bank|reconcil|Reconcil|transfers/i],
  ['payables', /bill|payable|check|payments?\b|Payment/i],
  ['closing', /period|opening|reports?\b|close|\/finance\//i],
];
const areaOf = (label: string): string => OPEN_AREAS.find(([, words]) => words.test(label))?.[0] ?? 'other';

/** Two calls are the same where method and path agree, names of parameters and query left out. */
export function callKey(method: string, path: string): string {
  return `${method} ${path.replace(/\?.*$/, '').replaceAll(/\{[^}]*\}/g, '{}')}`;
}

function count(rows: readonly SpecRow[], satisfied: (row: SpecRow) => boolean, label: (row: SpecRow) => string): Count {
  const wanted = rows.filter((row) => !row.later);
  const missing = wanted.filter((row) => !satisfied(row));
  return countOf(wanted.length, missing.map(label),
    missing.map((row) => [label(row), row.statement ?? '', row.given ?? ''].join(' ')));
}

function countOf(want: number, missing: string[], texts: readonly string[] = missing): Count {
  const open: Record<string, number> = {};
  for (const area of texts.map(areaOf)) open[area] = (open[area] ?? 0) + 1;
  return { have: want - missing.length, want, missing, open };
}

/** A name of the specification's query: `status`, `with=journal_entries`, `read (optional)`; null for a description. */
function queryName(text: string): { name: string; value: string | null } | null {
  const [, name, value] = /^(\w+)(?:=(\w+))?(?: \([\w-]+\))?$/.exec(text) ?? [];
  return name === undefined ? null : { name, value: value ?? null };
}

/** Names of the query that the call does not take, or takes without the value. */
function missingQuery(row: SpecRow, call: CallShape): string[] {
  return (row.query ?? []).filter((text) => {
    const asked = queryName(text);
    if (asked === null) return false;
    const accepts = call.query.get(asked.name);
    return accepts === undefined || (asked.value !== null && !accepts(asked.value));
  });
}

/** Names of the body that the call does not take; another record may be named by its id. */
function missingBody(row: SpecRow, call: CallShape): string[] {
  return Object.entries(row.body ?? {})
    .filter(([name, type]) => !call.body.has(name) && call.upload !== name
      && !(type === 'ref' && call.body.has(`${name}_id`)))
    .map(([name]) => name);
}

const isMultipart = (row: SpecRow): boolean => row.contentType === 'multipart/form-data';
const hasContentType = (row: SpecRow, call: CallShape): boolean => isMultipart(row) === (call.upload !== null);

type CallOf = (method: string, path: string) => CallShape | undefined;

function findCalls(calls: readonly CallShape[]): CallOf {
  const byKey = new Map(calls.map((call) => {
    const [method = '', path = ''] = call.key.split(' ');
    return [callKey(method, path), call] as const;
  }));
  return (method, path) => byKey.get(callKey(method, path));
}

/** Rows of which the call says `wants`, by what it does not have of them. */
function countParts(rows: readonly SpecRow[], callOf: CallOf, wants: (row: SpecRow) => boolean,
  missing: (row: SpecRow, call: CallShape) => readonly string[]): Count {
  const lacks = (row: SpecRow): readonly string[] => {
    const call = callOf(row.method ?? '', row.path ?? '');
    return call ? missing(row, call) : ['no such call'];
  };
  return count(rows.filter((row) => row.path?.startsWith('/') && wants(row)), (row) => lacks(row).length === 0,
    (row) => `${row.id} ${row.method} ${row.path}: ${lacks(row).join(', ')}`);
}

/** Whether an entity's calls or file are there, and which of its fields are not. */
function countEntities(rows: readonly SpecRow[], product: Product, callOf: CallOf): { entities: Count; fields: Count } {
  const callsOf = (name: string): readonly [string, CallShape | undefined][] =>
    (product.entityCalls[name] ?? []).map((key) => {
      const [method = '', path = ''] = key.split(' ');
      return [path, callOf(method, path)];
    });
  const exists = ({ name = '' }: SpecRow): boolean =>
    product.entityWords[name] !== undefined || callsOf(name)[0]?.[1] !== undefined;
  const hasField = (name: string, field: string): boolean => {
    const known = product.fieldNames[`${name}.${field}`] ?? field;
    return product.entityWords[name]?.has(known) || callsOf(name).some(([path, call]) => call !== undefined
      && ([known, `${known}_id`].some((one) => call.answer.has(one) || call.body.has(one)) || call.upload === known
        || path.includes(known.startsWith('{') ? known : `{${known}}`)
        || path.endsWith(`/${known}`) || callOf('GET', `${path}/${known}`) !== undefined || call.query.has(known)));
  };
  const wantedRows = rows.filter(({ name = '' }) => !product.withoutShape.has(name));
  const wanted = wantedRows.flatMap(({ name = '', fields = [] }) => fields.map((field) => [name, field.name] as const));
  const missing = wanted.filter(([name, field]) => !hasField(name, field)).map((pair) => pair.join('.'));
  return { entities: count(wantedRows, exists, (row) => row.id), fields: countOf(wanted.length, missing) };
}

/**
 * Rows without an address of their own (error elements, the catch-all, calls of a third party) count by their id in a
 * test's title, like states, rules, constants and messages.
 */
export function countConformance(spec: Spec, product: Product): Conformance {
  const proven = (row: SpecRow): boolean => product.testIds.has(row.id);
  const hasPage = (row: SpecRow): boolean => row.path?.startsWith('/')
    ? product.pagePaths.has(row.path) && product.coveredPaths.has(row.path) : proven(row);
  const callOf = findCalls(product.calls);
  const hasCall = (row: SpecRow): boolean => row.path?.startsWith('/')
    ? callOf(row.method ?? '', row.path) !== undefined : proven(row);
  const byId = (rows: readonly SpecRow[]): Count => count(rows, proven, (row) => row.id);
  const pageLabel = (row: SpecRow): string => `${row.id} ${row.path}`;
  const callLabel = (row: SpecRow): string => `${row.id} ${row.method} ${row.path}`;
  return {
    pages: count(spec.pages, hasPage, pageLabel),
    calls: count(spec.calls, hasCall, callLabel),
    permissions: count(spec.permissions, (row) => product.permissions.has(row.value ?? ''), (row) => row.id),
    states: byId(spec.states),
    rules: byId(spec.rules),
    constants: byId(spec.constants),
    messages: byId(spec.messages),
    pages_added: count(spec.pages_added, hasPage, pageLabel),
    calls_added: count(spec.calls_added, hasCall, callLabel),
    queries: countParts(spec.calls, callOf, (row) => (row.query ?? []).length > 0, missingQuery),
    bodies: countParts(spec.calls, callOf, (row) => Object.keys(row.body ?? {}).length > 0, missingBody),
    content_types: countParts(spec.calls, callOf, (row) => Boolean(row.contentType),
      (row, call) => (hasContentType(row, call) ? [] : [row.contentType ?? ''])),
    ...countEntities(spec.entities, product, callOf),
  };
}
