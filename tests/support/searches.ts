/**
 * A list that takes a search heeds it: whatever stands in it, words that nothing holds find nothing. Asked of every
 * list of staff with the records of the season; a list that holds none of its rows cannot be asked. What a text finds,
 * it finds in other spellings, too.
 */
// cspell:ignore zzqxzz
import * as z from 'zod';
import { foldName } from '#kernel/text/fold.ts';
import { name, sql } from '#server/sql.ts';
import type { Endpoint } from '#kit/endpoint.ts';
import { routes } from '#apps/server/src/routes.ts';
import type { Browser, TestApp } from './app.ts';
import { placeOf } from './staff-records.ts';

export interface SearchOutcome { asked: number; empty: string[]; ignored: string[]; spelled: number;
  otherwise: string[] }

const NOWHERE = 'zzqxzz';
const takesSearch = ({ method, query }: Endpoint): boolean =>
  method === 'GET' && query instanceof z.ZodObject && 'search' in query.shape;

type Row = Record<string, unknown>;

async function readRows(person: Browser, address: string): Promise<Row[] | null> {
  const { status, body } = await person.call('GET', address);
  const { data } = body as { data?: unknown };
  return status === 200 && Array.isArray(data) ? data as Row[] : null;
}

async function rowsOf(person: Browser, address: string): Promise<number | null> {
  return (await readRows(person, address))?.length ?? null;
}

/** Returns the rows found, in their order. */
async function foundAt(person: Browser, address: string): Promise<string | null> {
  const rows = await readRows(person, address);
  return rows && rows.map((row) => String(row['id'] ?? JSON.stringify(row))).join(', ');
}

/** Texts of the first rows that may be searched for. */
async function textsOf(person: Browser, address: string): Promise<string[]> {
  const rows = (await readRows(person, address) ?? []).slice(0, 3);
  const texts = rows.flatMap((row) => Object.values(row)).filter((value) => typeof value === 'string');
  return [...new Set(texts)].filter((text) => /\p{L}{4}/u.test(text) && text.length < 60 && !/^\d{4}-|_/.test(text));
}

/** The same words with marks of print, and in capitals. */
const otherSpellings = (text: string): string[] => [
  text.replaceAll('-', '–').replaceAll('\'', '’'), text.toUpperCase(), text.replaceAll(' ', ' '),
  text.replace(/(\p{L}{2})(\p{L}{2})/u, '$1’$2'),
];

/** The first text that finds rows finds the same ones in each of its spellings. */
async function spellOtherwise(
  outcome: SearchOutcome, person: Browser, address: string, texts: readonly string[],
): Promise<void> {
  for (const text of texts) {
    const found = await foundAt(person, address + encodeURIComponent(text));
    if (!found) continue;
    outcome.spelled += 1;
    for (const other of otherSpellings(text)) {
      const again = await foundAt(person, address + encodeURIComponent(other));
      if (again !== found) outcome.otherwise.push(`${address}${other}: ${String(again)}, ${text}: ${found}`);
    }
    return;
  }
}

export async function searchEverywhere(test: TestApp): Promise<SearchOutcome> {
  const admin = await test.signedIn('system_admin');
  const outcome: SearchOutcome = { asked: 0, empty: [], ignored: [], spelled: 0, otherwise: [] };
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
    await spellOtherwise(outcome, admin, `${path}?${division}search=`, await textsOf(admin, `${path}?${division}`));
  }
  return outcome;
}

/** Tables of names, with the list and the kind of the search that find them. */
const NAMED = [['customers', 'name', 'customers', 'customer'], ['shows', 'title', 'shows', 'show'],
  ['venues', 'name', 'venues', 'venue'], ['royaltors', 'name', 'royaltors', 'royaltor'],
  ['vendors', 'name', 'vendors', 'vendor'], ['materials', 'name', 'materials', 'material']] as const;
const OF_EACH = 8;
/** Names with apostrophes, dashes, dots, "&", ligatures and letters of other languages. */
const MARKED = '[^A-Za-z0-9 ]';

/** As somebody types it: plain, without marks and accents, "and" for "&", and the other way round. */
const typedFor = (written: string): string[] => [foldName(written), written.replaceAll('’', '\''),
  written.replace(/ and /i, ' & ')];

export interface SpellingOutcome { asked: number; missed: string[] }

/** Every record of the season with such a name is found however it is typed: in its list, the search, the portal. */
export async function spelledInSeason(test: TestApp): Promise<SpellingOutcome> {
  const admin = await test.signedIn('system_admin');
  const outcome: SpellingOutcome = { asked: 0, missed: [] };
  const look = async (person: Browser, address: string, id: string | number, typed: string): Promise<void> => {
    outcome.asked += 1;
    const rows = await readRows(person, `${address}per_page=100&search=${encodeURIComponent(typed)}`) ?? [];
    const found = rows.some((row) => String(row['id']) === String(id));
    if (!found) outcome.missed.push(`${address}: ${typed}`);
  };
  for (const [of, column, list, kind] of NAMED) {
    const records = await test.database.db.query<{ id: number; written: string }>(sql`
      select id, ${name(column)} as written from ${name(of)}
      where ${name(column)} ~ ${MARKED} and deleted_at is null order by id desc limit ${OF_EACH}`);
    for (const { id, written } of records) {
      for (const typed of typedFor(written)) {
        await look(admin, `/api/admin/staff/${list}?`, id, typed);
        await look(admin, `/api/admin/staff/search?entity=${kind}&`, `${kind}-${id}`, typed);
      }
    }
  }
  const own = await test.database.db.query<{ id: number; customer_id: number; written: string }>(sql`
    select distinct on (title_on_license) id, customer_id, title_on_license as written from licenses
    where title_on_license ~ ${MARKED} and phase <> 'draft' and deleted_at is null limit ${OF_EACH}`);
  for (const { id, customer_id, written } of own) {
    const person = await test.signedIn('customer', { customers: [{ id: customer_id, role: 'admin' }] });
    for (const typed of typedFor(written)) await look(person, `/api/customers/${customer_id}/search?`, id, typed);
  }
  return outcome;
}
