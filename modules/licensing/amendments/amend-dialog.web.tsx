/**
 * Amending a licence: move, cancel or add performances, or another fee; what it does to rights, price and invoices is
 * shown before it is done.
 */
import { useMemo, useState } from 'react';
import { addDays } from '#kernel/calendar/calendar.ts';
import { spell } from '#kernel/text/english.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { MoneyField } from '#web/controls/field/money-field.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { TimeField } from '#web/controls/field/time-field.tsx';
import { Callout } from '#web/data/callout.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { useAction } from '#web/query/use-action.ts';
import { ActionDialog, errorsOf } from '../action-dialog.web.tsx';
import { VerdictBadge } from '../availability/availability-panel.web.tsx';
import type { LicenseDialogProps } from '../licenses/license-view.web.ts';
import { licenseEndpoints } from '../licenses/license.contract.ts';
import { amendmentEndpoints, type AmendmentChanges, type AmendmentPreview } from './amendment.contract.ts';
import { changesOf, draftOf, shifted, type Draft } from './amendment-draft.web.ts';
import { billingWords } from './amendment-words.web.ts';
import { usePreview } from '#web/query/use-preview.ts';
import styles from '../licensing.module.css';
import { LICENSE_MONEY } from '../money/license-money.web.ts';

const lineColumns = (preview: AmendmentPreview): readonly Column<AmendmentPreview['lines'][number]>[] => [
  { id: 'description', header: 'Line', kind: 'title', cell: (line) => line.description, width: 220 },
  { id: 'before', header: 'Before', kind: 'money', cell: (line) => line.before_minor,
    total: BigInt(preview.price_before_minor), width: 100 },
  { id: 'after', header: 'After', kind: 'money', cell: (line) => line.after_minor,
    total: BigInt(preview.price_after_minor), width: 100 },
  { id: 'delta', header: 'Difference', kind: 'money', cell: (line) => line.delta_minor,
    total: BigInt(preview.delta_minor), width: 100 },
];

export function AmendDialog({ view, onClose }: LicenseDialogProps) {
  const { license } = view;
  const params = { licenseId: license.id };
  const rows = useMemo(() => (license.performances ?? []).filter((row) => row.status === 'planned'),
    [license.performances]);
  const [drafts, setDrafts] = useState<readonly Draft[]>(() => rows.map(draftOf));
  const [reason, setReason] = useState('');
  const [clearance, setClearance] = useState('');
  const [fee, setFee] = useState<number | null>(null);
  const changes = withFee(changesOf(drafts, rows), fee, reason);
  const preview = usePreview(amendmentEndpoints.preview, changes && { params, body: { changes } });
  const answer = preview.data?.data;
  const action = useAction(amendmentEndpoints.amend, { refresh: [licenseEndpoints.show, ...LICENSE_MONEY],
    onFailure: () => undefined,
    onDone: onClose, done: spell`The license is amended` });
  const change = (key: string, next: Partial<Draft>) => setDrafts(drafts.map((draft) => (draft.key === key
    ? { ...draft, ...next } : draft)));
  const blocked = answer !== undefined && answer.verdict !== 'clear';
  const submit = () => { if (changes) void action.run({ params, body: { version: license.version, changes, reason,
    ...(blocked ? { clearance_reason: clearance } : {}) } }); };
  const missing = !changes ? 'Change something first' : !reason.trim() ? 'Give a reason'
    : blocked && !clearance.trim() ? 'Say who cleared the rights' : undefined;
  return (
    <ActionDialog title={spell`Amend the license`} width={760} action={action} onClose={onClose} onSubmit={submit}
      known={['reason', 'clearance_reason']}
      submit={answer && !preview.stale ? amendLabel(answer) : spell`Amend license`} reason={missing}
      text="A new version with an addendum that the customer signs. What was played stays.">
      <div className={styles.pair}>
        <DateField label="Move the whole run, opening on" value={drafts[0]?.date ?? null}
          disabled={drafts.length === 0} onChange={(day) => setDrafts(shifted(drafts, day))}
          caption="Every performance below moves by as many days." />
        <MoneyField label="New fee per performance" currency={license.currency} value={fee} onChange={setFee}
          caption="Left empty, the fee stays as agreed." />
      </div>
      <div className={styles.tight} role="group" aria-label="Performances">
        {drafts.map((draft) => (
          <PerformanceDraft key={draft.key} draft={draft} venues={license.license_venues ?? []}
            onChange={(next) => change(draft.key, next)}
              onRemove={() => setDrafts(drafts.filter((one) => one !== draft))} />
        ))}
        <div>
          <Button size="small" onClick={() => setDrafts([...drafts, nextDraft(drafts, license.license_venues?.[0]?.id
            ?? 0)])}
            reason={(license.license_venues ?? []).length === 0 ? 'There is no venue'
              : undefined}>Add performance</Button>
        </div>
      </div>
      {preview.error && <Callout tone="error" title="This cannot be done">{preview.error}</Callout>}
      {answer && <PreviewPart preview={answer} />}
      {blocked && (
        <TextField label="Clearance" required rows={2} value={clearance} onChange={setClearance}
          error={errorsOf(action.failure).clearance_reason}
          caption="Name of the person who approved the changed dates or venues." />
      )}
      <TextField label="Reason" required rows={2} value={reason} onChange={setReason}
        error={errorsOf(action.failure).reason} />
    </ActionDialog>
  );
}

