/** Actions on a statement now: approval by a second person, issue, void; its PDF once it is issued. */
import { Check, Send } from 'lucide-react';
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { Button } from '#web/controls/button/button.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import { FormFrame } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useTypedName } from '#web/controls/field/typed-name.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { ActionMenu } from '#web/data/action-menu.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { toast } from '#web/data/toast.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { PdfLink } from '#web/pdf/pdf-link.tsx';
import { useCurrentUser, useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { accrualEndpoints } from '../accruals/accrual.contract.ts';
import { BATCHES, fourEyes, statementName } from '../royalty-words.web.ts';
import styles from '../royalty.module.css';
import { runEndpoints, statementEndpoints, type StatementDetail } from './statement.contract.ts';

const STALE = [runEndpoints.list, accrualEndpoints.list, accrualEndpoints.royalties];

export function StatementActions({ statement }: { statement: StatementDetail }) {
  const may = useMay();
  const user = useCurrentUser();
  const [asking, setAsking] = useState<'issue' | 'void' | 'send' | null>(null);
  const args = { params: { id: statement.id }, body: { version: statement.version } };
  const approve = useAction(statementEndpoints.approve, { refresh: STALE, done: 'Statement approved' });
  const issue = useAction(statementEndpoints.issue, { refresh: STALE, onFailure: (failure) => {
    setAsking(null);
    toast(failure.message, { tone: 'error' });
  }, done: ({ data }) => `${statementName(data)} issued`, onDone: () => setAsking(null) });
  const send = useAction(statementEndpoints.sendToAgent, { done: ({ data }) => `Sent to ${data.agent?.email}`,
    onDone: () => setAsking(null) });
  const decides = may('payment.updateStatus');
  const can = (event: string) => decides && statement.allowed_events.includes(event);
  const pays = statement.status === 'issued' && statement.payable_minor > 0 && may('payment.create');
  const payment = formatAmount(statement.payable_minor, statement.currency);
  return (
    <>
      {statement.has_document && (
        <PdfLink href={`/api/admin/staff/royalty_statements/${statement.id}/document`}
          title={`Statement ${statement.number ?? statement.id}`}
          fileName={`statement-${statement.number ?? statement.id}.pdf`}>PDF</PdfLink>
      )}
      {can('approve') && (
        <Button variant="primary" icon={<Glyph icon={Check} size={16} />} pending={approve.pending}
          reason={fourEyes(statement.calculated_by_name, user, 'calculated')} onClick={() => void approve.run(args)}>
          Approve {payment}
        </Button>
      )}
      {can('issue') && (
        <Button variant="primary" icon={<Glyph icon={Send} size={16} />} onClick={() => setAsking('issue')}>
          Issue statement
        </Button>
      )}
      {pays && (
        <ButtonLink variant="primary"
          href={`${BATCHES}?new=1&division=${statement.division}&statement=${statement.id}`}>
          Pay {payment}
        </ButtonLink>
      )}
      <ActionMenu label="More" actions={[
        ...(statement.has_document && statement.agent ? [{ label: 'Send to agent', onSelect: () => setAsking('send'),
          reason: statement.agent.email === null ? `${statement.agent.name} has no email address` : undefined }] : []),
        ...(can('void') ? [{ label: 'Void', danger: true, onSelect: () => setAsking('void') }] : []),
      ]} />
      <ConfirmDialog open={asking === 'send'} title={`Send the statement to ${statement.agent?.name ?? 'the agent'}`}
        text={`The PDF and its lines as a spreadsheet go to ${statement.agent?.email ?? ''}.`} confirm="Send"
        pending={send.pending} onConfirm={() => void send.run({ params: { id: statement.id }, body: {} })}
        onCancel={() => setAsking(null)} />
      <ConfirmDialog open={asking === 'issue'} title={`Issue the statement of ${statement.royaltor_name}`}
        text="It gets its number and its PDF, is posted to the ledger and delivered. It cannot be changed afterwards."
        confirm="Issue statement" pending={issue.pending} onConfirm={() => void issue.run(args)}
        onCancel={() => setAsking(null)} />
      {asking === 'void' && <VoidForm statement={statement} onClose={() => setAsking(null)} />}
    </>
  );
}

/** Void form; asks to type the number of an issued statement, otherwise the royaltor's name. */
export function VoidForm({ statement, onClose }: { statement: StatementDetail; onClose: () => void }) {
  const refresh = useRefresh([statementEndpoints.list, ...STALE]);
  const typed = useTypedName(statement.number ?? statement.royaltor_name, true);
  const form = useResourceForm({
    initial: { reason: '' },
    submit: (values) => call(statementEndpoints.void, { params: { id: statement.id },
      body: { version: statement.version, reason: values.reason } }),
    onSaved: () => {
      toast('The statement is void; what it held is free for the next one');
      onClose();
      void refresh();
    },
  });
  return (
    <Modal open onClose={onClose} title="Void this statement">
      <FormFrame form={form} aria-label="Void" guard={false}>
        <p className={styles.lead}>Royalties and corrections on it wait for the next statement again.</p>
        <TextField label="Reason" required rows={3} {...form.field('reason')} />
        {typed.field}
        <div className={styles.foot}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="danger" pending={form.pending} reason={typed.held}>Void statement</Button>
        </div>
      </FormFrame>
    </Modal>
  );
}
