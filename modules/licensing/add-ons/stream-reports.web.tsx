/** Revenue from a license's streams: reported here or by the customer, billed at once, reversed by a credit note. */
import { useState } from 'react';
import { formatRate } from '#kernel/money/money.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { FormGrid } from '#web/controls/form/form-frame.tsx';
import { MoneyField } from '#web/controls/field/money-field.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { Section } from '#web/layout/page-content.tsx';
import { AppLink } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { ActionDialog, useFields } from '../action-dialog.web.tsx';
import type { LicenseAddOn } from './license-add-on.contract.ts';
import { streamReportEndpoints, type StaffStreamReport } from './stream-report.contract.ts';

type Streamed = LicenseAddOn & { share_ppm: number };
export const streamedOf = (rows: readonly LicenseAddOn[]): Streamed[] =>
  rows.flatMap((row) => (row.share_ppm === null ? [] : [{ ...row, share_ppm: row.share_ppm }]));

const daysOf = (row: StaffStreamReport): string => (row.period_from === row.period_to ? formatDay(row.period_from)
  : `${formatDay(row.period_from)} – ${formatDay(row.period_to)}`);

/** `onTakeBack` null: the person may not. */
export const takingsColumns = (currency: string, onTakeBack: ((row: StaffStreamReport) => void) | null):
readonly Column<StaffStreamReport>[] => [
  { id: 'period', header: 'Days', kind: 'title', cell: daysOf, fixed: true, width: 230 },
  { id: 'name', header: 'Add-on', kind: 'muted', cell: (row) => row.name, width: 180 },
  { id: 'gross', header: `Took ${currency}`, kind: 'money', cell: (row) => row.gross_minor, width: 130 },
  { id: 'share', header: 'Share', kind: 'number', cell: (row) => formatRate(BigInt(row.share_ppm)), width: 90 },
  { id: 'fee', header: `Fee ${currency}`, kind: 'money', cell: (row) => row.fee_minor, width: 130 },
  { id: 'invoice', header: 'Invoice', kind: 'code', width: 170, cell: (row) => (row.invoice_id === null ? 'None'
    : (
      <AppLink className="gr-link" href={`/admin/accounts-receivable/invoices/${row.invoice_id}`}>
        {row.invoice_number ?? 'Draft'}
      </AppLink>
    )) },
  { id: 'state', header: 'Status', kind: 'badge', width: 130, cell: (row) => row.withdrawn_at === null
    ? <Badge tone="ok" small>Billed</Badge> : <Badge tone="neutral" small>Taken back</Badge> },
  ...(onTakeBack === null ? [] : [{ id: 'take_back', header: 'Take back', kind: 'actions', width: 110,
    cell: (row) => row.withdrawn_at === null
      && <Button size="small" variant="quiet" onClick={() => onTakeBack(row)}>Take back</Button>,
  } satisfies Column<StaffStreamReport>]),
];

export function StreamReports({ licenseId, addOns }: { licenseId: number; addOns: readonly Streamed[] }) {
  const may = useMay();
  const read = useEndpoint(streamReportEndpoints.list, { params: { licenseId } });
  const [open, setOpen] = useState<'new' | StaffStreamReport | null>(null);
  const close = () => setOpen(null);
  const currency = addOns[0]!.currency;
  return (
    <Section title="Streaming receipts" description="Each report is billed at once, at the share of its add-on." flush
      right={may('license.update') && <Button onClick={() => setOpen('new')}>Report receipts</Button>}>
      <DataTable label="Streaming receipts" rows={read.data?.data} error={read.error}
        onRetry={() => void read.refetch()} variant="record" rowKey={(row) => row.id}
        columns={takingsColumns(currency, may('license.update') ? setOpen : null)}
        empty={{ title: 'Nothing reported yet', text: 'The customer reports it in the portal, or you do it here.' }} />
      {open === 'new' && <ReportDialog licenseId={licenseId} addOns={addOns} onClose={close} />}
      {open !== null && open !== 'new' && <WithdrawDialog licenseId={licenseId} row={open} onClose={close} />}
    </Section>
  );
}

const EMPTY = { period_from: null as string | null, period_to: null as string | null,
  gross_minor: null as number | null, note: '' };

function ReportDialog({ licenseId, addOns, onClose }: {
  licenseId: number; addOns: readonly Streamed[]; onClose: () => void;
}) {
  const action = useAction(streamReportEndpoints.create, { onDone: onClose, onFailure: () => {},
    done: ({ data }) => (data.invoice_number === null ? 'Reported; nothing is owed for it'
      : `Invoice ${data.invoice_number} is issued`) });
  const { values, field } = useFields({ add_on_id: addOns[0]!.add_on_id as number | null, ...EMPTY }, action.failure);
  const chosen = addOns.find((one) => one.add_on_id === values.add_on_id);
  const { add_on_id, period_from, period_to, gross_minor, note } = values;
  const missing = !add_on_id || !period_from || !period_to ? 'Choose the days first'
    : gross_minor === null ? 'Enter what the stream took first' : undefined;
  return (
    <ActionDialog title="Streaming receipts" submit="Report and bill" action={action} onClose={onClose}
      reason={missing} known={Object.keys(values)} text="The share is invoiced to the customer at once."
      onSubmit={() => void action.run({ params: { licenseId }, body: { add_on_id: add_on_id!,
        period_from: period_from!, period_to: period_to!, gross_minor: gross_minor!, note } })}>
      {addOns.length > 1 && (
        <AsyncSelect label="Add-on" required {...field('add_on_id')}
          options={addOns.map((one) => ({ value: one.add_on_id, label: one.name }))} />
      )}
      <FormGrid>
        <DateField label="From" required {...field('period_from')} />
        <DateField label="Until" required {...field('period_to')} />
      </FormGrid>
      <MoneyField label="Revenue" required currency={addOns[0]!.currency} {...field('gross_minor')}
        caption={chosen && `Without tax on the tickets. The share is ${formatRate(BigInt(chosen.share_ppm))}.`} />
      <TextField label="Note" maxLength={500} rows={2} {...field('note')} />
    </ActionDialog>
  );
}

function WithdrawDialog({ licenseId, row, onClose }: {
  licenseId: number; row: StaffStreamReport; onClose: () => void;
}) {
  const action = useAction(streamReportEndpoints.withdraw, { onDone: onClose, onFailure: () => {},
    done: 'The report is taken back' });
  const { values, field } = useFields({ reason: '' }, action.failure);
  return (
    <ActionDialog title="Take the report back" submit="Take it back" leave="Keep it" danger action={action}
      onClose={onClose} known={['reason']} reason={values.reason.trim() === '' ? 'Enter a reason first' : undefined}
      text={`${row.name}, ${daysOf(row)}: ${formatAmount(row.fee_minor, row.currency)}${row.invoice_number
        ? ` of invoice ${row.invoice_number} is credited` : ''}. Its days can be reported anew.`}
      onSubmit={() => void action.run({ params: { licenseId, reportId: row.id }, body: values })}>
      <TextField label="Reason" required rows={2} maxLength={500} {...field('reason')} />
    </ActionDialog>
  );
}
