/**
 * The staff's area with the records of the season: who may read does read, whoever may not is told so alike whether the
 * record exists or not, learns no word of it and changes nothing (reliability.md 2.3). The derived matrix asks every
 * call at ids that do not exist (tests/derived/gates.test.ts); here a handler that is reached finds something.
 */
import type { Endpoint } from '#kit/endpoint.ts';
import type { Permission } from '#kit/permission.ts';
import { routes } from '#apps/server/src/routes.ts';
import { sql } from '#server/sql.ts';
import type { Browser, TestApp } from './app.ts';
import { exampleOf } from './example.ts';
import { FULL } from './full.ts';
import { PAPER } from './paper-file.ts';
import { expected, type Cast, type PrincipalName } from './principals.ts';
import { placeOf, type Place } from './staff-records.ts';

export interface StaffOutcome {
  requests: number;
  /** Calls at a record of the season, and calls whose kind of record it holds none of. */
  real: number;
  missing: string[];
  mismatches: string[];
}

/** One of each reason to be refused, and those who pass. */
export const READERS: readonly PrincipalName[] = ['guest', 'customer_a_admin', 'acting_as_a', 'vendor', 'staff_none',
  'staff_all_but', 'staff_needed', 'staff_admin', 'system_admin'];
const staffCalls = routes.map((route) => route.endpoint).filter(({ auth }) => auth.kind === 'staff');
/** Words of the query that no schema gives away. */
const QUERIES: Readonly<Record<string, object>> = {
  '/api/admin/staff/accounting/auditor_package': { period: '202601' },
  '/api/admin/staff/accounting/general_ledger': { account: '4000' },
  '/api/admin/staff/accounting/reports/profit_loss/payments': { account: '4000' },
  '/api/admin/staff/accounting/reports/cash_flows/transactions': { row: 'net_result' },
  '/api/admin/staff/activity': { entity: 'venue', entity_id: 1 },
};
const NOBODY_SCANNED = 404;
const OF_SOMEBODY_ELSE = 404;
const NO_PAPER = 404;
/** Decisions of the handler that depend on more than the call's own permission. */
const BY_HANDLER: Readonly<Record<string, number | Partial<Record<PrincipalName, number>>>> = {
  '/api/admin/staff/stock_items': NOBODY_SCANNED,
  '/api/admin/staff/customers/{id}/exemption_certificates/{certificateId}/document': NO_PAPER,
  '/api/admin/staff/accounting/bills/{id}/file': NO_PAPER,
  '/api/admin/staff/accounting/checks/sheet': NO_PAPER,
  '/api/admin/staff/accounting/payments/{id}/remittance': NO_PAPER,
  '/api/admin/staff/search/{id}': OF_SOMEBODY_ELSE,
  '/api/admin/staff/export_csv/{id}/download': OF_SOMEBODY_ELSE,
  // Whole tax numbers need the right to write them.
  '/api/admin/staff/accounting/year_end_filings/{id}/csv': { staff_needed: 403 },
  // An export needs the right to its list, an activity the right to its record.
  '/api/admin/staff/export_csv': { staff_needed: 403 },
  '/api/admin/staff/activity': { staff_none: 403, staff_needed: 403 },
};

function allowed({ path }: Endpoint, principal: PrincipalName, real: boolean): number {
  const decided = BY_HANDLER[path.split('?')[0]!];
  if (typeof decided === 'number') return decided;
  return decided?.[principal] ?? (real ? 200 : 404);
}

const neededOf = ({ auth }: Endpoint): readonly Permission[] =>
  auth.kind === 'staff' && auth.permission !== null ? [auth.permission].flat() : [];

const nothing = (): StaffOutcome => ({ requests: 0, real: 0, missing: [], mismatches: [] });

function withQuery({ path, query }: Endpoint, url: string): string {
  if (!query) return url;
  const pairs = Object.entries({ ...exampleOf(query) as Record<string, unknown>, ...QUERIES[path] });
  return pairs.length === 0 ? url : `${url}?${pairs.map(([key, value]) => `${key}=${String(value)}`).join('&')}`;
}

/** The plain refusal, without a word of the record. */
const saysNothing = (body: unknown): boolean => typeof body === 'object' && body !== null
  && Object.keys(body).toSorted().join() === 'code,error_id,message';

