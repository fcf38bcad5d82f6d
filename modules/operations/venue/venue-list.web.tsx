/** Venues: the houses that licences are played in. */
import { spell } from '#kernel/text/english.ts';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import type { ResponseOf } from '#kit/endpoint.ts';
import { Badge } from '#web/data/badge.tsx';
import { columnsFrom } from '#web/data/columns-from.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { TrashList } from '#web/layout/trash-list.tsx';
import { Map as MapIcon, Rows3 } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { Skeleton } from '#web/data/empty-state.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { mapsKey } from '#web/maps/google-maps.ts';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useQueryValues } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { venue, venueBulk, venueEndpoints, venueTrashBulk } from './venue.contract.ts';
import { VENUE_KIND_LABELS } from './venue-form.web.tsx';

type Row = ResponseOf<typeof venueEndpoints.list>['data'][number];

const columns = columnsFrom<Row>(venue.fields, [
  { id: 'name', header: 'Name', kind: 'title', cell: (row) => row.name, sort: true, fixed: true, width: 260,
    edit: { field: 'name', as: 'text', value: (row) => row.name } },
  { id: 'number', header: 'Number', kind: 'code', cell: (row) => row.number, width: 100 },
  { id: 'kind', header: 'Kind', kind: 'muted', cell: (row) => VENUE_KIND_LABELS[row.kind], width: 120,
    edit: { field: 'kind', as: 'select', value: (row) => row.kind, options: optionsOf(VENUE_KIND_LABELS) } },
  { id: 'phone', header: 'Phone', kind: 'muted', cell: (row) => row.phone, hidden: true, width: 150,
    edit: { field: 'phone', as: 'text', value: (row) => row.phone, optional: true } },
  { id: 'locality', header: 'City', kind: 'muted', cell: (row) => row.locality, sort: true, width: 150 },
  { id: 'country', header: 'Country', kind: 'muted', cell: (row) => row.country_code, width: 90 },
  { id: 'capacity', header: 'Capacity', kind: 'number', sort: true, width: 100,
    cell: (row) => row.capacity?.toLocaleString('en-US'),
    edit: { field: 'capacity', as: 'number', value: (row) => row.capacity, optional: true } },
  { id: 'state', header: 'Status', kind: 'badge', width: 100,
    cell: (row) => <Badge tone={row.active ? 'ok' : 'neutral'} small>{row.active ? 'Active' : 'Inactive'}</Badge> },
  { id: 'updated_at', header: 'Changed', kind: 'date', cell: (row) => row.updated_at, sort: true, width: 120 },
], ['active']);

const filters = [
  { name: 'kind', label: 'Kind', options: optionsOf(VENUE_KIND_LABELS) },
  { name: 'active', label: 'Status',
    options: [{ value: 'true', label: 'Active' }, { value: 'false', label: 'Inactive' }] },
];

const VenueMap = lazy(() => import('./venue-map.web.tsx'));

export default function VenueList() {
  const may = useMay();
  const list = useList(venueEndpoints.list, {}, { filters: ['kind', 'active'], bulk: venueBulk,
    edit: venueEndpoints.update });
  const onMap = useQueryValues().values.get('show') === 'map' && mapsKey() !== '';
  const { page: _page, per_page: _size, ...query } = list.search.query;
  return (
    <TrashList<Row> one="venue" many="venues" subtitle="Houses, their seats and the prices they usually charge"
      href="/admin/venues" mayCreate={may('venue.create')} mayRemove={may('venue.delete')} endpoints={venueEndpoints}
      trashColumns={columns.slice(0, 5)} trashBulk={venueTrashBulk}>
      {onMap && <Suspense fallback={<Skeleton height={320} />}><VenueMap query={query} /></Suspense>}
      <DataTable label="Venues" {...list} columns={columns} filters={filters} rowKey={(row) => row.id}
        rowHref={(row) => `/admin/venues/${row.id}`} searchPlaceholder="Name, city or number"
        tools={mapsKey() !== '' && (onMap
          ? <ButtonLink href="/admin/venues" icon={<Glyph icon={Rows3} />} size="small">List only</ButtonLink>
          : <ButtonLink href="/admin/venues?show=map" icon={<Glyph icon={MapIcon} />} size="small">Map</ButtonLink>)}
        empty={{ title: 'No venues yet', text: spell`Licenses name the venue they are played at.` }} />
    </TrashList>
  );
}
