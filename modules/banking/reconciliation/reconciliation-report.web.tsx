/** The bank reconciliation statement: from the balance of the bank to the balance of the books, with what is open. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { Button } from '#web/controls/button/button.tsx';
import { FormActions, FormFrame } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useTypedName } from '#web/controls/field/typed-name.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Callout } from '#web/data/callout.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { DateText, formatDay } from '#web/data/date-text.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { Money } from '#web/data/money.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { StatStrip } from '#web/layout/stat-strip.tsx';
import { AppLink, useIdParam, useNavigation } from '#web/navigation/navigation.tsx';
import { PdfLink } from '#web/pdf/pdf-link.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { RECONCILIATION } from '../banking-tabs.ts';
import { reconciliationEndpoints, type ReconciliationDetail, type ReconciliationReport }
  from './reconciliation.contract.ts';
import { reconciliationBadge } from './reconciliation-words.web.tsx';
import styles from './reconciliation.module.css';

export default function ReconciliationReportPage() {
  const may = useMay();
  const [undoing, setUndoing] = useState(false);
  const id = useIdParam('reconciliationId');
  const read = useEndpoint(reconciliationEndpoints.show, { params: { id } });
  const row = read.data?.data.id === id ? read.data.data : undefined;
  if (read.isError && !row) {
    return <RecordProblem noun="reconciliation" list={RECONCILIATION} error={read.error}
      onRetry={() => void read.refetch()} />;
  }
  return (
    <>
      <PageHeader title={row ? `${row.bank_account}, ${formatDay(row.to_on)}` : 'Reconciliation'} waiting={!row}
        back={row ? `${RECONCILIATION}?bank_account_id=${row.bank_account_id}` : RECONCILIATION}
        activity={row && { entity: 'bank_reconciliation', id: row.id }} badges={row && reconciliationBadge(row)}
        subtitle={row && ['Bank reconciliation', row.bank_name, row.currency,
          ...(row.statement_number === null ? [] : [`Statement ${row.statement_number}`])]}>
        {row?.report && (
          <PdfLink href={`/api/admin/staff/accounting/reconciliations/${row.id}/document`}
            title={`Bank reconciliation ${row.bank_account}`}
            fileName={`reconciliation-${row.to_on}.pdf`}>PDF</PdfLink>)}
        {row?.is_latest && may('transaction.update') && (
          <Button variant="danger" onClick={() => setUndoing(true)}>Undo reconciliation</Button>)}
      </PageHeader>
      <PageContent record fullWidth>
        {row ? <Body row={row} />
          : [240, 420].map((width) => <p key={width}><Skeleton width={width} height={16} /></p>)}
      </PageContent>
      {row && undoing && <UndoForm row={row} onClose={() => setUndoing(false)} />}
    </>
  );
}

function Body({ row }: { row: ReconciliationDetail }) {
  const { report } = row;
  return (
    <>
      {row.status === 'undone' && (
        <Callout tone="warn" title={`Undone by ${row.undone_by_name ?? 'staff'}`}>
          <DateText value={row.undone_at!} />. {row.undo_reason}
        </Callout>)}
      {row.status === 'open' && (
        <Callout tone="info" title="In progress">
          These figures change until it is finished. <AppLink className="gr-link"
            href={`${RECONCILIATION}?bank_account_id=${row.bank_account_id}`}>Continue</AppLink>
        </Callout>)}
      {row.status === 'discarded' && <Callout tone="info" title="Discarded">It was never finished.</Callout>}
      {row.finished_at !== null && (
        <p className={styles.muted}>Finished by {row.finished_by_name} on <DateText value={row.finished_at} />.</p>)}
      {report && <Report report={report} currency={row.currency} />}
    </>
  );
}

interface Item { key: string; on: string; text: string; amount_minor: number }
const columns: readonly Column<Item>[] = [
  { id: 'on', header: 'Date', kind: 'date', cell: (item) => item.on, width: 120 },
  { id: 'text', header: 'Entry', kind: 'title', cell: (item) => item.text, fixed: true, width: 420 },
  { id: 'amount', header: 'Amount', kind: 'money', cell: (item) => BigInt(item.amount_minor), width: 140 },
];

function Items({ title, items }: { title: string; items: readonly Item[] }) {
  if (items.length === 0) return null;
  return (
    <Section title={title} count={items.length}>
      <DataTable label={title} columns={columns} rows={items} rowKey={(item) => item.key} variant="record" />
    </Section>
  );
}

function Report({ report, currency }: { report: ReconciliationReport; currency: string }) {
  const { proof } = report;
  const outstanding = report.outstanding.map((one, k) => ({ key: `o${k}`, on: one.posted_on, text: one.text,
    amount_minor: one.amount_minor }));
  return (
    <>
      <div className={styles.strip}>
        <StatStrip label="Proof" stats={[
          { label: `Balance per bank, ${currency}`, value: <Money minor={report.closing_minor} /> },
          { label: 'Deposits in transit', sign: '+', value: <Money minor={proof.deposits_in_transit_minor} /> },
          { label: 'Outstanding payments', sign: '−', value: <Money minor={proof.outstanding_payments_minor} /> },
          ...(proof.unmatched_minor === 0 ? [] : [{ label: 'Not in the books', sign: '−' as const,
            value: <Money minor={proof.unmatched_minor} /> }]),
          ...(proof.timing_minor === 0 ? [] : [{ label: 'Timing differences', sign: '+' as const,
            value: <Money minor={proof.timing_minor} /> }]),
          { label: 'Balance per books', sign: '=', strong: true, value: <Money minor={proof.ledger_minor} />,
            tone: proof.difference_minor === 0 ? 'ok' : 'error',
            note: proof.difference_minor === 0 ? 'Bank and books agree'
              : <>Differs by <Money minor={proof.difference_minor} /></> },
        ]} />
      </div>
      <Items title="Deposits in transit" items={outstanding.filter((one) => one.amount_minor > 0)} />
      <Items title="Outstanding payments" items={outstanding.filter((one) => one.amount_minor < 0)} />
      <Items title="Bank lines not in the books" items={report.unmatched.map((one, k) => ({ key: `u${k}`,
        on: one.booked_on, text: one.text, amount_minor: one.amount_minor }))} />
      <Items title="Timing differences" items={report.timing.map((one, k) => ({ key: `t${k}`, on: '', ...one }))} />
      {report.outstanding_count > outstanding.length && (
        <p className={styles.muted}>
          {`${report.outstanding_count - outstanding.length} more entries are part of the totals.`}
        </p>)}
    </>
  );
}

/** Takes back what is closed, so that the day is typed first (U12). */
function UndoForm({ row, onClose }: { row: ReconciliationDetail; onClose: () => void }) {
  const { go } = useNavigation();
  const refresh = useRefresh([reconciliationEndpoints.work, reconciliationEndpoints.list]);
  const typed = useTypedName(row.bank_account, true);
  const form = useResourceForm({
    initial: { reason: '' },
    submit: ({ reason }) => call(reconciliationEndpoints.undo, { params: { id: row.id },
      body: { version: row.version, reason } }),
    onSaved: () => {
      toast('Reconciliation undone. It is in progress again.');
      void refresh();
      go(`${RECONCILIATION}?bank_account_id=${row.bank_account_id}`);
    },
  });
  return (
    <Modal open onClose={onClose} title={`Undo the reconciliation through ${formatDay(row.to_on)}`} width={480}>
      <FormFrame form={form} aria-label="Undoing">
        <p>Its lines can be changed again. Matches and ticks stay; the report stays with its reason.</p>
        <TextField label="Reason" required rows={2} {...form.field('reason')} maxLength={500} />
        {typed.field}
        <FormActions>
          <Button type="submit" variant="danger" pending={form.pending} reason={typed.held}>Undo reconciliation</Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}