/** The dialog's reason stands for the fee as well; the preview needs one before it is typed. */
function withFee(changes: AmendmentChanges | null, fee: number | null, reason: string): AmendmentChanges | null {
  if (fee === null) return changes;
  return { ...changes, fee: { fee_per_performance_minor: fee, reason: reason.trim() || 'Amended' } };
}

/** 'Amend for 995.00 more': the button says what it costs. */
function amendLabel(preview: AmendmentPreview): string {
  if (preview.delta_minor === 0) return 'Amend at the same price';
  return preview.delta_minor > 0 ? `Amend for ${formatAmount(preview.delta_minor)} more`
    : `Amend and credit ${formatAmount(-preview.delta_minor)}`;
}

function nextDraft(drafts: readonly Draft[], venueId: number): Draft {
  const last = drafts.at(-1);
  return { key: `n${drafts.length}${Date.now()}`, id: null, venueId: last?.venueId ?? venueId,
    date: last?.date ? addDays(last.date, 1) : null, time: last?.time ?? '19:30', cancel: false };
}

function PerformanceDraft({ draft, venues, onChange, onRemove }: {
  draft: Draft; venues: readonly { id: number; name: string }[]; onChange: (next: Partial<Draft>) =>
    void; onRemove: () => void;
}) {
  const name = draft.date ? formatDay(draft.date, 'weekday') : 'new performance';
  return (
    <div className={styles.performanceRow} role="group" aria-label={name}>
      <DateField label="Date" disabled={draft.cancel} value={draft.date} onChange={(date) => onChange({ date })} />
      <TimeField label="Curtain" disabled={draft.cancel} value={draft.time} onChange={(time) => onChange({ time })} />
      {draft.id === null && venues.length > 1 ? (
        <AsyncSelect<number> label="Venue" value={draft.venueId}
          onChange={(id) => { if (id) onChange({ venueId: id }); }}
          options={venues.map((venue) => ({ value: venue.id, label: venue.name }))} />
      ) : (
        <div className={styles.performanceFact} data-field-frame>
          <span>Venue</span><span>{venues.find((venue) => venue.id === draft.venueId)?.name}</span>
        </div>
      )}
      <div className={styles.performanceSide}>
        {draft.id === null ? <Button size="small" variant="quiet" onClick={onRemove}>Remove</Button>
          : <Checkbox label="Cancel" value={draft.cancel} onChange={(cancel) => onChange({ cancel })} />}
      </div>
    </div>
  );
}

function PreviewPart({ preview }: { preview: AmendmentPreview }) {
  return (
    <div className={styles.stack}>
      <div className={styles.row}>
        <VerdictBadge verdict={preview.verdict} />
        {preview.verdict !== 'clear' && <span className={styles.muted}>{preview.reason_public}</span>}
      </div>
      <DataTable label="Cost of the change" variant="record" columns={lineColumns(preview)} rows={preview.lines}
        rowKey={(line) => line.description} totalLabel={`Total ${preview.currency}`}
          empty={{ title: 'No line changes' }} />
      {billingWords(preview.billing, preview.currency).map((text) => (
        <p key={text} className={styles.muted}>{text}</p>
      ))}
    </div>
  );
}
