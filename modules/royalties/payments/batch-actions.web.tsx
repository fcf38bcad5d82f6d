/** The steps of a batch: approved by another than who made it, sent to the bank, paid and posted; or cancelled. */
import { Check, Download, Landmark } from 'lucide-react';
import { useState } from 'react';
import { spell } from '#kernel/text/english.ts';
import { approvalEndpoints } from '#modules/approvals/approval.contract.ts';
import { call } from '#kit/client.ts';
import { Button } from '#web/controls/button/button.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { FormFrame } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { ActionMenu } from '#web/data/action-menu.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { today } from '#web/data/local-day.ts';
import { formatAmount } from '#web/data/money.tsx';
import { toast } from '#web/data/toast.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useCurrentUser, useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { accrualEndpoints } from '../accruals/accrual.contract.ts';
import { advanceEndpoints } from '../advances/advance.contract.ts';
import { fourEyes, hasBankFile, RUNS } from '../royalty-words.web.ts';
import styles from '../royalty.module.css';
import { statementEndpoints } from '../statements/statement.contract.ts';
import { batchEndpoints, type BatchDetail } from './payment-batch.contract.ts';

const STALE = [approvalEndpoints.list, statementEndpoints.list, advanceEndpoints.list, accrualEndpoints.royalties];

const CHECKS = '/admin/checking';
function runWords(batch: BatchDetail): string {
  if (batch.method === 'check') return spell`Print checks`;
  return batch.file_name === null ? 'Write bank file' : 'Bank file';
}

export function BatchActions({ batch }: { batch: BatchDetail }) {
  const may = useMay();
  const user = useCurrentUser();
  const [asking, setAsking] = useState<'pay' | 'cancel' | null>(null);
  const args = { params: { id: batch.id }, body: { version: batch.version } };
  const approve = useAction(batchEndpoints.approve, { refresh: STALE, done: 'Batch approved' });
  const pay = useAction(batchEndpoints.pay, { refresh: STALE,
    done: ({ data }) => (data.status === 'scheduled' ? `Batch ${batch.number} scheduled for ${formatDay(batch.pay_on)}`
      : `Batch ${batch.number} paid and posted`) });
  const can = (event: string) => batch.allowed_events.includes(event);
  const total = formatAmount(batch.total_minor, batch.currency);
  return (
    <>
      {hasBankFile(batch) && (
        <ButtonLink href={`/api/admin/staff/accounting/royalty_payment_batches/${batch.id}/file`}
          download={`${batch.number}.csv`} icon={<Glyph icon={Download} size={16} />}>List</ButtonLink>)}
      {batch.payment_run_id !== null && ['approved', 'scheduled'].includes(batch.status) && (
        <ButtonLink variant={can('pay') && batch.file_name === null ? 'primary' : 'secondary'}
          href={batch.method === 'check' ? CHECKS : `${RUNS}/${batch.payment_run_id}`}
          icon={<Glyph icon={Landmark} size={16} />}>{runWords(batch)}</ButtonLink>)}
      {can('approve') && may('payment.updateStatus') && (
        <Button variant="primary" icon={<Glyph icon={Check} size={16} />} pending={approve.pending}
          reason={fourEyes(batch.created_by_name, user, 'made')} onClick={() => void approve.run(args)}>
          Approve {total}
        </Button>)}
      {can('pay') && may('payment.create') && (
        <Button onClick={() => setAsking('pay')}>
          {batch.is_ahead ? `Schedule ${total}` : `Mark ${total} paid`}
        </Button>)}
      {can('cancel') && may('payment.updateStatus') && <ActionMenu label="More" actions={[
        { label: batch.status === 'draft' ? 'Decline batch' : 'Cancel batch', danger: true,
          onSelect: () => setAsking('cancel') }]} />}
      <ConfirmDialog open={asking === 'pay'} pending={pay.pending} onCancel={() => setAsking(null)}
        title={batch.is_ahead ? `Schedule ${total} for ${formatDay(batch.pay_on)}` : `Mark ${total} as paid`}
        confirm={batch.is_ahead ? 'Schedule' : 'Mark as paid'}
        text={batch.is_ahead ? `All payments are posted on ${formatDay(batch.pay_on)}. You can cancel until then. `
          + 'Do this after you have entered the payments at the bank.' : 'Payments are posted to the ledger, with tax '
          + 'withheld. '
          + 'Statements and advances become paid. Do this after the bank has the payments.'}
        onConfirm={() => void pay.run(args).then(() => setAsking(null))} />
      {asking === 'cancel' && <CancelForm batch={batch} onClose={() => setAsking(null)} />}
    </>
  );
}

function CancelForm({ batch, onClose }: { batch: BatchDetail; onClose: () => void }) {
  const refresh = useRefresh([batchEndpoints.list, ...STALE]);
  const form = useResourceForm({
    initial: { reason: '' },
    submit: (values) => call(batchEndpoints.cancel, { params: { id: batch.id },
      body: { version: batch.version, reason: values.reason } }),
    onSaved: () => {
      toast(spell`The batch is canceled`);
      onClose();
      void refresh();
    },
  });
  return (
    <Modal open onClose={onClose} title={`Cancel batch ${batch.number}`}>
      <FormFrame form={form} aria-label="Cancel the batch" guard={false}>
        <p className={styles.lead}>Nothing is paid; its statements and advances are free for another batch.</p>
        <TextField label="Reason" required rows={3} {...form.field('reason')} />
        <div className={styles.foot}>
          <Button onClick={onClose}>Keep it</Button>
          <Button type="submit" variant="danger" pending={form.pending}>Cancel batch</Button>
        </div>
      </FormFrame>
    </Modal>
  );
}

export function ReturnForm({ batch, payment, onClose }: {
  batch: BatchDetail; payment: BatchDetail['payments'][number]; onClose: () => void;
}) {
  const refresh = useRefresh([batchEndpoints.list, ...STALE]);
  const form = useResourceForm({
    initial: { returned_on: today() as string | null, reason: '' },
    submit: (values) => call(batchEndpoints.returned, { params: { id: batch.id, paymentId: payment.id },
      body: { returned_on: values.returned_on ?? '', reason: values.reason } }),
    onSaved: () => {
      toast('The payment is taken back; it is payable again');
      onClose();
      void refresh();
    },
  });
  return (
    <Modal open onClose={onClose} title={`Payment ${payment.number} came back`}>
      <FormFrame form={form} aria-label="Payment came back" guard={false}>
        <p className={styles.lead}>
          The posting of {formatAmount(payment.amount_minor, payment.currency)} is mirrored. Before{' '}
          {payment.royaltor_name} is paid again, the bank details are checked.
        </p>
        <DateField label="Returned on" required {...form.field('returned_on')} />
        <TextField label="Reason" required {...form.field('reason')} caption="The bank’s reason." />
        <div className={styles.foot}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="danger" pending={form.pending}>
            Take back payment
          </Button>
        </div>
      </FormFrame>
    </Modal>
  );
}
