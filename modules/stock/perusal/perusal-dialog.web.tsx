/** Fields of a perusal event: a day, a reason, barcodes and carrier, a condition. */
import { useRef, useState, type FormEvent } from 'react';
import { addDays } from '#kernel/calendar/calendar.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { FormActions, FormGrid } from '#web/controls/form/form-frame.tsx';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { Callout } from '#web/data/callout.tsx';
import { today } from '#web/data/local-day.ts';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { useAction } from '#web/query/use-action.ts';
import { salesOrderEndpoints } from '../sales-order/sales-order.contract.ts';
import { perusalEndpoints, type PerusalDetail, type PerusalStaffEvent } from './perusal.contract.ts';
import styles from './perusal.module.css';
import { CONDITIONS, EVENT_LABELS, STATUS_LABELS, untilOf } from './perusal-words.web.tsx';

type Condition = keyof typeof CONDITIONS;

function titleOf(event: PerusalStaffEvent, perusal: PerusalDetail): string {
  if (event === 'close' && perusal.status === 'approved') return `Call ${perusal.number} off`;
  if (event === 'close' && perusal.status === 'active') return `End reading of ${perusal.show_title}`;
  return `${EVENT_LABELS[event]}: ${perusal.number}`;
}

/** The day that the customer's terms give; of an extension as much again. */
function dayOf(event: PerusalStaffEvent, perusal: PerusalDetail): string | null {
  const digital = perusal.format === 'digital';
  const { days } = perusal;
  if (event === 'extend') {
    const now = untilOf(perusal);
    return addDays(now !== null && now > today() ? now : today(), days);
  }
  return event === 'ship' || (event === 'approve' && digital) ? addDays(today(), days) : null;
}

interface PerusalDialogProps { event: PerusalStaffEvent; perusal: PerusalDetail; onClose: () => void }

export function PerusalDialog({ event, perusal, onClose }: PerusalDialogProps) {
  const first = useRef(dayOf(event, perusal));
  const [until, setUntil] = useState(first.current);
  const [reason, setReason] = useState('');
  const [barcodes, setBarcodes] = useState('');
  const [carrier, setCarrier] = useState('');
  const [tracking, setTracking] = useState('');
  const [condition, setCondition] = useState<Condition>('good');
  const move = useAction(perusalEndpoints.status, { refresh: [salesOrderEndpoints.list], onFailure: () => {},
    onDone: ({ data }) => { toast(`${data.number}: ${STATUS_LABELS[data.status]}`); onClose(); } });
  const error = (name: string) => move.failure?.fields[name]?.[0];
  const tracked = perusal.materials.filter((one) => one.serial_tracked);
  const asksReason = event === 'decline' || (event === 'close' && perusal.status !== 'returned');
  const submit = (sent: FormEvent): void => {
    sent.preventDefault();
    const codes = barcodes.split(/[\s,;]+/).filter(Boolean);
    void move.run({ params: { id: perusal.id }, body: { event, version: perusal.version, reason,
      ...(until === null ? {} : { until }),
      ...(event === 'ship' ? { carrier, tracking, barcodes: codes } : {}),
      ...(event === 'return' ? { condition } : {}) } });
  };
  return (
    <Modal open onClose={onClose} title={titleOf(event, perusal)}>
      <form onSubmit={submit} noValidate className={styles.dialog} aria-label={EVENT_LABELS[event]}>
        {event === 'ship' && <p>Taken from {perusal.warehouse_name}.</p>}
        <FormGrid>
          {first.current !== null && (
            <DateField label={event === 'ship' || perusal.format === 'physical' ? 'Due back' : 'Open until'} required
              value={until} onChange={setUntil} min={today()} error={error('until')} />
          )}
          {event === 'ship' && (
            <>
              {tracked.length > 0 && (
                <TextField label="Barcodes" required value={barcodes} onChange={setBarcodes} error={error('barcodes')}
                  caption={`Scan each copy: ${tracked.map((one) => one.name).join(', ')}.`} />
              )}
              <TextField label="Carrier" required value={carrier} onChange={setCarrier} maxLength={80}
                error={error('carrier')} />
              <TextField label="Tracking number" value={tracking} onChange={setTracking} maxLength={80}
                error={error('tracking')} />
            </>
          )}
          {event === 'return' && (
            <AsyncSelect<Condition> label="Condition" value={condition} options={optionsOf(CONDITIONS)}
              onChange={(value) => setCondition(value ?? 'good')} error={error('condition')} />
          )}
        </FormGrid>
        {asksReason && (
          <TextField label="Why" required rows={3} value={reason} onChange={setReason} maxLength={500}
            error={error('reason')} caption="The customer reads this." />
        )}
        {event === 'charge_lost' && (
          <p>Materials still out are written off, and their replacement is billed to {perusal.customer_name}.</p>
        )}
        {move.failure && move.failure.kind !== 'fields' && (
          <Callout tone="error" live title="This was not done">{move.failure.message}</Callout>
        )}
        <FormActions>
          <Button type="submit" variant={event === 'charge_lost' || asksReason ? 'danger' : 'primary'}
            pending={move.pending}>{event === 'close' ? titleOf(event, perusal) : EVENT_LABELS[event]}</Button>
        </FormActions>
      </form>
    </Modal>
  );
}
