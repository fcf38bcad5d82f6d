/**
 * Venues from a list. The same house again is not made twice; a house under another name, and another house under the
 * same name, are asked about: the answer "the same" makes the name an alias of the venue (domain.md 1.4).
 */
import type * as z from 'zod';
import { IMPORT_COLUMNS } from '#kit/import-columns.ts';
import type { WorkContext } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { Turns } from '#server/turns.ts';
import { createVenue, rehearseVenues, updateVenue } from '#modules/operations/operations.public.server.ts';
import { venue, VENUE_KINDS } from '#modules/operations/venue/venue.contract.ts';
import { aliasIsFree, nameStandsFor } from '../aliases.server.ts';
import type { SourceRow } from '../import-work.server.ts';
import { fail, type RowProblem } from '../read-cell.ts';
import { nameKey, searchFold } from './alike.ts';
import type { Cells } from './cells.ts';
import { pathsOf } from './differences.ts';
import { Houses, type House } from './houses.ts';
import { recordWork, type Note, type Verdict } from './record-work.server.ts';
import { zoneOf } from './united-states.ts';
import { venueAddress } from './venue-address.ts';
import { VENUE_FIELDS } from './venues.contract.ts';

interface VenueRow {
  input: z.output<typeof venue.create>;
  aliases: string[];
  repair: Note | null;
}

interface Towns {
  /** Houses by the key of their town; those without one under ''. */
  byTown: Map<string, Houses>;
  byId: Map<number, House>;
  /** Owner of a name already taken, by its key; in other towns, too. */
  owners: Map<string, House | number>;
}

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

const townOf = (read: VenueRow): string => nameKey(read.input.address?.locality ?? '');

/** The houses of the towns that the rows name, and those of no town. */
async function book(db: Queryable, reads: readonly VenueRow[], before: Towns | null): Promise<Towns> {
  const towns: Towns = before ?? { byTown: new Map(), byId: new Map(), owners: new Map() };
  const wanted = [...new Set(['', ...reads.map(townOf)])].filter((town) => !towns.byTown.has(town));
  for (const town of wanted) towns.byTown.set(town, new Houses());
  const rows = wanted.length === 0 ? [] : await db.query<{ id: number; name: string; number: string; town: string;
    street: string; aliases: string[] }>(sql`
    select v.id, v.name, v.number, coalesce(name_key(v.address ->> 'locality'), '') as town,
      coalesce(v.address ->> 'thoroughfare', '') as street,
      coalesce((select array_agg(a.alias) from venue_aliases a where a.venue_id = v.id), '{}') as aliases
    from venues v where v.deleted_at is null and v.merged_into_id is null
      and coalesce(name_key(v.address ->> 'locality'), '') = any(${wanted}::text[]) order by v.id`);
  const turns = new Turns();
  for (const row of rows) {
    if (turns.due()) await turns.give();
    const house: House = { id: row.id, label: `${row.name} · ${row.number}`, name: row.name, aliases: row.aliases,
      keys: new Set(), street: streetKey(row.street) };
    towns.byId.set(row.id, house);
    towns.byTown.get(row.town)?.add(house);
  }
  await learnOwners(db, reads, towns);
  return towns;
}

async function learnOwners(db: Queryable, reads: readonly VenueRow[], { owners }: Towns): Promise<void> {
  const names = reads.flatMap((row) => [row.input.name, ...row.aliases]);
  const aliases = names.filter((name) => !owners.has(nameKey(name)));
  const taken = aliases.length === 0 ? [] : await db.query<{ key: string; venue_id: number }>(sql`
    select name_key(a.alias) as key, a.venue_id from unnest(${aliases}::text[]) t
    join venue_aliases a on name_key(a.alias) = name_key(t)`);
  for (const { key, venue_id: id } of taken) owners.set(key, id);
}

