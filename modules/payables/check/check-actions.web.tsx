/** Actions on a check: approve its payment elsewhere, print again, spoil, void, unclaimed property, delete. */
import { useState } from 'react';
import { spell } from '#kernel/text/english.ts';
import { call } from '#kit/client.ts';
import { Button } from '#web/controls/button/button.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { FormActions, FormFrame } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { ActionMenu } from '#web/data/action-menu.tsx';
import { today } from '#web/data/local-day.ts';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { useNavigation } from '#web/navigation/navigation.tsx';
import { PdfLink } from '#web/pdf/pdf-link.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { CHECKING } from '../payables-tabs.ts';
import { checkEndpoints, type CheckDetail } from './check.contract.ts';
import { checkName } from './check-words.web.tsx';

type OpenDialog = 'reprint' | 'spoil' | 'void' | 'unclaimed' | 'delete' | null;

export function CheckActions({ row }: { row: CheckDetail }) {
  const may = useMay();
  const { go } = useNavigation();
  const [doing, setDoing] = useState<OpenDialog>(null);
  const end = () => setDoing(null);
  const remove = useAction(checkEndpoints.remove, { refresh: [checkEndpoints.list], done: spell`Check deleted` });
  const isPrinted = row.state === 'printed';
  const decides = isPrinted && may('payment.updateStatus');
  const menu = [
    ...(row.transaction_id !== null && may('transaction.view') ? [{ label: 'Posting',
      onSelect: () => go(`/admin/accounting/transactions/${row.transaction_id}`) }] : []),
    ...(isPrinted && may('payment.create') ? [{ label: 'Print again', onSelect: () => setDoing('reprint') }] : []),
    ...(decides ? [{ label: 'Spoiled: next number', onSelect: () => setDoing('spoil') }] : []),
    ...(decides && row.stale_from !== null && row.stale_from <= today()
      ? [{ label: 'Unclaimed property', onSelect: () => setDoing('unclaimed') }] : []),
    ...(decides ? [{ label: spell`Void check`, danger: true, divided: true, onSelect: () => setDoing('void') }] : []),
    ...((row.state === 'waiting' || row.state === 'ready') && may('payment.delete')
      ? [{ label: spell`Delete check`, danger: true, divided: true, onSelect: () => setDoing('delete') }] : []),
  ];
  return (
    <>
      <PdfLink href={`/api/admin/staff/accounting/checks/${row.id}/download`} title={checkName(row)}
        fileName={`check-${row.check_number ?? row.id}.pdf`}>PDF</PdfLink>
      {menu.length > 0 && <ActionMenu actions={menu} label={`Actions of ${checkName(row)}`} />}
      {(doing === 'reprint' || doing === 'spoil' || doing === 'void' || doing === 'unclaimed')
        && <EndForm row={row} kind={doing} onClose={end} />}
      <ConfirmDialog open={doing === 'delete'} danger title={spell`Delete this check?`} confirm="Delete"
        text="Its payment is withdrawn. What it would have paid is open again." pending={remove.pending} onCancel={end}
        onConfirm={() => void remove.run({ params: { id: row.id } }).then((done) => { if (done) go(CHECKING); })} />
    </>
  );
}

const WORDS = {
  reprint: { title: 'Print again', verb: 'Print again', danger: false, done: spell`Open the PDF within 15 minutes`,
    text: 'The number stays. Destroy the first form: only one may leave the office.' },
  spoil: { title: 'Spoiled form', verb: 'Take next number', danger: false, done: 'The payment has the next number',
    text: 'The number of this form is kept as spoiled, and the payment is printed with the next one.' },
  void: { title: spell`Void check`, verb: spell`Void check`, danger: true, done: spell`Check voided`,
    text: 'Its payment is reversed. What it paid is open again with its due date. Tell the bank by positive pay.' },
  unclaimed: { title: 'Unclaimed property', verb: 'Move to unclaimed property', danger: true,
    done: 'Moved to unclaimed property',
    text: spell`Nobody paid the check in for 180 days. The money is owed as unclaimed property.` },
} as const;

function EndForm({ row, kind, onClose }: { row: CheckDetail; kind: keyof typeof WORDS; onClose: () => void }) {
  const { go } = useNavigation();
  const refresh = useRefresh([checkEndpoints.list, checkEndpoints.next]);
  const words = WORDS[kind];
  const isDated = kind === 'void' || kind === 'unclaimed';
  const form = useResourceForm({
    initial: { reason: '', on: today() as string | null },
    submit: ({ reason, on }) => {
      const params = { id: row.id };
      const { version } = row;
      switch (kind) {
        case 'reprint': return call(checkEndpoints.reprint, { params, body: { version, reason } });
        case 'spoil': return call(checkEndpoints.spoil, { params, body: { version, reason } });
        case 'void': return call(checkEndpoints.void, { params, body: { version, reason, on: on ?? '' } });
        case 'unclaimed': return call(checkEndpoints.unclaimed, { params, body: { version, on: on ?? '' } });
      }
    },
    onSaved: ({ data }) => {
      toast(words.done);
      void refresh();
      onClose();
      if (data.id !== row.id) go(`${CHECKING}/${data.id}/information`);
    },
  });
  return (
    <Modal open onClose={onClose} title={words.title} width={480}>
      <FormFrame form={form} guard={false} aria-label={words.title}>
        <p>{words.text}</p>
        {isDated && <DateField label="Date" required {...form.field('on')} />}
        {kind !== 'unclaimed' && <TextField label="Reason" required rows={2} maxLength={500}
          {...form.field('reason')} />}
        <FormActions>
          <Button type="submit" variant={words.danger ? 'danger' : 'primary'} pending={form.pending}>
            {words.verb}
          </Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}
