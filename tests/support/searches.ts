/**
 * A list that takes a search heeds it: whatever stands in it, words that nothing holds find nothing. Asked of every
 * list of staff with the records of the season; a list that holds none of its rows cannot be asked.
 */
// cspell:ignore zzqxzz
import * as z from 'zod';
import type { Endpoint } from '#kit/endpoint.ts';
import { routes } from '#apps/server/src/routes.ts';
import type { Browser, TestApp } from './app.ts';
import { placeOf } from './staff-records.ts';

export interface SearchOutcome { asked: number; empty: string[]; ignored: string[] }

const NOWHERE = 'zzqxzz';
const takesSearch = ({ method, query }: Endpoint): boolean =>
  method === 'GET' && query instanceof z.ZodObject && 'search' in query.shape;

async function rowsOf(person: Browser, address: string): Promise<number | null> {
  const { status, body } = await person.call('GET', address);
  const { data } = body as { data?: unknown };
  return status === 200 && Array.isArray(data) ? data.length : null;
}

export async function searchEverywhere(test: TestApp): Promise<SearchOutcome> {
  const admin = await test.signedIn('system_admin');
  const outcome: SearchOutcome = { asked: 0, empty: [], ignored: [] };
  const lists = routes.map((route) => route.endpoint).filter(({ auth }) => auth.kind === 'staff').filter(takesSearch);
  for (const endpoint of lists) {
    const { url } = await placeOf(test.database.db, endpoint);
    const path = url.split('?')[0]!;
    const division = 'division' in (endpoint.query as z.ZodObject).shape ? 'division=US&' : '';
    // Some lists are of one division, others of all where none is named.
    const all = await rowsOf(admin, path) ?? await rowsOf(admin, `${path}?${division}`);
    if (all === null || all === 0) { outcome.empty.push(path); continue; }
    outcome.asked += 1;
    const found = await rowsOf(admin, `${path}?search=${NOWHERE}`)
      ?? await rowsOf(admin, `${path}?${division}search=${NOWHERE}`);
    if (found !== 0) outcome.ignored.push(`${path}: ${String(found)}`);
  }
  return outcome;
}
