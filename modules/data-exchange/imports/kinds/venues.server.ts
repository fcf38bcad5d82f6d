/**
 * Venues from a list. The same house again is not made twice; a house under another name, and another house under the
 * same name, are asked about: the answer "the same" makes the name an alias of the venue (domain.md 1.4).
 */
import type * as z from 'zod';
import { IMPORT_COLUMNS } from '#kit/import-columns.ts';
import type { WorkContext } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { createVenue, rehearseVenues, updateVenue } from '#modules/operations/operations.public.server.ts';
import { venue, VENUE_KINDS } from '#modules/operations/venue/venue.contract.ts';
import { aliasIsFree, nameStandsFor } from '../aliases.server.ts';
import type { SourceRow } from '../import-work.server.ts';
import type { RowProblem } from '../read-cell.ts';
import { likeness, nameKey, searchFold } from './alike.ts';
import type { Cells } from './cells.ts';
import { pathsOf } from './differences.ts';
import { recordWork, type Known, type Note, type Verdict } from './record-work.server.ts';
import { zoneOf } from './united-states.ts';
import { venueAddress } from './venue-address.ts';
import { VENUE_FIELDS } from './venues.contract.ts';

interface VenueRow {
  input: z.output<typeof venue.create>;
  aliases: string[];
  repair: Note | null;
}

interface House extends Known {
  name: string;
  aliases: string[];
  street: string;
}

/** Houses by the key of their town; those without one under ''. */
type Towns = Map<string, House[]>;

/** How alike two names of one town are when they are asked about. */
const ALIKE = 0.86;

function read(cells: Cells): VenueRow {
  const { address, repair } = venueAddress(cells);
  const web = cells.optional('website');
  const { address: _address, ...fields } = cells.checked(venue.create, {
    name: cells.required('name'), kind: cells.choice('kind', VENUE_KINDS, 'theatre'), address: null,
    time_zone: zoneOf(address?.country_code ?? 'US', address?.administrative_area ?? ''),
    capacity: cells.count('capacity', 200_000), phone: cells.optional('phone'),
    website: web === null || /^https?:/i.test(web) ? web : `https://${web}`, active: true,
  });
  return { input: { ...fields, address }, aliases: cells.list('aliases'), repair };
}

/** A street as it is compared: words shortened as signs do, remarks in brackets off. */
export function streetKey(street: string): string {
  const short = searchFold(street.replace(/\(.*?\)/g, ' ')).replace(/[.,]/g, ' ')
    .replace(/\bstreet\b/g, 'st').replace(/\bavenue\b/g, 'ave').replace(/\bwest\b/g, 'w').replace(/\beast\b/g, 'e')
    .replace(/\broad\b/g, 'rd').replace(/\bboulevard\b/g, 'blvd').replace(/\bdrive\b/g, 'dr');
  return short.replace(/\s+/g, ' ').trim();
}

/** A name without the words that every house has. */
function bareName(name: string): string {
  return nameKey(searchFold(name).replace(/\b(the|theatre|theater|playhouse|company|co|inc)\b/g, ' ')) || nameKey(name);
}

const townOf = (read: VenueRow): string => searchFold(read.input.address?.locality ?? '');

/** The houses of the towns that the rows name, and those of no town. */
async function book(db: Queryable, reads: readonly VenueRow[], before: Towns | null): Promise<Towns> {
  const towns: Towns = before ?? new Map();
  const wanted = [...new Set(['', ...reads.map(townOf)])].filter((town) => !towns.has(town));
  for (const town of wanted) towns.set(town, []);
  const rows = await db.query<{ id: number; name: string; number: string; town: string; street: string;
    aliases: string[] }>(sql`
    select v.id, v.name, v.number, coalesce(search_fold(v.address ->> 'locality'), '') as town,
      coalesce(v.address ->> 'thoroughfare', '') as street,
      coalesce((select array_agg(a.alias) from venue_aliases a where a.venue_id = v.id), '{}') as aliases
    from venues v where v.deleted_at is null and v.merged_into_id is null
      and coalesce(search_fold(v.address ->> 'locality'), '') = any(${wanted}::text[]) order by v.id`);
  for (const row of rows) {
    towns.get(row.town)?.push({ id: row.id, label: `${row.name} · ${row.number}`, name: row.name,
      aliases: row.aliases, street: streetKey(row.street) });
  }
  return towns;
}

