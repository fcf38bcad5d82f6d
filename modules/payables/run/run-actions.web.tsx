/** The steps of a run: approved by another person, changed, withdrawn; one payment taken out or come back. */
import { Check } from 'lucide-react';
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { batchEndpoints } from '#modules/royalties/payments/payment-batch.contract.ts';
import { approvalEndpoints } from '#modules/approvals/approval.contract.ts';
import { Button } from '#web/controls/button/button.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { FormFrame } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { ActionMenu } from '#web/data/action-menu.tsx';
import { today } from '#web/data/local-day.ts';
import { formatAmount } from '#web/data/money.tsx';
import { toast } from '#web/data/toast.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { useCurrentUser, useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { useRunRemittances } from '../payment/remittance.web.tsx';
import { RunEdit } from './run-edit.web.tsx';
import { runEndpoints, type RunDetail, type RunPayment } from './payment-run.contract.ts';
import styles from './run.module.css';

const STALE = [approvalEndpoints.list, runEndpoints.list, runEndpoints.payables, batchEndpoints.list];

export function RunActions({ run }: { run: RunDetail }) {
  const may = useMay();
  const user = useCurrentUser();
  const [asking, setAsking] = useState<'edit' | 'void' | 'refuse' | null>(null);
  const approve = useAction(runEndpoints.approve, { refresh: STALE, done: 'Payment run approved' });
  const reopen = useAction(runEndpoints.reopen, { refresh: STALE, done: 'Approval taken back' });
  const args = { params: { id: run.id }, body: { version: run.version } };
  const can = (event: string) => run.allowed.includes(event);
  const name = user ? `${user.first_name} ${user.last_name}`.trim() : '';
  const own = name !== '' && [run.created_by_name, run.last_changed_by_name].includes(name);
  const remittances = useRunRemittances(run.id);
  const tells = ['exported', 'posted'].includes(run.status) && may('payment.update');
  const held = run.payments.find((one) => one.held !== null);
  return (
    <>
      {can('approve') && may('payment.updateStatus') && (
        <Button variant="primary" icon={<Glyph icon={Check} size={16} />} pending={approve.pending}
          reason={own ? 'You made or changed this. Another person approves it.'
            : held ? `${held.party_name}: ${held.held}` : undefined}
          onClick={() => void approve.run(args)}>
          {`Approve ${formatAmount(run.total_minor, run.currency)}`}
        </Button>)}
      {(can('update') || can('void') || can('refuse') || tells) && <ActionMenu label="More" actions={[
        ...(tells ? [{ label: 'Send remittance advices', onSelect: remittances.send }] : []),
        ...(can('update') && may('payment.create') ? [{ label: 'Change run', onSelect: () => setAsking('edit') }] : []),
        ...(can('reopen') && may('payment.updateStatus') ? [{ label: 'Take back approval',
          onSelect: () => void reopen.run(args) }] : []),
        ...(can('refuse') && may('payment.updateStatus') ? [{ danger: true, label: 'Bank rejected the run',
          onSelect: () => setAsking('refuse') }] : []),
        ...(can('void') && may('payment.updateStatus') ? [{ danger: true, onSelect: () => setAsking('void'),
          label: run.status === 'draft' ? 'Decline run' : 'Withdraw run' }] : []),
      ]} />}
      {asking === 'edit' && <RunEdit run={run} onClose={() => setAsking(null)} />}
      {asking === 'refuse' && <RefuseForm run={run} onClose={() => setAsking(null)} />}
      {asking === 'void' && <VoidForm run={run} onClose={() => setAsking(null)} />}
    </>
  );
}

function VoidForm({ run, onClose }: { run: RunDetail; onClose: () => void }) {
  const refresh = useRefresh(STALE);
  const form = useResourceForm({
    initial: { reason: '' },
    submit: (values) => call(runEndpoints.void, { params: { id: run.id },
      body: { version: run.version, reason: values.reason } }),
    onSaved: () => {
      toast('The run is withdrawn; what it held is free again');
      onClose();
      void refresh();
    },
  });
  return (
    <Modal open onClose={onClose} title={`Withdraw ${run.number}`}>
      <FormFrame form={form} aria-label="Withdraw the run" guard={false}>
        <p className={styles.lead}>Nothing is paid. What the run held is free for another one.</p>
        <TextField label="Reason" required rows={3} {...form.field('reason')} />
        <div className={styles.foot}>
          <Button onClick={onClose}>Keep it</Button>
          <Button type="submit" variant="danger" pending={form.pending}>Withdraw run</Button>
        </div>
      </FormFrame>
    </Modal>
  );
}

