/** Adds a weekly run to a venue of a draft: evenings and matinees of chosen weekdays between two days. */
import { useState } from 'react';
import { newRows } from '#kernel/licensing/performance-series.ts';
import { NEW_SERIES, rowsOfSeries, type SeriesDraft } from '#web/controls/ticketing/series-draft.ts';
import { SeriesFields } from '#web/controls/ticketing/series-fields.tsx';
import { useAction } from '#web/query/use-action.ts';
import { ActionDialog } from '../../action-dialog.web.tsx';
import { licenseEndpoints, type LicenseRow } from '../license.contract.ts';
import type { LicenseVenueRow } from '../venues/license-venue.contract.ts';
import { performanceEndpoints, type PERFORMANCE_TYPES } from './performance.contract.ts';

type Kind = (typeof PERFORMANCE_TYPES)[number];

export function SeriesDialog({ license, venue, onClose }: {
  license: LicenseRow; venue: LicenseVenueRow; onClose: () => void;
}) {
  const action = useAction(performanceEndpoints.create, { refresh: [licenseEndpoints.show],
    onFailure: () => undefined, onDone: onClose, done: 'Performances added' });
  const [draft, setDraft] = useState<SeriesDraft>(NEW_SERIES);
  const result = rowsOfSeries(draft);
  const known = (license.performances ?? []).filter((row) => row.license_venue_id === venue.id);
  const rows = 'rows' in result ? newRows(result.rows, known) : [];
  const reason = 'problem' in result ? result.text : rows.length === 0 ? 'All of these are on the list' : undefined;
  return (
    <ActionDialog title="Add a weekly run" action={action} onClose={onClose} known={[]} reason={reason}
      submit={rows.length > 0 ? `Add ${rows.length} performances` : 'Add performances'}
      text={`At ${venue.name}, in the venue's local time. Each performance can be changed or removed afterwards.`}
      onSubmit={() => void action.run({ params: { licenseId: license.id }, body: { license_venue_id: venue.id,
        rows: rows.map((row) => ({ ...row, type: row.type as Kind })) } })}>
      <SeriesFields value={draft} onChange={(change) => setDraft((old) => ({ ...old, ...change }))} />
    </ActionDialog>
  );
}
