/** Adds a venue to a draft, changes its house and price bands, or takes it off. */
import { useState } from 'react';
import { Button } from '#web/controls/button/button.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import { useAction } from '#web/query/use-action.ts';
import { ActionDialog, errorsOf } from '../../action-dialog.web.tsx';
import { licenseEndpoints, type LicenseRow } from '../license.contract.ts';
import { licenseVenueEndpoints, type LicenseVenueRow } from './license-venue.contract.ts';
import { EMPTY_VENUE, venueBody, VenueFields, type VenueDraft } from './venue-fields.web.tsx';
import styles from '../../licensing.module.css';

function draftOf(venue: LicenseVenueRow | undefined): VenueDraft {
  if (!venue) return EMPTY_VENUE;
  return { venue_id: venue.venue_id, venue_label: venue.venue_id === null ? '' : venue.name, name: venue.name,
    capacity: venue.capacity, expected_attendance: venue.expected_attendance, ticketing: venue.ticketing };
}

export function VenueDialog({ license, venue, onClose }: {
  license: LicenseRow; venue?: LicenseVenueRow | undefined; onClose: () => void;
}) {
  const [removing, setRemoving] = useState(false);
  const options = { refresh: [licenseEndpoints.show], onFailure: () => undefined, onDone: onClose };
  const create = useAction(licenseVenueEndpoints.create, { ...options, done: 'Venue added' });
  const update = useAction(licenseVenueEndpoints.update, { ...options, done: 'Venue changed' });
  const remove = useAction(licenseVenueEndpoints.remove, { ...options, done: 'Venue taken off' });
  const action = venue ? update : create;
  const [draft, setDraft] = useState(() => draftOf(venue));
  const submit = () => {
    const body = venueBody(draft);
    if (venue) void update.run({ params: { licenseId: license.id, id: venue.id }, body: { ...body,
      version: venue.version } });
    else void create.run({ params: { licenseId: license.id }, body });
  };
  const nameless = draft.venue_id === null && !draft.name.trim();
  return (
    <>
      <ActionDialog title={venue ? venue.name : 'Add a venue'} submit={venue ? 'Save venue' : 'Add venue'} width={760}
        action={action} onClose={onClose} onSubmit={submit} reason={nameless ? 'Choose or name the venue' : undefined}
        known={['venue_id', 'name', 'capacity', 'expected_attendance']}
        text="A change takes the stored price back; price the draft again afterwards.">
        <VenueFields value={draft} currency={license.currency} errors={errorsOf(action.failure)} path=""
          onChange={(change) => setDraft((old) => ({ ...old, ...change }))} />
        {venue && (
          <div className={styles.row}>
            <Button variant="quiet" onClick={() => setRemoving(true)}>Remove venue</Button>
          </div>
        )}
      </ActionDialog>
      {venue && (
        <ConfirmDialog open={removing} danger title={`Remove ${venue.name}?`} confirm="Remove venue"
          pending={remove.pending}
          text="Its performances and prices leave this draft with it." onCancel={() => setRemoving(false)}
          onConfirm={() => void remove.run({ params: { licenseId: license.id, id: venue.id } })} />
      )}
    </>
  );
}