/** The bank rejected the file, or whatever it was handed in by. */
function RefuseForm({ run, onClose }: { run: RunDetail; onClose: () => void }) {
  const refresh = useRefresh(STALE);
  const form = useResourceForm({
    initial: { on: today() as string | null, reason: '' },
    submit: ({ on, reason }) => call(runEndpoints.refuseFile, { params: { id: run.id },
      body: { version: run.version, on: on ?? '', reason } }),
    onSaved: () => {
      toast(`${run.number} is taken back; what it paid is payable again`);
      onClose();
      void refresh();
    },
  });
  return (
    <Modal open onClose={onClose} title={`The bank rejected ${run.number}`}>
      <FormFrame form={form} aria-label="The bank rejected the run" guard={false}>
        <p className={styles.lead}>
          {`Every payment that the bank has not settled is taken back, ${formatAmount(run.total_minor, run.currency)} `
            + 'at most. Bank details stay verified, unless the reason begins with a code of the bank about accounts, '
            + 'such as AC04.'}
        </p>
        <DateField label="Rejected on" required {...form.field('on')} />
        <TextField label="Reason" required {...form.field('reason')} />
        <div className={styles.foot}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="danger" pending={form.pending}>Take back all payments</Button>
        </div>
      </FormFrame>
    </Modal>
  );
}

/** Takes a payment out before it is posted, or records that the bank sent it back. */
export function PaymentForm({ run, payment, act, onClose }: {
  run: RunDetail; payment: RunPayment; act: 'cancel' | 'reject'; onClose: () => void;
}) {
  const refresh = useRefresh(STALE);
  const params = { id: run.id, paymentId: payment.id };
  const form = useResourceForm({
    initial: { on: today() as string | null, reason: '' },
    submit: ({ on, reason }) => (act === 'cancel'
      ? call(runEndpoints.cancelPayment, { params, body: { version: run.version, reason } })
      : call(runEndpoints.reject, { params, body: { version: run.version, on: on ?? '', reason } })),
    onSaved: () => {
      toast(act === 'cancel' ? 'Payment taken out' : `${payment.party_name} is payable again`);
      onClose();
      void refresh();
    },
  });
  const amount = formatAmount(payment.amount_minor, run.currency);
  const refused = act === 'reject' && payment.status === 'approved';
  const title = refused ? `The bank rejected ${payment.number}` : `Payment ${payment.number} came back`;
  return (
    <Modal open onClose={onClose} title={act === 'cancel' ? `Take out ${payment.number}` : title}>
      <FormFrame form={form} aria-label={act === 'cancel' ? 'Take out the payment' : 'Payment came back'} guard={false}>
        <p className={styles.lead}>
          {act === 'cancel' && (run.file_name === null
            ? `${amount} to ${payment.party_name} is free for another run. The run is approved again.`
            : `The bank has ${run.file_name}. Recall ${amount} to ${payment.party_name} there as well.`)}
          {act === 'reject' && `${refused ? `${amount} to ${payment.party_name} is payable again.`
            : `The posting of ${amount} is reversed.`} Bank details of ${payment.party_name} are confirmed before the `
            + 'next payment, unless the reason begins with a code of the bank that has another cause, such as AM04.'}
        </p>
        {act === 'reject' && (
          <DateField label={refused ? 'Rejected on' : 'Returned on'} required {...form.field('on')} />)}
        <TextField label="Reason" required {...form.field('reason')} />
        <div className={styles.foot}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="danger" pending={form.pending}>
            {act === 'cancel' ? 'Take out' : refused ? 'Record rejection' : 'Take back payment'}
          </Button>
        </div>
      </FormFrame>
    </Modal>
  );
}
