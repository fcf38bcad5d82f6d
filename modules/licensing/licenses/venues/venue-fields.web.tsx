/** The fields of a venue in a quote: one of our places or a name of its own, house, price bands. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { venueEndpoints } from '#modules/operations/venue/venue.contract.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { NumberField } from '#web/controls/field/number-field.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { TicketingTable } from '#web/controls/ticketing/ticketing-table.tsx';
import { canEditTickets, type TicketRow as TableRow } from '#web/controls/ticketing/ticketing.ts';
import { useCurrentUser } from '#web/query/current-user.ts';
import { optionsFrom } from '#web/query/options-from.ts';
import { optionsOf, PERFORMANCE_TYPE_WORDS } from '../../words.web.ts';
import type { TicketRow } from './license-venue.contract.ts';
import styles from '../../licensing.module.css';

export interface VenueDraft {
  venue_id: number | null;
  venue_label: string;
  name: string;
  capacity: number | null;
  expected_attendance: number | null;
  ticketing: TicketRow[];
}

export const EMPTY_VENUE: VenueDraft = {
  venue_id: null, venue_label: '', name: '', capacity: null, expected_attendance: null, ticketing: [],
};

const TYPES = optionsOf(PERFORMANCE_TYPE_WORDS);

const source = optionsFrom(venueEndpoints.list, (row) => ({ value: row.id, label: row.name,
  children: [row.locality, row.capacity ? `${row.capacity.toLocaleString('en-US')} seats` : '']
    .filter(Boolean).join(', ') }));

/** Only what a ticket row of a licence holds: the preset carries its currency as well. */
function ticketOf({ label, number_of_seats, price, weight, performance_type: type }: TableRow): TicketRow {
  return { number_of_seats, price, weight, ...(label ? { label } : {}),
    ...(type ? { performance_type: type as TicketRow['performance_type'] } : {}) };
}

/** The preset of a venue: its house and the rows a new licence starts from. */
async function presetOf(id: number): Promise<Partial<VenueDraft>> {
  const [venue, tickets] = await Promise.all([call(venueEndpoints.show, { params: { id } }),
    call(venueEndpoints.tickets, { params: { id } })]);
  return {
    name: venue.data.name, capacity: venue.data.capacity,
    ...(tickets.data.length > 0 ? { ticketing: tickets.data.map(ticketOf) } : {}),
  };
}

export function VenueFields({ value, onChange, currency, errors, path }: {
  value: VenueDraft; onChange: (change: Partial<VenueDraft>) => void; currency: string;
  errors: Readonly<Record<string, string>>; path: string;
}) {
  const user = useCurrentUser();
  // The table keeps its own rows: a preset that arrives starts it anew.
  const [presets, setPresets] = useState(0);
  const at = (name: string) => errors[path ? `${path}.${name}` : name];
  const rowError = Object.entries(errors).find(([name]) => name.startsWith(path ? `${path}.ticketing`
    : 'ticketing'))?.[1];
  const choose = (id: number | null, label: string) => {
    onChange({ venue_id: id, venue_label: label });
    // Without its preset the venue is still chosen; the rows are then typed.
    if (id === null) return;
    presetOf(id).then((preset) => { onChange(preset); setPresets((count) => count + 1); }, () => undefined);
  };
  return (
    <>
      <div className={styles.pair}>
        <AsyncSelect<number> label="Venue" required={!value.name} clearable source={source} value={value.venue_id}
          selectedLabel={value.venue_label} error={at('venue_id')}
          onChange={(id, option) => choose(id, option?.label ?? '')} />
        <TextField label="Venue name (if not listed)" value={value.name} disabled={value.venue_id !== null}
          onChange={(name) => onChange({ name })} error={at('name')} />
        <NumberField label="Seating capacity" value={value.capacity} onChange={(capacity) => onChange({ capacity })}
          error={at('capacity')} />
        <NumberField label="Expected attendance" value={value.expected_attendance} error={at('expected_attendance')}
          onChange={(expected) => onChange({ expected_attendance: expected })} />
      </div>
      <TicketingTable key={presets} rows={value.ticketing} currency={currency} types={TYPES}
        canEdit={user ? canEditTickets(user) : false}
        onChange={(rows) => onChange({ ticketing: rows.map(ticketOf) })} />
      {rowError && <p role="alert" className={styles.late}>{rowError}</p>}
    </>
  );
}

/** Request body of a drafted venue. */
export function venueBody(draft: VenueDraft) {
  return {
    venue_id: draft.venue_id, capacity: draft.capacity, expected_attendance: draft.expected_attendance,
    ticketing: draft.ticketing, ...(draft.name.trim() ? { name: draft.name.trim() } : {}),
  };
}
