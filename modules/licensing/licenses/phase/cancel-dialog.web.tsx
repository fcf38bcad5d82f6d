/** Cancelling: what it costs and gives back, line by line, before anyone says yes (domain.md 2.10). */
import { useState } from 'react';
import { spell } from '#kernel/text/english.ts';
import { DateField } from '#web/controls/field/date-field.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { Callout } from '#web/data/callout.tsx';
import { formatAmount } from '#web/data/money.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { ActionDialog, errorsOf, useFields } from '../../action-dialog.web.tsx';
import { plainWords } from '../../words.web.ts';
import styles from '../../licensing.module.css';
import type { LicenseDialogProps } from '../license-view.web.ts';
import { licenseEndpoints, type CancellationAnswer, type StaffCancellation } from '../license.contract.ts';
import { Waiver } from './cancellation-waiver.web.tsx';
import { LICENSE_MONEY } from '../../money/license-money.web.ts';

type Line = CancellationAnswer['lines'][number];
const columns = (answer: CancellationAnswer): readonly Column<Line>[] => [
  { id: 'description', header: 'Line', kind: 'title', cell: (line) => line.description, width: 190 },
  { id: 'quoted', header: 'Quoted', kind: 'money', cell: (line) => line.quoted_minor, width: 90 },
  { id: 'invoiced', header: 'Invoiced', kind: 'money', cell: (line) => line.invoiced_minor, width: 90 },
  { id: 'keep', header: 'Kept', kind: 'money', cell: (line) => line.keep_minor, total: BigInt(answer.keep_minor),
    width: 90 },
  { id: 'refund', header: 'Given back', kind: 'money', cell: (line) => line.refund_minor,
    total: BigInt(answer.refund_minor), width: 90 },
];

function goneWords({ performances }: CancellationAnswer): string {
  return performances === 1 ? spell`One performance is canceled.` : spell`${performances} performances are canceled.`;
}

/** The way of the money, in words. */
function refundWords(answer: CancellationAnswer): string {
  const tax = answer.tax_minor > 0 ? ` and ${formatAmount(answer.tax_minor)} of tax` : '';
  return `Credit notes for ${formatAmount(answer.refund_minor, answer.currency)}${tax} are issued. What is unpaid is `
    + 'owed no more; what was paid stands to the credit of the customer until it is used or refunded in Receivables.';
}

export function CancelDialog({ view, onClose, remaining }: LicenseDialogProps & { remaining: boolean }) {
  const { license, on } = view;
  const [day, setDay] = useState<string | null>(on);
  const [waiver, setWaiver] = useState<StaffCancellation['waiver']>(null);
  const preview = useEndpoint(licenseEndpoints.cancellation, { params: { licenseId: license.id },
    query: { on: day ?? on, ...(waiver && { waive_minor: waiver.waive_minor }) } }, { enabled: day !== null });
  const cancel = useAction(licenseEndpoints.cancel, { refresh: LICENSE_MONEY,
    onFailure: () => undefined, onDone: onClose,
    done: spell`The production is canceled` });
  const rest = useAction(licenseEndpoints.movePhase, { refresh: LICENSE_MONEY,
    onFailure: () => undefined, onDone: onClose,
    done: spell`The remaining performances are canceled` });
  const action = remaining ? rest : cancel;
  const { values, field } = useFields({ reason: '' }, action.failure);
  const answer = preview.data?.data;
  const submit = () => {
    const params = { licenseId: license.id };
    if (remaining) void rest.run({ params, body: { event: 'cancel_remaining', version: license.version,
      reason: values.reason } });
    else if (day) {
      void cancel.run({ params, body: { version: license.version, reason: values.reason, on: day,
        ...(waiver && { waive_minor: waiver.waive_minor, waiver_approval_id: waiver.id }) } });
    }
  };
  return (
    <ActionDialog title={remaining ? 'Cancel the remaining performances' : 'Cancel the production'} danger
      leave={remaining ? 'Keep them' : 'Keep it'} action={action}
      submit={remaining ? 'Cancel remaining performances' : 'Cancel production'} width={720}
      known={['reason', 'on']} onClose={onClose} onSubmit={submit}
      reason={values.reason.trim() ? (remaining || day ? undefined : 'Enter the day') : 'Give a reason'}
      text={remaining ? `Performances that were played stay and are settled. ${answer ? goneWords(answer) : ''}`
        : 'This cannot be undone. Credit notes and the fee are made as shown here.'}>
      {!remaining && <DateField label={spell`Canceled on`} required value={day} onChange={setDay}
        error={errorsOf(action.failure).on} />}
      {preview.isError && <Callout tone="error"
        title="The cost could not be calculated">{preview.error.message}</Callout>}
      {answer && answer.lines.length > 0 && (
        <DataTable label={spell`Cost of canceling`} variant="record" columns={columns(answer)} rows={answer.lines}
          rowKey={(line) => `${line.charge_id}${line.description}`} totalLabel="Sum"
          caption={remaining ? `Kept and refunded, ${answer.currency}`
            : `${plainWords(answer.policy)} policy, ${answer.currency}`} />
      )}
      {answer && answer.refund_minor > 0 && <p className={styles.muted}>{refundWords(answer)}</p>}
      {answer && answer.lines.length === 0 && <Callout
        tone="ok">{spell`Nothing is invoiced: canceling costs nothing.`}</Callout>}
      {!remaining && answer && (answer.fee_minor > 0 || waiver) && (
        <Waiver licenseId={license.id} answer={answer} used={waiver} onUse={setWaiver} />
      )}
      <TextField label="Reason" required rows={3} {...field('reason')} />
    </ActionDialog>
  );
}
