/** Fields of an order event: barcodes, condition, carrier, reason. A scanner is enough for all scanning. */
import { useLayoutEffect, useRef, useState, type FormEvent } from 'react';
import { countOf } from '#kernel/text/count.ts';
import { Autocomplete } from '#web/controls/select/autocomplete.tsx';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { FormActions, FormGrid } from '#web/controls/form/form-frame.tsx';
import { NumberField } from '#web/controls/field/number-field.tsx';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { Callout } from '#web/data/callout.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { useAction } from '#web/query/use-action.ts';
import { useLeaveScan } from '../leave-scan.web.tsx';
import { ScanField, type Refused, type Taken } from '../scan-field.web.tsx';
import styles from '../stock.module.css';
import { EVENT_LABELS } from './order-words.web.tsx';
import { salesOrderEndpoints, type OrderEvent, type SalesOrderDetail, type SalesOrderLine }
  from './sales-order.contract.ts';

const CONDITIONS = { good: 'Good', marked: 'Marked, to be erased', damaged: 'Damaged' };
type Condition = keyof typeof CONDITIONS;
type Draft = Record<number, { quantity: number; barcodes: string[] }>;

const SCANS: readonly OrderEvent[] = ['pick', 'scan_some'];
/** Nothing takes it back. */
const ENDS: readonly OrderEvent[] = ['cancel', 'charge_missing'];
const outOf = (line: SalesOrderLine): number => (line.return_required
  ? line.qty_shipped - line.qty_returned_good - line.qty_returned_damaged - line.qty_lost : 0);

interface EventDialogProps { event: OrderEvent; order: SalesOrderDetail; onClose: () => void }

export function EventDialog({ event, order, onClose }: EventDialogProps) {
  const open = (line: SalesOrderLine): number => (event === 'pick' ? line.quantity - line.qty_cancelled
    - line.qty_shipped - line.qty_picked : outOf(line));
  const lines = SCANS.includes(event) ? order.lines.filter((line) => line.physical && open(line) > 0) : [];
  const [draft, setDraft] = useState<Draft>(() => Object.fromEntries(lines.map((line) => [line.id, { barcodes: [],
    quantity: 0 }])));
  const [condition, setCondition] = useState<Condition>('good');
  const [parcel, setParcel] = useState(() => parcelOf(order));
  const [reason, setReason] = useState('');
  const move = useAction(salesOrderEndpoints.status, { onFailure: () => {},
    onDone: () => { toast(`${order.number}: ${EVENT_LABELS[event]}`); onClose(); } });
  const errors = Object.fromEntries(Object.entries(move.failure?.fields ?? {}).map(([path, texts]) =>
    [path, texts[0] ?? '']));
  const ships = event === 'ship' || event === 'ship_part';
  const given = lines.filter((line) => (draft[line.id]?.quantity ?? 0) > 0
    || (draft[line.id]?.barcodes.length ?? 0) > 0);
  const body = { event, version: order.version, reason,
    ...(SCANS.includes(event) ? { lines: given.map((line) => ({ line_id: line.id,
      ...(line.serial_tracked ? { barcodes: draft[line.id]!.barcodes } : { quantity: draft[line.id]!.quantity }),
      ...(event === 'scan_some' ? { condition } : {}) })) } : {}),
    ...(ships ? { carrier: parcel.carrier, rush: parcel.rush,
      ...(parcel.due === null ? {} : { return_due_on: parcel.due }),
      tracking: parcel.tracking.split(/[\s,]+/).filter((one) => one !== '') } : {}) };
  const submit = (submitted: FormEvent): void => {
    submitted.preventDefault();
    void move.run({ params: { id: order.id }, body });
  };
  const { leave, question } = useLeaveScan(given.length, onClose);
  const lineProblems = Object.entries(errors).filter(([path]) => path.startsWith('lines'));
  return (
    <Modal open onClose={leave} width={620} title={`${EVENT_LABELS[event]}, ${order.number}`}>
      <form className={styles.form} onSubmit={submit} noValidate aria-label={EVENT_LABELS[event]}>
        {event === 'scan_some' && (
          <AsyncSelect label="Condition of what is scanned" required options={optionsOf(CONDITIONS)} value={condition}
            onChange={(value) => value && setCondition(value)} />
        )}
        <Consequence event={event} outstanding={order.outstanding} />
        {SCANS.includes(event) && (
          <Scanner lines={lines} draft={draft} onChange={setDraft} open={open}
            reserved={event === 'pick' ? (line) => Math.min(line.qty_reserved, open(line)) : null} />
        )}
        {ships && (
          <Parcel parcel={parcel} onChange={setParcel} errors={errors} carriers={order.carriers}
            comesBack={order.lines.some((line) => line.return_required)} />
        )}
        {event === 'cancel' && (
          <TextField label="Reason" required value={reason} onChange={setReason} error={errors.reason}
            maxLength={300} />
        )}
        {lineProblems.length > 0 && (
          <Callout tone="error" live title="This does not fit">
            {lineProblems.map(([, text]) => text).join(' ')}
          </Callout>
        )}
        {move.failure && move.failure.kind !== 'fields' && (
          <Callout tone="error" live title="This was not done">{move.failure.message}</Callout>
        )}
        <FormActions>
          <Button type="submit" variant={ENDS.includes(event) ? 'danger' : 'primary'} pending={move.pending}
            reason={SCANS.includes(event) && given.length === 0 ? 'Scan at least one item' : undefined}>
            {EVENT_LABELS[event]}
          </Button>
        </FormActions>
      </form>
      {question}
    </Modal>
  );
}

