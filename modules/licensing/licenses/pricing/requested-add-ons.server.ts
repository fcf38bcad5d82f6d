/** Add-ons that an application comes to for a show: those chosen, and the rights to film and to stream it. */
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { addOnOffered, priceIn, type AddOnChoice } from './offered-add-ons.server.ts';

export interface RequestedAddOns {
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

interface Offered { id: number; kind: string }

/** Only what the show sells for these dates; a right that it does not sell is priced by hand. */
export async function requestedAddOns(db: Queryable, request: RequestedAddOns): Promise<AddOnChoice[]> {
  const offered = await db.query<Offered>(sql`
    select t.id, t.kind from add_ons t where t.show_id = ${request.show_id} and t.deleted_at is null
      and ${addOnOffered(request)} and (${priceIn(request.currency)} is not null or t.rate_ppm is not null)
    order by ${priceIn(request.currency)} nulls last, t.id`);
  const chosen = request.chosen.filter((choice) => offered.some((row) => row.id === choice.add_on_id));
  const right = (kind: string): AddOnChoice[] => {
    const sold = offered.filter((row) => row.kind === kind);
    const has = sold.some((row) => chosen.some((choice) => choice.add_on_id === row.id));
    return has || sold.length === 0 ? [] : [{ add_on_id: sold[0]!.id, quantity: 1 }];
  };
  return [...chosen, ...request.needs_video ? right('video_archival') : [],
    ...request.needs_streaming ? right('streaming_license') : []];
}