function judge(row: VenueRow, source: SourceRow, towns: Towns): Verdict<House> {
  const there = towns.get(townOf(row))!;
  const mine: House = { id: null, label: row.input.name, name: row.input.name, aliases: row.aliases,
    street: streetKey(row.input.address?.thoroughfare ?? '') };
  if (source.decision === 'same' && source.target_id) {
    const target = [...towns.values()].flat().find((house) => house.id === source.target_id);
    return { outcome: 'duplicate', known: target ?? { ...mine, id: source.target_id }, note: row.repair };
  }
  const same = there.find((house) => sameHouse(house, mine));
  if (same) return { outcome: 'duplicate', known: same, note: row.repair };
  const asked = source.decision === 'new' ? null : question(there, mine, row);
  if (asked) return { outcome: 'refused', problem: asked };
  there.push(mine);
  return { outcome: 'ready', known: mine, note: row.repair };
}

const names = (house: House): string[] => [house.name, ...house.aliases].map(nameKey);

function sameHouse(house: House, mine: House): boolean {
  const named = names(house).includes(nameKey(mine.name));
  return named && (house.street === '' || mine.street === '' || house.street === mine.street);
}

/** A house at the same number, or of the same or nearly the same name in the town. */
function question(there: readonly House[], mine: House, row: VenueRow): RowProblem | null {
  const town = row.input.address?.locality || 'No town';
  const ask = (code: string, house: House, text: string): RowProblem => ({ reason_code: code, reason: text,
    field: 'name', value: mine.name.slice(0, 200), proposed: house });
  const address = /\d/.test(mine.street) ? there.find((house) => house.street === mine.street) : undefined;
  if (address) {
    return ask('renamed_house', address, `${address.name} is at ${row.input.address!.thoroughfare}, ${town}, too: `
      + 'another name of it, or another venue?');
  }
  const named = there.find((house) => names(house).includes(nameKey(mine.name)));
  if (named) {
    return ask('same_name', named, `${named.name}, ${town}, is there already at another address: the same venue?`);
  }
  if (townOf(row) === '') return null;
  const bare = bareName(mine.name);
  const alike = there.find((house) => [house.name, ...house.aliases].some((name) =>
    likeness(bareName(name), bare) >= ALIKE));
  return alike ? ask('similar_name', alike, `${alike.name} in ${town} is nearly the same name: the same venue?`) : null;
}

async function write(ctx: WorkContext, row: VenueRow): Promise<number> {
  const { id } = await createVenue(ctx, row.input);
  for (const alias of row.aliases) await nameStandsFor(ctx, 'venue', alias, id, null);
  return id;
}

/** The name under which the list knows the house; one that stands for another house already stays there. */
async function merge(ctx: WorkContext, row: VenueRow, house: House): Promise<void> {
  const known = names(house);
  for (const alias of [row.input.name, ...row.aliases]) {
    if (known.includes(nameKey(alias))) continue;
    if (await aliasIsFree(ctx.db, 'venue', alias)) await nameStandsFor(ctx, 'venue', alias, house.id!, null);
    house.aliases.push(alias);
  }
}

export const venueWork = recordWork<VenueRow, Towns, House>({
  entity: 'venue', fields: VENUE_FIELDS, read, book, judge, write, merge,
  rehearse: rehearseVenues, planned: ({ input }) => input,
  adds: (row, house) => [row.input.name, ...row.aliases].some((name) => !names(house).includes(nameKey(name))),
  changing: {
    paths: pathsOf(IMPORT_COLUMNS['staff/venues']!, VENUE_FIELDS, ['name', 'aliases']),
    said: ({ input }) => input,
    now: (db, ids) => db.query(sql`
      select id, version, kind, address, capacity, phone, website from venues where id = any(${ids}::bigint[])`),
    update: updateVenue,
  },
  words: ({ input }) => ({ title: input.name, detail: [input.address?.thoroughfare, input.address?.locality,
    input.address?.administrative_area, input.address?.postal_code].filter(Boolean).join(', ') }),
});
