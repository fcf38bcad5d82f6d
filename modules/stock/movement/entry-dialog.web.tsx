/** Delivery, transfer, count, correction, quarantine, grading and write-off: one dialog, worked with a hand scanner. */
import { useState, type FormEvent } from 'react';
import { vendorEndpoints } from '#modules/operations/vendor/vendor.contract.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { FormActions } from '#web/controls/form/form-frame.tsx';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { Callout } from '#web/data/callout.tsx';
import { toast } from '#web/data/toast.tsx';
import { DIVISION_CURRENCY } from '#web/layout/division.ts';
import { Modal } from '#web/layout/overlay.tsx';
import { optionsFrom } from '#web/query/options-from.ts';
import { useAction } from '#web/query/use-action.ts';
import { warehouseEndpoints, type WarehouseRow } from '../warehouse/warehouse.contract.ts';
import { stockEndpoints, type EntryKind } from './movement.contract.ts';
import { ENTRY_LABELS } from './movement-words.web.ts';
import { useLeaveScan } from '../leave-scan.web.tsx';
import { ScanLines, type ScannedLine } from './scan-lines.web.tsx';
import styles from '../stock.module.css';

export const warehouseSource = optionsFrom(warehouseEndpoints.list, (row) => ({ value: row.id, label: row.name,
  children: row.code }), { query: { active: 'true' } });

const DONE: Record<EntryKind, string> = { receipt: 'Delivery received', transfer: 'Transfer booked',
  adjust: 'Correction booked', count: 'Count booked', quarantine: 'Put into quarantine', grade: 'Graded',
  write_off: 'Written off' };
const FROM_WORDS = { on_hand: 'The shelf', quarantine: 'Quarantine', damaged: 'The damaged' };
const TO_WORDS = { on_hand: 'The shelf', damaged: 'The damaged' };
const HINT: Record<EntryKind, string> = {
  receipt: 'New copies of tracked materials get a label each.', transfer: 'Leaves here and arrives there at once.',
  adjust: 'Difference from the recorded quantity; negative if there are fewer.',
  count: 'Count what is on the shelf; the difference is booked. A copy: 1 is there, 0 is missing.',
  quarantine: 'Off the shelf until somebody has looked at it.', grade: 'Looked at: back to the shelf, or damaged.',
  write_off: 'Gone for good.' };

const vendorSource = optionsFrom(vendorEndpoints.list, (row) => ({ value: row.id, label: row.name,
  children: row.number }), { query: { active: 'true' } });

interface EntryDialogProps {
  kind: EntryKind; warehouse: Pick<WarehouseRow, 'id' | 'name' | 'division'>; onClose: () => void;
}

export function EntryDialog({ kind, warehouse, onClose }: EntryDialogProps) {
  const [lines, setLines] = useState<ScannedLine[]>([]);
  const [to, setTo] = useState<number | null>(null);
  const [from, setFrom] = useState<keyof typeof FROM_WORDS>(kind === 'grade' ? 'quarantine' : 'on_hand');
  const [place, setPlace] = useState<keyof typeof TO_WORDS>('on_hand');
  const [reason, setReason] = useState('');
  const [vendor, setVendor] = useState<number | null>(null);
  const [note, setNote] = useState('');
  const enter = useAction(stockEndpoints.enter, { refresh: [stockEndpoints.stock, stockEndpoints.copies,
    warehouseEndpoints.list], onDone: () => { toast(DONE[kind]); onClose(); }, onFailure: () => {} });
  const errors = Object.fromEntries(Object.entries(enter.failure?.fields ?? {}).map(([path, texts]) =>
    [path, texts[0] ?? '']));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void enter.run({ body: { kind, warehouse_id: warehouse.id, reason,
      lines: lines.map(({ code, quantity, unit_cost_minor: cost }) => ({ code, quantity,
        ...(vendor !== null && typeof cost === 'number' ? { unit_cost_minor: cost } : {}) })),
      ...(vendor === null ? {} : { purchase: { vendor_id: vendor, delivery_note: note } }),
      ...(kind === 'transfer' && to !== null ? { to_warehouse_id: to } : {}),
      ...(kind === 'grade' || kind === 'write_off' ? { from } : {}), ...(kind === 'grade' ? { to: place } : {}) } });
  };
  const { leave, question } = useLeaveScan(lines.length, onClose);
  const needsReason = kind === 'adjust' || kind === 'write_off';
  return (
    <Modal open onClose={leave} width={620} title={`${ENTRY_LABELS[kind]}, ${warehouse.name}`}>
      <form className={styles.form} onSubmit={submit} noValidate aria-label={ENTRY_LABELS[kind]}>
        <p>{HINT[kind]}</p>
        {kind === 'transfer' && (
          <AsyncSelect<number> label="To" required source={warehouseSource} value={to} onChange={setTo}
            error={errors.to_warehouse_id} />
        )}
        {(kind === 'grade' || kind === 'write_off') && (
          <AsyncSelect label="From" required value={from} onChange={(value) => value && setFrom(value)}
            options={optionsOf(FROM_WORDS).filter((one) => kind === 'write_off' || one.value !== 'on_hand')} />
        )}
        {kind === 'grade' && (
          <AsyncSelect label="To" required value={place} onChange={(value) => value && setPlace(value)}
            options={optionsOf(TO_WORDS).filter((one) => one.value !== from)} />
        )}
        {kind === 'receipt' && (
          <AsyncSelect<number> label="Vendor" clearable source={vendorSource} value={vendor} onChange={setVendor}
            caption="The vendor who will bill it; leave blank if nobody will" error={errors['purchase.vendor_id']} />)}
        {kind === 'receipt' && vendor !== null && (
          <TextField label="Delivery note" value={note} onChange={setNote} maxLength={60}
            error={errors['purchase.delivery_note']} />)}
        <ScanLines lines={lines} onChange={setLines} errors={errors} first
          costs={vendor === null ? undefined : DIVISION_CURRENCY[warehouse.division] as 'USD'}
          allowNegative={kind === 'adjust'}
          quantityLabel={kind === 'count' ? 'Counted' : kind === 'adjust' ? 'More or less' : 'Quantity'} />
        <TextField label={needsReason ? 'Reason' : 'Note'} required={needsReason} value={reason} onChange={setReason}
          error={errors.reason} maxLength={300} />
        {enter.failure && enter.failure.kind !== 'fields' && (
          <Callout tone="error" live title="This was not booked">{enter.failure.message}</Callout>
        )}
        <FormActions>
          <Button type="submit" variant={kind === 'write_off' ? 'danger' : 'primary'} pending={enter.pending}
            reason={lines.length === 0 ? 'Scan at least one item' : undefined}>
            {`Book ${ENTRY_LABELS[kind].toLowerCase()}`}
          </Button>
        </FormActions>
      </form>
      {question}
    </Modal>
  );
}
