/**
 * Every parameter of the query that the contract of a read call names, one after the other: each is answered, never by
 * an error of ours. Values come from the schema, so a new filter is asked with no line here.
 */
import type { Endpoint } from '#kit/endpoint.ts';
import { routes } from '#apps/server/src/routes.ts';
import type { Db } from '#server/db.ts';
import type { SignedIn } from './app.ts';
import { exampleOf } from './example.ts';
import { placeOf } from './staff-records.ts';

export interface FilterOutcome { requests: number; faults: string[]; silent: string[] }

/** Values a schema may require where it does not expose its options. */
const VALUES = ['1', '3', 'true', 'abc', '2026-11-15', '2026-11-15T00:00:00Z', '202611', '2026', 'US', 'USD', 'venue',
  'venue.list', 'journal_entries', '{"and":[]}', '10:30', 'a@b.example'];

type Schema = { safeParse(value: unknown): { success: boolean }; shape?: Record<string, Schema>;
  options?: readonly unknown[]; unwrap?(): Schema };

function optionsOf(schema: Schema | undefined): string[] {
  if (!schema) return [];
  if (Array.isArray(schema.options) && schema.options.every((one) => typeof one === 'string')) {
    return schema.options as string[];
  }
  return typeof schema.unwrap === 'function' ? optionsOf(schema.unwrap()) : [];
}

/** All options, or the values that the schema takes. */
function valuesOf(query: Schema, key: string, others: object): string[] {
  const options = optionsOf(query.shape?.[key]);
  const wanted = options.length > 0 ? options : VALUES;
  return wanted.filter((value) => query.safeParse({ ...others, [key]: value }).success)
    .slice(0, options.length > 0 ? 40 : 3);
}

const reads = routes.map((route) => route.endpoint)
  .filter(({ method, auth, query, path }) => method === 'GET' && auth.kind === 'staff' && query
    && path !== '/api/events');

export async function askEveryFilter(db: Db, admin: SignedIn): Promise<FilterOutcome> {
  const outcome: FilterOutcome = { requests: 0, faults: [], silent: [] };
  for (const endpoint of reads) {
    const { url } = await placeOf(db, endpoint);
    const query = endpoint.query as unknown as Schema;
    const others = exampleOf(endpoint.query!) as Record<string, unknown>;
    for (const key of Object.keys(query.shape ?? {})) {
      const values = valuesOf(query, key, others);
      if (values.length === 0) outcome.silent.push(`${endpoint.path} ${key}`);
      for (const value of values) await ask(outcome, admin, endpoint, url, { ...others, [key]: value });
    }
  }
  return outcome;
}

async function ask(
  outcome: FilterOutcome, admin: SignedIn, { path }: Endpoint, url: string, query: Record<string, unknown>,
): Promise<void> {
  const words = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)])).toString();
  const { status } = await admin.get(`${url}?${words}`);
  outcome.requests += 1;
  if (status >= 500) outcome.faults.push(`${status} ${path}?${words}`);
}
