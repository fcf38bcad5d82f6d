/** Dialogs of a bill, each after a click: hold, void, apply a credit. */
import { call } from '#kit/client.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { FormActions, FormFrame } from '#web/controls/form/form-frame.tsx';
import { MoneyField } from '#web/controls/field/money-field.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useTypedName } from '#web/controls/field/typed-name.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { today } from '#web/data/local-day.ts';
import { formatAmount } from '#web/data/money.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { useRefresh } from '#web/query/use-refresh.ts';
import { KIND_LABELS } from './bill-words.web.tsx';
import { billEndpoints, type BillDetail } from './bill.contract.ts';

const READS = [billEndpoints.list, billEndpoints.payable];

export type BillDialogKind = 'hold' | 'void' | 'credit';

interface DialogProps { bill: BillDetail; onClose: () => void }

export default function BillDialog({ kind, ...props }: DialogProps & { kind: BillDialogKind }) {
  if (kind === 'hold') return <HoldForm {...props} />;
  return kind === 'void' ? <VoidForm {...props} /> : <CreditForm {...props} />;
}

function HoldForm({ bill, onClose }: DialogProps) {
  const refresh = useRefresh(READS);
  const form = useResourceForm({
    initial: { reason: '' },
    submit: ({ reason }) => call(billEndpoints.hold, { params: { id: bill.id }, body: { version: bill.version,
      reason } }),
    onSaved: () => { toast(`${bill.number} is on hold`); void refresh(); onClose(); },
  });
  return (
    <Modal open onClose={onClose} title={`Put ${bill.number} on hold`} width={480}>
      <FormFrame form={form} aria-label="Hold">
        <p>It is neither approved nor paid until it is released.</p>
        <TextField label="Reason" required rows={2} maxLength={500} {...form.field('reason')} />
        <FormActions><Button type="submit" variant="primary" pending={form.pending}>Put on hold</Button></FormActions>
      </FormFrame>
    </Modal>
  );
}

/** Takes back what is posted, so that the number is typed first (U12). */
function VoidForm({ bill, onClose }: DialogProps) {
  const refresh = useRefresh(READS);
  const typed = useTypedName(bill.number, true);
  const day = today();
  const form = useResourceForm({
    initial: { reason: '', on: (day > bill.billed_on ? day : bill.billed_on) as string | null },
    submit: ({ reason, on }) => call(billEndpoints.void, { params: { id: bill.id }, body: { version: bill.version,
      reason, ...(on ? { on } : {}) } }),
    onSaved: () => { toast(`${bill.number} is void`); void refresh(); onClose(); },
  });
  return (
    <Modal open onClose={onClose} title={`Void ${bill.number}`} width={480}>
      <FormFrame form={form} aria-label="Void">
        <p>{KIND_LABELS[bill.kind]} {bill.number} stays for the record. Its posting is reversed on this date.</p>
        <DateField label="Reversed on" required {...form.field('on')} />
        <TextField label="Reason" required rows={2} maxLength={500} {...form.field('reason')} />
        {typed.field}
        <FormActions>
          <Button type="submit" variant="danger" pending={form.pending} reason={typed.held}>Void</Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}

function CreditForm({ bill, onClose }: DialogProps) {
  const refresh = useRefresh(READS);
  const credits = bill.open_counterparts;
  const first = credits[0]!;
  const most = (id: number | null) => Math.min(bill.open_minor, credits.find((one) => one.id === id)?.open_minor ?? 0);
  const form = useResourceForm({
    initial: { credit_id: first.id as number | null, amount_minor: most(first.id) as number | null,
      on: today() as string | null },
    submit: ({ credit_id, amount_minor, on }, { idempotencyKey }) => call(billEndpoints.applyCredit,
      { params: { id: bill.id }, body: { credit_id: credit_id ?? 0, amount_minor: amount_minor ?? 0,
        ...(on ? { on } : {}) } }, { idempotencyKey }),
    onSaved: () => { toast('Vendor credit applied'); void refresh(); onClose(); },
  });
  return (
    <Modal open onClose={onClose} title={`Apply a vendor credit to ${bill.number}`} width={480}>
      <FormFrame form={form} aria-label="Vendor credit">
        <AsyncSelect<number> label="Vendor credit" required {...form.field('credit_id')}
          options={credits.map((one) => ({ value: one.id, label: one.number,
            children: `${formatAmount(one.open_minor, bill.currency)} open` }))}
          onChange={(id) => { form.set('credit_id', id); form.set('amount_minor', most(id)); }} />
        <MoneyField label="Amount" required currency={bill.currency} {...form.field('amount_minor')} />
        <DateField label="Applied on" required {...form.field('on')} />
        <FormActions><Button type="submit" variant="primary" pending={form.pending}>Apply credit</Button></FormActions>
      </FormFrame>
    </Modal>
  );
}
