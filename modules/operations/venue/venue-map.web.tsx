/** The venues of the list's filters on a map, where the installation has a maps service. */
import { useEffect, useState } from 'react';
import { call } from '#kit/client.ts';
import type { QueryIn, ResponseOf } from '#kit/endpoint.ts';
import { Skeleton } from '#web/data/empty-state.tsx';
import { installedPlaces, mapsLoader } from '#web/maps/google-maps.ts';
import PlaceMap, { type MapPlace } from '#web/maps/place-map.tsx';
import { venueEndpoints } from './venue.contract.ts';

type Row = ResponseOf<typeof venueEndpoints.list>['data'][number];

/** Those that know where they lie. */
export function placesOf(rows: readonly Row[]): MapPlace[] {
  return rows.flatMap(({ id, name, locality, lat, lng }) => (lat === null || lng === null ? []
    : [{ id, name, note: locality ?? '', href: `/admin/venues/${id}`, lat, lng }]));
}

async function readAll(query: NonNullable<QueryIn<typeof venueEndpoints.list>>, signal: AbortSignal): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const { data, meta } = await call(venueEndpoints.list, { query: { ...query, page, per_page: 100 } }, { signal });
    rows.push(...data);
    pages = meta.last_page;
  }
  return rows;
}

export default function VenueMap({ query }: { query: NonNullable<QueryIn<typeof venueEndpoints.list>> }) {
  const [rows, setRows] = useState<readonly MapPlace[] | null>(null);
  const wanted = JSON.stringify(query);
  useEffect(() => {
    const control = new AbortController();
    readAll(JSON.parse(wanted) as typeof query, control.signal)
      .then((all) => setRows(placesOf(all)), () => { if (!control.signal.aborted) setRows([]); });
    return () => control.abort();
  }, [wanted]);
  if (!rows) return <Skeleton height={320} />;
  return <PlaceMap label="Map of venues" places={rows} loader={mapsLoader()} port={installedPlaces()} />;
}
