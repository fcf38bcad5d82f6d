/** A change: dates moved, taken off or added, other venues, seats or prices; rights and price are shown first. */
import { Plus, RotateCcw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { BodyIn, ResponseOf } from '#kit/endpoint.ts';
import { portalEndpoints } from '#modules/licensing/portal/portal.contract.ts';
import { Button, IconButton } from '#web/controls/button/button.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { TimeField } from '#web/controls/field/time-field.tsx';
import { Callout } from '#web/data/callout.tsx';
import { today } from '#web/data/local-day.ts';
import { Glyph } from '#web/layout/icons.tsx';
import { Card } from '#web/layout/portal-shell.tsx';
import { useAction } from '#web/query/use-action.ts';
import { ChangeVenues, missingVenue, venueChangesOf, venueDrafts } from './change-venues.web.tsx';
import type { Performance } from './performance-row.web.ts';
import type { ProductionProps } from './production-frame.web.tsx';
import { PriceChange } from './price-change.web.tsx';
import styles from './portal.module.css';

interface Draft {
  key: string; id: number | null; venue: number; day: string | null; time: string | null; gone: boolean;
  before: { day: string; time: string } | null;
}
type Change = NonNullable<BodyIn<typeof portalEndpoints.requestAmendment>['changes']['performances']>[number];
type Preview = ResponseOf<typeof portalEndpoints.previewAmendment>['data'];

const draftOf = (row: Performance): Draft => ({
  key: `p${row.id}`, id: row.id, venue: row.license_venue_id,
  day: row.status === 'postponed' ? null : row.local_date, time: row.local_time, gone: false,
  // A postponed night has given up its day: the same day again is a change, and plans it.
  before: row.status === 'postponed' ? null : { day: row.local_date, time: row.local_time },
});

/** Only what differs from the run as it stands. */
export function changesOf(drafts: readonly Draft[]): Change[] {
  return drafts.flatMap((draft): Change[] => {
    if (draft.id !== null && draft.gone) return [{ id: draft.id, cancel: true }];
    if (draft.day === null || draft.time === null || draft.gone) return [];
    const when = { local_date: draft.day, local_time: draft.time };
    if (draft.id === null) return [{ license_venue_id: draft.venue, ...when }];
    const same = draft.before?.day === draft.day && draft.before.time === draft.time;
    return same ? [] : [{ id: draft.id, ...when }];
  });
}

function Row({ draft, onChange, onRemove }: {
  draft: Draft; onChange: (draft: Draft) => void; onRemove: () => void;
}) {
  return (
    <li className={styles.editRow} data-gone={draft.gone || undefined}>
      <DateField label="Day" value={draft.day} min={today()} disabled={draft.gone}
        onChange={(day) => onChange({ ...draft, day })} />
      <TimeField label="Curtain" value={draft.time} disabled={draft.gone}
        onChange={(time) => onChange({ ...draft, time })} />
      <IconButton size="large" label={draft.gone ? 'Keep this performance' : 'Remove this performance'}
        icon={<Glyph icon={draft.gone ? RotateCcw : Trash2} size={18} />} onClick={onRemove} />
    </li>
  );
}

function Outcome({ preview }: { preview: Preview }) {
  return (
    <div className={styles.tight} aria-live="polite">
      <Callout tone={preview.verdict === 'clear' ? 'ok' : preview.verdict === 'blocked' ? 'error' : 'warn'}
        title={preview.reason_public}>
        {preview.automatic ? 'The change takes effect as soon as you send it.'
          : preview.why_we_look ?? 'We look at it and answer soon.'}
      </Callout>
      <PriceChange lines={preview.lines} currency={preview.currency} />
    </div>
  );
}

export function ChangeRequest({ production, portal, rows, onClose }: ProductionProps & {
  rows: readonly Performance[]; onClose: () => void;
}) {
  const [drafts, setDrafts] = useState<Draft[]>(() => rows.filter((row) => row.status === 'planned'
    || row.status === 'postponed').map(draftOf));
  const [venues, setVenues] = useState(() => venueDrafts(production.license_venues));
  const [reason, setReason] = useState('');
  const [preview, setPreview] = useState<Preview | null>(null);
  const params = { id: portal.customerId, licenseId: production.id };
  const check = useAction(portalEndpoints.previewAmendment, { onDone: ({ data }) => setPreview(data) });
  const send = useAction(portalEndpoints.requestAmendment, {
    done: ({ data }) => (data.status === 'applied' ? 'The change is made'
      : 'We have your request and will answer soon'),
    onDone: onClose,
  });
  const [nights, places] = [changesOf(drafts), venueChangesOf(venues)];
  const changes = { ...(nights.length > 0 && { performances: nights }),
    ...(places.length > 0 && { license_venues: places }) };
  const patch = (key: string, draft: Draft | null) => {
    setPreview(null);
    setDrafts((old) => old.flatMap((one) => (one.key === key ? draft ?? [] : one)));
  };
  const last = drafts.at(-1);
  const add = () => {
    setPreview(null);
    const venue = last?.venue ?? production.license_venues[0]?.id ?? 0;
    setDrafts((old) => [...old, { key: `n${old.length}${Date.now()}`, id: null, venue, day: null,
      time: last?.time ?? '19:30', gone: false, before: null }]);
  };
  const nothing = Object.keys(changes).length === 0 ? 'Change something first' : missingVenue(venues);
  return (
    <Card title="Requested changes">
      <div className={styles.stack}>
        <ul className={styles.list}>
          {drafts.map((draft) => (
            <Row key={draft.key} draft={draft} onChange={(next) => patch(draft.key, next)}
              onRemove={() => patch(draft.key, draft.id === null ? null : { ...draft, gone: !draft.gone })} />
          ))}
        </ul>
        <div><Button icon={<Glyph icon={Plus} />} onClick={add}>Add a performance</Button></div>
        <ChangeVenues drafts={venues} currency={production.currency}
          onChange={(next) => { setPreview(null); setVenues(next); }} />
        {preview && <Outcome preview={preview} />}
        {preview && (
          <TextField label="Why?" required rows={2} maxLength={2000} value={reason} onChange={setReason} />
        )}
        <div className={styles.actions}>
          {preview
            ? (
              <Button variant="primary" pending={send.pending}
                {...(reason.trim() === '' && { reason: 'Enter a reason first' })}
                onClick={() => void send.run({ params, body: { changes, reason: reason.trim() } })}>
                Send the request</Button>
            ) : (
              <Button variant="primary" pending={check.pending} {...(nothing && { reason: nothing })}
                onClick={() => void check.run({ params, body: { changes } })}>
                See price</Button>
            )}
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </div>
    </Card>
  );
}
