/** Actions on a bill: submit, approve, hold, void, apply a credit. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { DeclineButton } from '#web/controls/button/decline-button.tsx';
import { FormActions, FormFrame } from '#web/controls/form/form-frame.tsx';
import { MoneyField } from '#web/controls/field/money-field.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useTypedName } from '#web/controls/field/typed-name.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { ActionMenu } from '#web/data/action-menu.tsx';
import { today } from '#web/data/local-day.ts';
import { formatAmount } from '#web/data/money.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { TrashButton } from '#web/layout/trash-list.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useNavigation } from '#web/navigation/navigation.tsx';
import { useCurrentUser, useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { SCHEDULES } from '../bill-schedule/schedule-words.web.tsx';
import { BILLS, KIND_LABELS } from './bill-words.web.tsx';
import { billEndpoints, type BillDetail } from './bill.contract.ts';

const READS = [billEndpoints.list, billEndpoints.payable];
type OpenDialog = 'hold' | 'void' | 'credit' | null;

export function BillActions({ bill }: { bill: BillDetail }) {
  const may = useMay();
  const { go } = useNavigation();
  const [doing, setDoing] = useState<OpenDialog>(null);
  const end = () => setDoing(null);
  const args = { params: { id: bill.id }, body: { version: bill.version } };
  const submit = useAction(billEndpoints.submit, { done: `${bill.number} awaits approval`, refresh: READS });
  const recall = useAction(billEndpoints.recall, { done: `${bill.number} is a draft again`, refresh: READS });
  const release = useAction(billEndpoints.release, { done: `${bill.number} is released`, refresh: READS });
  const isLive = bill.state === 'approved' || bill.state === 'part_paid';
  const isOpen = isLive || bill.state === 'draft' || bill.state === 'submitted';
  const menu = [
    ...(bill.transaction_id !== null && may('transaction.view') ? [{ label: 'Posting',
      onSelect: () => go(`/admin/accounting/transactions/${bill.transaction_id}`) }] : []),
    ...(bill.kind === 'bill' && bill.lines.length > 0 && may('bill.create') ? [{ label: 'Make recurring',
      onSelect: () => go(`${SCHEDULES}/create?bill_id=${bill.id}`) }] : []),
    ...(bill.state === 'submitted' && may('bill.update') ? [{ label: 'Recall',
      onSelect: () => void recall.run(args) }] : []),
    ...(isOpen && may('bill.update') ? [bill.hold_reason === null
      ? { label: 'Put on hold', onSelect: () => setDoing('hold') }
      : { label: 'Release from hold', onSelect: () => void release.run(args) }] : []),
    ...(bill.kind === 'bill' && isLive && bill.open_counterparts.length > 0 && may('payment.updateStatus')
      ? [{ label: 'Apply vendor credit', onSelect: () => setDoing('credit') }] : []),
    ...(bill.state === 'approved' && may('payment.updateStatus') ? [{ label: 'Void', danger: true, divided: true,
      onSelect: () => setDoing('void') }] : []),
  ];
  return (
    <>
      {bill.state === 'draft' && may('bill.delete') && (
        <TrashButton row={bill} list={BILLS} endpoints={billEndpoints} text="You can restore it from the trash." />)}
      {bill.state === 'draft' && may('bill.update') && (
        <Button variant="primary" pending={submit.pending} onClick={() => void submit.run(args)}>
          Submit for approval
        </Button>)}
      {bill.state === 'submitted' && may('payment.updateStatus') && <Approval bill={bill} />}
      {bill.kind === 'bill' && isLive && bill.hold_reason === null && may('payment.create') && (
        <ButtonLink variant="primary" href={`/admin/accounting/payments/create?vendor_id=${bill.vendor_id}&bill_id=${
          bill.id}&division=${bill.division}&currency=${bill.currency}`}>Pay now</ButtonLink>)}
      {menu.length > 0 && <ActionMenu actions={menu} label={`Actions of ${bill.number}`} />}
      {doing === 'hold' && <HoldForm bill={bill} onClose={end} />}
      {doing === 'void' && <VoidForm bill={bill} onClose={end} />}
      {doing === 'credit' && <CreditForm bill={bill} onClose={end} />}
    </>
  );
}

/** Why this person cannot approve the bill; undefined where they can. */
function blockOf(bill: BillDetail, userId: number | undefined): string | undefined {
  if (bill.hold_reason !== null) return 'The bill is on hold';
  const own = [bill.entered_by_id, bill.last_changed_by_id, bill.submitted_by_id].includes(userId ?? 0);
  return own ? 'You entered, changed or submitted this bill. Someone else must approve it.' : undefined;
}

function Approval({ bill }: { bill: BillDetail }) {
  const user = useCurrentUser();
  const approve = useAction(billEndpoints.approve, { done: `${bill.number} is approved and posted`, refresh: READS });
  const reason = blockOf(bill, user?.id);
  return (
    <>
      <DeclineButton endpoint={billEndpoints.decline} params={{ id: bill.id }} body={{ version: bill.version }}
        title={bill.number} text="It becomes a draft again. The person who submitted it sees the reason."
        refresh={READS} reason={reason} />
      <Button variant="primary" pending={approve.pending} reason={reason}
        onClick={() => void approve.run({ params: { id: bill.id }, body: { version: bill.version } })}>
        Approve {formatAmount(bill.total_minor, bill.currency)}
      </Button>
    </>
  );
}

interface DialogProps { bill: BillDetail; onClose: () => void }

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
