/** The page of one venue: its facts, the names imports know it by, its ticketing preset; and the page that adds one. */
import { useState } from 'react';
import { spell } from '#kernel/text/english.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { FormActions } from '#web/controls/form/form-frame.tsx';
import { NamesEditor } from '#web/controls/field/names-editor.tsx';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { TicketingTable } from '#web/controls/ticketing/ticketing-table.tsx';
import type { TicketRow } from '#web/controls/ticketing/ticketing.ts';
import { UnsavedGuard } from '#web/controls/form/unsaved-guard.tsx';
import { Badge } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import { CodeText } from '#web/data/code-text.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { toast } from '#web/data/toast.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { TrashButton } from '#web/layout/trash-list.tsx';
import { useIdParam, useNavigation } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { venueEndpoints } from './venue.contract.ts';
import styles from './venue.module.css';
import { VENUE_KIND_LABELS, VenueForm, type VenueRow } from './venue-form.web.tsx';

export function VenueCreate() {
  const { go } = useNavigation();
  return (
    <>
      <PageHeader title="New venue" back="/admin/venues" />
      <PageContent record>
        <VenueForm row={null} mayWrite onSaved={(row) => {
          toast(`${row.name} was added`);
          go(`/admin/venues/${row.id}`, { replace: true });
        }} />
      </PageContent>
    </>
  );
}

export function VenuePage() {
  const may = useMay();
  const id = useIdParam('venueId');
  const refresh = useRefresh([venueEndpoints.list]);
  const read = useEndpoint(venueEndpoints.show, { params: { id } });
  const row = read.data?.data;
  if (read.isError && !row) {
    return <RecordProblem noun="venue" list="/admin/venues" error={read.error} onRetry={() => void read.refetch()} />;
  }
  return (
    <>
      <PageHeader title={row?.name ?? 'Venue'} back="/admin/venues"
        activity={row && { entity: 'venue', id: row.id }}
        badges={row && <Badge tone={row.active ? 'ok' : 'neutral'}>{row.active ? 'Active' : 'Inactive'}</Badge>}
        waiting={!row}
        subtitle={row && [<CodeText key="n">{row.number}</CodeText>, VENUE_KIND_LABELS[row.kind], row.locality]}>
        {row && may('venue.delete') && (
          <TrashButton row={row} list="/admin/venues" endpoints={venueEndpoints}
            text={spell`A venue that licenses name stays; make it inactive instead.`} />
        )}
      </PageHeader>
      <PageContent record>
        {row ? (
          <>
            <VenueForm key={`form-${row.id}`} row={row} mayWrite={may('venue.update')}
              onSaved={() => { toast('Venue saved'); void refresh(); }} />
            <Preset row={row} />
            <Aliases key={`aliases-${row.id}`} row={row} />
          </>
        ) : [240, 420, 360].map((width) => <p key={width}><Skeleton width={width} height={16} /></p>)}
      </PageContent>
    </>
  );
}

/** Usual price currency by country; euro anywhere else. */
const HOME_CURRENCY: Readonly<Record<string, string>> = { US: 'USD', CA: 'USD', GB: 'GBP' };

/** The rows a new licence at this venue starts from. */
function Preset({ row }: { row: VenueRow }) {
  const read = useEndpoint(venueEndpoints.tickets, { params: { id: row.id } });
  const rows = read.data?.data;
  const home = HOME_CURRENCY[row.country_code ?? 'US'] ?? 'EUR';
  return (
    <Section title="Ticketing preset"
      description={spell`Seats, prices and their weights that a new license here starts from.`}>
      {read.isError && !rows && (
        <Callout tone="error" title="The preset could not be loaded">{read.error.message}</Callout>
      )}
      {!rows && !read.isError && <Skeleton width={420} height={16} />}
      {rows && <PresetTable key={JSON.stringify(rows)} row={row} saved={rows} start={rows[0]?.currency ?? home} />}
    </Section>
  );
}

function PresetTable({ row, saved, start }: { row: VenueRow; saved: readonly TicketRow[]; start: string }) {
  const may = useMay()('venue.update');
  const [rows, setRows] = useState<readonly TicketRow[]>(saved);
  const [currency, setCurrency] = useState<string>(start);
  const save = useAction(venueEndpoints.saveTickets, { done: 'Preset saved' });
  const changed = rows !== saved || currency !== start;
  const tickets = rows.map(({ number_of_seats, price, weight, label = '' }) => ({ number_of_seats, price, weight,
    label }));
  const problem = Object.values(save.failure?.fields ?? {})[0]?.[0];
  return (
    <div className={styles.preset}>
      <UnsavedGuard dirty={may && changed} />
      <AsyncSelect label="Prices in" options={optionsOf({ USD: 'USD', EUR: 'EUR', GBP: 'GBP' })} value={currency}
        onChange={(value) => value && setCurrency(value)} disabled={!may} />
      <TicketingTable rows={rows} onChange={setRows} canEdit={may} currency={currency} />
      {problem && <Callout tone="error" live title={problem} />}
      {may && (
        <FormActions>
          <Button pending={save.pending} reason={changed ? undefined : 'Nothing changed'}
            onClick={() => void save.run({ params: { id: row.id }, body: { currency: currency as 'USD', tickets } })}>
            Save preset
          </Button>
        </FormActions>
      )}
    </div>
  );
}

function Aliases({ row }: { row: VenueRow }) {
  const may = useMay()('venue.update');
  const save = useAction(venueEndpoints.aliases, { done: 'Names saved' });
  return (
    <NamesEditor title="Names in returns" names={row.aliases} mayWrite={may} pending={save.pending}
      description="Imports find a venue by its name or one of these. Each name belongs to one venue."
      error={save.failure?.fields.aliases?.[0]} onSave={async (aliases) =>
        await save.run({ params: { id: row.id }, body: { aliases, version: row.version } }) !== null} />
  );
}
