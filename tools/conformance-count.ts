/** Which rows of the specification the product satisfies; pure counting, the gathering is in conformance.ts. */

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
}

export interface Product {
  /** Page rows with a screen or a redirect. */
  pagePaths: ReadonlySet<string>;
  /** Paths that the derived page test opens on their real screen. */
  coveredPaths: ReadonlySet<string>;
  /** `METHOD path` of every endpoint that is declared and mounted. */
  calls: ReadonlySet<string>;
  permissions: ReadonlySet<string>;
  /** Ids in the titles of tests. */
  testIds: ReadonlySet<string>;
}

export interface Count {
  have: number;
  want: number;
  missing: string[];
}

export type Conformance = Record<keyof Spec, Count>;

/** Two calls are the same where method and path agree, names of parameters and query left out. */
export function callKey(method: string, path: string): string {
  return `${method} ${path.replace(/\?.*$/, '').replaceAll(/\{[^}]*\}/g, '{}')}`;
}

function count(rows: readonly SpecRow[], satisfied: (row: SpecRow) => boolean, label: (row: SpecRow) => string): Count {
  const wanted = rows.filter((row) => !row.later);
  const missing = wanted.filter((row) => !satisfied(row)).map(label);
  return { have: wanted.length - missing.length, want: wanted.length, missing };
}

/**
 * Rows without an address of their own (error elements, the catch-all, calls of a third party) count by their id in a
 * test's title, like states, rules, constants and messages.
 */
export function countConformance(spec: Spec, product: Product): Conformance {
  const proven = (row: SpecRow): boolean => product.testIds.has(row.id);
  const hasPage = (row: SpecRow): boolean => row.path?.startsWith('/')
    ? product.pagePaths.has(row.path) && product.coveredPaths.has(row.path) : proven(row);
  const calls = new Set([...product.calls].map((call) => {
    const [method = '', path = ''] = call.split(' ');
    return callKey(method, path);
  }));
  const hasCall = (row: SpecRow): boolean => row.path?.startsWith('/')
    ? calls.has(callKey(row.method ?? '', row.path)) : proven(row);
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
  };
}