function Consequence({ event, outstanding }: { event: OrderEvent; outstanding: number }) {
  if (event === 'scan_all') {
    return <p>{`Everything that is out came back in good condition: ${countOf(outstanding, 'piece')}.`}</p>;
  }
  if (event === 'charge_missing') {
    return <p>{outstanding === 1 ? '1 piece is billed at its replacement price and leaves the stock for good.'
      : `${outstanding} pieces are billed at their replacement price and leave the stock for good.`}</p>;
  }
  return null;
}

interface ParcelDraft { carrier: string; tracking: string; due: string | null; rush: boolean }
/** A warehouse that sends with one carrier alone sends with that one. */
const parcelOf = (order: SalesOrderDetail): ParcelDraft => ({ tracking: '', due: order.return_due_on, rush: order.rush,
  carrier: order.carrier || (order.carriers.length === 1 ? order.carriers[0]! : '') });

interface ParcelProps { parcel: ParcelDraft; onChange: (parcel: ParcelDraft) => void; comesBack: boolean;
  carriers: readonly string[]; errors: Readonly<Record<string, string>> }

/** The warehouse's carriers are offered; another one is typed. */
export function Parcel({ parcel, onChange, comesBack, carriers, errors }: ParcelProps) {
  const put = (carrier: string): void => onChange({ ...parcel, carrier });
  const fits = carriers.filter((one) => one.toLowerCase().includes(parcel.carrier.trim().toLowerCase()));
  return (
    <>
      <FormGrid>
        {carriers.length === 0
          ? <TextField label="Carrier" required value={parcel.carrier} error={errors.carrier} onChange={put} />
          : (
            <Autocomplete label="Carrier" required value={parcel.carrier} error={errors.carrier} onChange={put}
              items={(fits.length === 0 ? carriers : fits).map((one) => ({ id: one, label: one }))} onChoose={put} />
          )}
        <TextField label="Tracking numbers" value={parcel.tracking} error={errors.tracking}
          caption="Several with a blank between them." onChange={(tracking) => onChange({ ...parcel, tracking })} />
        {comesBack && (
          <DateField label="Due back" value={parcel.due} error={errors.return_due_on}
            onChange={(due) => onChange({ ...parcel, due })} />
        )}
      </FormGrid>
      <Checkbox label="Rush: ship before its day" value={parcel.rush}
        onChange={(rush) => onChange({ ...parcel, rush })} />
    </>
  );
}