function judge(row: VenueRow, source: SourceRow, towns: Towns): Verdict<House> {
  const there = towns.byTown.get(townOf(row))!;
  const mine: House = { id: null, label: row.input.name, name: row.input.name, aliases: [...row.aliases],
    keys: new Set(), street: streetKey(row.input.address?.thoroughfare ?? '') };
  if (source.decision === 'same' && source.target_id) {
    const target = towns.byId.get(source.target_id);
    return { outcome: 'duplicate', known: target ?? { ...mine, id: source.target_id }, note: row.repair, adds: true };
  }
  const same = there.same(mine.name, mine.street);
  if (same) return known(row, same, there, towns);
  const asked = source.decision === 'new' ? null : question(there, mine, row);
  if (asked) return { outcome: 'refused', problem: asked };
  const taken = row.aliases.find((alias) => towns.owners.has(nameKey(alias)));
  if (taken !== undefined) {
    fail('not_allowed', `"${taken.slice(0, 120)}" stands for another venue already`, 'aliases', taken);
  }
  there.add(mine);
  for (const alias of row.aliases) towns.owners.set(nameKey(alias), mine);
  return { outcome: 'ready', known: mine, note: row.repair };
}

/** A house that is here; names that the row has beside it are its names from now on. */
function known(row: VenueRow, house: House, there: Houses, { owners }: Towns): Verdict<House> {
  const fresh = [row.input.name, ...row.aliases].filter((name) => !house.keys.has(nameKey(name))
    && !owners.has(nameKey(name)));
  for (const name of fresh) {
    there.name(house, name);
    owners.set(nameKey(name), house);
  }
  return { outcome: 'duplicate', known: house, note: row.repair, adds: fresh.length > 0 };
}

/** A house at the same number, or of the same or nearly the same name in the town. */
function question(there: Houses, mine: House, row: VenueRow): RowProblem | null {
  const town = row.input.address?.locality || 'No town';
  const ask = (code: string, house: House, text: string): RowProblem => ({ reason_code: code, reason: text,
    field: 'name', value: mine.name.slice(0, 200), proposed: house });
  const address = /\d/.test(mine.street) ? there.atStreet(mine.street) : undefined;
  if (address) {
    return ask('renamed_house', address, `${address.name} is at ${row.input.address!.thoroughfare}, ${town}, too: `
      + 'another name of it, or another venue?');
  }
  const named = there.named(mine.name);
  if (named) {
    return ask('same_name', named, `${named.name}, ${town}, is there already at another address: the same venue?`);
  }
  if (townOf(row) === '') return null;
  const alike = there.similar(mine.name);
  return alike ? ask('similar_name', alike, `${alike.name} in ${town} is nearly the same name: the same venue?`) : null;
}

async function write(ctx: WorkContext, row: VenueRow): Promise<number> {
  const { id } = await createVenue(ctx, row.input);
  for (const alias of row.aliases) await nameStandsFor(ctx, 'venue', alias, id, null);
  return id;
}

/** The name under which the list knows the house; one that stands for another house already stays there. */
async function merge(ctx: WorkContext, row: VenueRow, house: House): Promise<void> {
  const stored = await ctx.db.query<{ key: string }>(sql`
    select name_key(name) as key from venues where id = ${house.id}
    union select name_key(alias) from venue_aliases where venue_id = ${house.id}`);
  const there = new Set(stored.map(({ key }) => key));
  for (const alias of [row.input.name, ...row.aliases]) {
    if (there.has(nameKey(alias)) || !await aliasIsFree(ctx.db, 'venue', alias)) continue;
    await nameStandsFor(ctx, 'venue', alias, house.id!, null);
    there.add(nameKey(alias));
  }
}

export const venueWork = recordWork<VenueRow, Towns, House>({
  entity: 'venue', fields: VENUE_FIELDS, read, book, judge, write, merge,
  rehearse: rehearseVenues, planned: ({ input }) => input,
  changing: {
    paths: pathsOf(IMPORT_COLUMNS['staff/venues'], VENUE_FIELDS, ['name', 'aliases']),
    said: ({ input }) => input,
    now: (db, ids) => db.query(sql`
      select id, version, kind, address, capacity, phone, website from venues where id = any(${ids}::bigint[])`),
    update: updateVenue,
  },
  words: ({ input }) => ({ title: input.name, detail: [input.address?.thoroughfare, input.address?.locality,
    input.address?.administrative_area, input.address?.postal_code].filter(Boolean).join(', ') }),
});
