/** Add-ons that an application comes to for a show: those chosen, and the rights to film and to stream it. */
import type { WorkContext } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { grantRights } from '../terms/default-terms.server.ts';
import { addOnOffered, priceIn, type AddOnChoice } from './offered-add-ons.server.ts';

export interface AddOnRequest {
  show_id: number;
  division: string;
  category: string;
  currency: string;
  first_performance_on: string | null;
  /** May name add-ons of other shows: they are left out. */
  chosen: readonly AddOnChoice[];
  needs_video: boolean;
  needs_streaming: boolean;
}

/** Rights to film and to stream, as the kind of add-on that sells them, in the words of a line of the offer. */
export const FILM_RIGHTS = { video_archival: 'Archival recording', streaming_license: 'Streaming' } as const;
export type FilmRight = keyof typeof FILM_RIGHTS;

export interface RequestedAddOns {
  add_ons: AddOnChoice[];
  /** Rights that the show sells at no price for these dates. */
  to_price: FilmRight[];
}

interface Offered { id: number; kind: string }

export async function requestedAddOns(db: Queryable, request: AddOnRequest): Promise<RequestedAddOns> {
  const offered = await db.query<Offered>(sql`
    select t.id, t.kind from add_ons t where t.show_id = ${request.show_id} and t.deleted_at is null
      and ${addOnOffered(request)} and (${priceIn(request.currency)} is not null or t.rate_ppm is not null)
    order by ${priceIn(request.currency)} nulls last, t.id`);
  const add_ons = request.chosen.filter((choice) => offered.some((row) => row.id === choice.add_on_id));
  const to_price: FilmRight[] = [];
  const rights: FilmRight[] = [...request.needs_video ? ['video_archival' as const] : [],
    ...request.needs_streaming ? ['streaming_license' as const] : []];
  for (const right of rights) {
    const sold = offered.filter((row) => row.kind === right);
    if (sold.length === 0) to_price.push(right);
    else if (!sold.some((row) => add_ons.some((choice) => choice.add_on_id === row.id))) {
      add_ons.push({ add_on_id: sold[0]!.id, quantity: 1 });
    }
  }
  return { add_ons, to_price };
}

/** The offer stays in the house until somebody has priced the rights on their lines, or taken them off. */
export async function askForPrices(db: Queryable, licenseId: number, rights: readonly FilmRight[]): Promise<void> {
  await db.exec(sql`
    insert into license_checklist_items (license_id, key, label, owner, blocks_phase)
    select ${licenseId}, 'price_' || x.key, x.label, 'staff', 'sent'
    from unnest(${[...rights]}::text[], ${rights.map((right) => `${FILM_RIGHTS[right]}: price entered or declined`)
    }::text[]) x (key, label)
    on conflict (license_id, key) do nothing`);
}

/** As the terms of a license name them. */
const GRANTED: Record<FilmRight, string> = { video_archival: 'video_archival', streaming_license: 'stream_live' };

interface Fee { description: string; amount_minor: number }
type Answer = 'open' | 'priced' | 'declined';

/** A line may be worded further: 'Archival recording, one camera'. */
function answerOf(right: FilmRight, fees: readonly Fee[]): Answer {
  const words = FILM_RIGHTS[right].toLowerCase();
  const line = fees.find((fee) => fee.description.toLowerCase().includes(words));
  if (!line) return 'declined';
  return line.amount_minor > 0 ? 'priced' : 'open';
}

/** Answers of staff by the charges they saved: an amount is a price; a line taken off declines and ends the right. */
export async function answerPrices(ctx: WorkContext, licenseId: number, fees: readonly Fee[]): Promise<void> {
  const rights = Object.keys(FILM_RIGHTS) as FilmRight[];
  const asked = await ctx.db.query<{ id: number; right: FilmRight }>(sql`
    select id, substr(key, 7) as right from license_checklist_items
    where license_id = ${licenseId} and key = any (${rights.map((right) => `price_${right}`)}) and status <> 'waived'`);
  if (asked.length === 0) return;
  for (const { id, right } of asked) {
    const answer = answerOf(right, fees);
    // Nothing is asked for it: a person says on the checklist that this is meant.
    if (answer === 'open') continue;
    await ctx.db.exec(sql`
      update license_checklist_items set status = 'done', note = ${answer === 'declined' ? 'Declined' : ''},
        done_at = ${ctx.now().toISOString()}, version = version + 1
      where id = ${id}`);
  }
  const { granted } = await ctx.db.one<{ granted: string[] }>(sql`
    select rights_granted as granted from license_terms where license_id = ${licenseId}`);
  const others = granted.filter((one) => !asked.some(({ right }) => GRANTED[right] === one));
  await grantRights(ctx.db, licenseId, [...others, ...asked.filter(({ right }) => answerOf(right, fees) !== 'declined')
    .map(({ right }) => GRANTED[right])]);
}