interface ScannerProps { lines: readonly SalesOrderLine[]; draft: Draft; onChange: (draft: Draft) => void;
  open: (line: SalesOrderLine) => number;
  /** Pieces without a label that may be taken at once, without a scan each. */
  reserved: ((line: SalesOrderLine) => number) | null }

const piecesOf = (line: SalesOrderLine, draft: Draft): number =>
  (line.serial_tracked ? draft[line.id]?.barcodes.length : draft[line.id]?.quantity) ?? 0;

/** Line for a code: by item number, else by barcode of a copy; null if no line here has it. */
function lineOf(lines: readonly SalesOrderLine[], code: string): SalesOrderLine | null {
  const tracked = lines.filter((line) => line.serial_tracked);
  return lines.find((line) => !line.serial_tracked && line.item_number === code)
    ?? tracked.find((line) => code.startsWith(`${line.item_number}-`)) ?? tracked[0] ?? null;
}

/** A scanned item number counts one more of its line; anything else is the barcode of a copy. Done lines sink. */
function Scanner({ lines, draft, onChange, open, reserved }: ScannerProps) {
  const latest = useRef(draft);
  useLayoutEffect(() => { latest.current = draft; });
  const put = (line: SalesOrderLine, next: Draft[number]): void => {
    latest.current = { ...latest.current, [line.id]: next };
    onChange(latest.current);
  };
  const take = (code: string): Taken | Refused => {
    const line = lineOf(lines, code);
    const now = line && latest.current[line.id];
    if (!line || !now) return { problem: 'Nothing here has this code.' };
    if (now.barcodes.includes(code)) return { problem: 'It was scanned already.' };
    const count = piecesOf(line, latest.current);
    if (count >= open(line)) return { problem: `No more of ${line.description} are wanted.` };
    put(line, line.serial_tracked ? { ...now, barcodes: [...now.barcodes, code] }
      : { ...now, quantity: now.quantity + 1 });
    return { title: line.description, text: `${code}, ${count + 1} of ${open(line)}`, undo: () => {
      const then = latest.current[line.id] ?? now;
      put(line, line.serial_tracked ? { ...then, barcodes: then.barcodes.filter((one) => one !== code) }
        : { ...then, quantity: Math.max(then.quantity - 1, 0) });
    } };
  };
  const left = lines.reduce((sum, line) => sum + Math.max(open(line) - piecesOf(line, draft), 0), 0);
  const all = lines.reduce((sum, line) => sum + open(line), 0);
  const shown = [...lines].sort((a, b) =>
    Number(piecesOf(a, draft) >= open(a)) - Number(piecesOf(b, draft) >= open(b)));
  return (
    <div className={styles.scan}>
      <ScanField take={take} first hint="Scanned items appear here." />
      <div className={styles.sumRow}>
        <p className={styles.sum} role="status">
          {left === 0 ? `All here: ${countOf(all, 'piece')}` : `${left} of ${countOf(all, 'piece')} left`}
        </p>
        {reserved && lines.some((line) => !line.serial_tracked) && (
          <Button size="small" onClick={() => onChange(Object.fromEntries(lines.map((line) => [line.id,
            line.serial_tracked ? draft[line.id]! : { barcodes: [], quantity: reserved(line) }])))}>
            All without a label
          </Button>
        )}
      </div>
      <ul className={styles.lines} aria-label="Lines">
        {shown.map((line) => (
          <li key={line.id} data-done={piecesOf(line, draft) >= open(line) || undefined}>
            <span className={styles.what}>
              <strong>{line.description}</strong>
              <span>{line.serial_tracked ? draft[line.id]?.barcodes.join(', ') || 'Scan each copy'
                : `${line.item_number}, ${open(line)} wanted`}</span>
            </span>
            {line.serial_tracked
              ? <span className={styles.of}>{piecesOf(line, draft)} of {open(line)}</span>
              : (
                <NumberField label={`Pieces of ${line.description}`} hideLabel value={piecesOf(line, draft)}
                  onChange={(quantity) => put(line, { barcodes: [], quantity: quantity ?? 0 })} />
              )}
          </li>
        ))}
      </ul>
    </div>
  );
}