async function each(
  test: TestApp, chosen: readonly Endpoint[], outcome: StaffOutcome,
  ask: (endpoint: Endpoint, place: Place) => Promise<void>,
): Promise<void> {
  for (const endpoint of chosen) {
    const place = await placeOf(test.database.owner, endpoint);
    if (!place.real) outcome.missing.push(`${endpoint.method} ${endpoint.path}`);
    else if (Object.keys(place.ids).length > 0) outcome.real += 1;
    await ask(endpoint, place);
  }
}

export async function readStaff(test: TestApp, cast: Cast): Promise<StaffOutcome> {
  const outcome = nothing();
  await each(test, staffCalls.filter(({ method }) => method === 'GET'), outcome, async (endpoint, place) => {
    const open = endpoint.auth.kind === 'staff' && endpoint.auth.roles.includes('staff_user');
    for (const principal of READERS) {
      // Calls open to staff are open to a system administrator as to any administrator.
      if (principal === 'system_admin' && open) continue;
      // An administrator reads as whoever has the right: in the full suite.
      if (principal === 'staff_admin' && !FULL) continue;
      const browser = await cast.browser(principal, neededOf(endpoint));
      const answer = await browser.get(withQuery(endpoint, place.url));
      outcome.requests += 1;
      const gate = expected(endpoint.auth, principal, neededOf(endpoint));
      const wanted = gate === 'pass' ? allowed(endpoint, principal, place.real) : gate;
      const call = `${principal}: GET ${place.url}`;
      if (answer.status !== wanted) {
        outcome.mismatches.push(`${call}: ${answer.status} for ${wanted} ${answer.raw.toString().slice(0, 200)}`);
      }
      if (gate !== 'pass' && !saysNothing(answer.body)) outcome.mismatches.push(`${call}: says more than no`);
    }
  });
  return outcome;
}

/** Every write by everybody who may not, with a body that would do. Not one row of any table moves. */
export async function writeStaff(test: TestApp, cast: Cast): Promise<StaffOutcome> {
  const outcome = nothing();
  const writes = staffCalls.filter(({ method }) => method !== 'GET');
  // Everybody signs in first: a sign-in is a row of its own.
  for (const endpoint of writes) {
    for (const principal of READERS) await cast.browser(principal, neededOf(endpoint));
  }
  const before = await wholeState(test);
  await each(test, writes, outcome, async (endpoint, place) => {
    for (const principal of READERS) {
      const wanted = expected(endpoint.auth, principal, neededOf(endpoint));
      if (wanted === 'pass') continue;
      const browser = await cast.browser(principal, neededOf(endpoint));
      const answer = await send(browser, endpoint, place.url);
      outcome.requests += 1;
      const call = `${principal}: ${endpoint.method} ${place.url}`;
      if (answer.status !== wanted) outcome.mismatches.push(`${call}: ${answer.status} for ${wanted}`);
      if (!saysNothing(answer.body)) outcome.mismatches.push(`${call}: says more than no`);
    }
  });
  const after = await wholeState(test);
  for (const table of Object.keys(after)) {
    if (after[table] !== before[table]) outcome.mismatches.push(`${table} has changed`);
  }
  return outcome;
}

export function send(
  browser: Browser, endpoint: Endpoint, url: string, change: object = {}, headers: Record<string, string> = {},
): ReturnType<Browser['call']> {
  const example = endpoint.body ? { ...exampleOf(endpoint.body) as object, ...change } : undefined;
  if (!endpoint.upload) return browser.call(endpoint.method, url, { headers, ...(example ? { body: example } : {}) });
  const fields = Object.fromEntries(Object.entries(example ?? {}).map(([key, value]) => [key, String(value)]));
  return browser.call(endpoint.method, url, { headers, multipart: { fields, file: { field: endpoint.upload.field,
    name: 'paper.pdf', type: 'application/pdf', content: PAPER } } });
}

/** Rows that come and go with every request. */
const PASSING = ['sessions', 'rate_limits', 'idempotency_keys'];

/** A digest of every table, as the owner sees it. */
export async function wholeState(test: TestApp): Promise<Record<string, string>> {
  const { owner } = test.database;
  const rows = await owner.query<{ table: string; digest: string }>(sql`
    select c.relname as table, (xpath('/row/d/text()', query_to_xml(format(
      'select count(*) || '' '' || coalesce(md5(string_agg(md5(t::text), '''' order by md5(t::text))), '''') as d
       from public.%I t', c.relname), false, true, '')))[1]::text as digest
    from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
      and not c.relname = any (${PASSING}) order by 1`);
  return Object.fromEntries(rows.map(({ table, digest }) => [table, digest]));
}
