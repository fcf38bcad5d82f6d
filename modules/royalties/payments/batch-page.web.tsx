/** One batch: its payments with the tax withheld and why, and the steps from draft to paid. */
import { useState } from 'react';
import { spell } from '#kernel/text/english.ts';
import { approvalEndpoints } from '#modules/approvals/approval.contract.ts';
import { RoyaltorBankChanges } from '#modules/payables/run/run-bank-changes.web.tsx';
import { AwaitingApproval } from '#web/data/approvers.tsx';
import { Badge } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import { Button } from '#web/controls/button/button.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { DateText, formatDay } from '#web/data/date-text.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { formatAmount, Money } from '#web/data/money.tsx';
import { divisionAndCurrency } from '#web/layout/division.ts';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { StatStrip } from '#web/layout/stat-strip.tsx';
import { AppLink, useIdParam } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { BATCH_LOOKS, BATCHES, METHOD_WORDS, PAYMENT_LOOKS, RUNS, SALES, statementName }
  from '../royalty-words.web.ts';
import { BatchActions, ReturnForm } from './batch-actions.web.tsx';
import { batchEndpoints, type BatchDetail } from './payment-batch.contract.ts';
import styles from '../royalty.module.css';

type Payment = BatchDetail['payments'][number];

export default function BatchPage() {
  const id = useIdParam('batchId');
  const read = useEndpoint(batchEndpoints.show, { params: { id } });
  const batch = read.data?.data.id === id ? read.data.data : undefined;
  if (read.isError && !batch) {
    return <RecordProblem noun="payment batch" list={BATCHES} error={read.error} onRetry={() => void read.refetch()} />;
  }
  return (
    <>
      <PageHeader title={batch ? `Batch ${batch.number}` : 'Payment batch'} back={BATCHES}
        activity={batch && { entity: 'royalty_payment_batch', id: batch.id }}
        badges={batch && <Badge tone={BATCH_LOOKS[batch.status].tone}>{BATCH_LOOKS[batch.status].label}</Badge>}
        waiting={!batch}
        subtitle={batch && [divisionAndCurrency(batch),
          `${METHOD_WORDS[batch.method]} on ${formatDay(batch.pay_on)}`]}>
        {batch && <BatchActions batch={batch} />}
      </PageHeader>
      {batch ? <Body batch={batch} /> : (
        <PageContent record>{[420, 520, 380].map((width) => <p key={width}><Skeleton width={width} height={18} /></p>)}
        </PageContent>
      )}
    </>
  );
}

/** A run that pays bills as well has a number of its own. */
const isOfGeneralRun = (batch: BatchDetail): boolean =>
  batch.payment_run_number !== null && batch.payment_run_number !== batch.number;

function Body({ batch }: { batch: BatchDetail }) {
  const may = useMay();
  const [returned, setReturned] = useState<Payment | null>(null);
  const takesBack = batch.allowed_events.includes('return') && may('payment.updateStatus');
  const gross = batch.payments.reduce((all, row) => all + BigInt(row.gross_minor), 0n);
  return (
    <PageContent record fullWidth>
      <div className={styles.stack}>
        {batch.status === 'draft' && isOfGeneralRun(batch) && (
          <Callout tone="info" title={`In payment run ${batch.payment_run_number}`}>
            It is approved, paid and withdrawn there, with the bills and refunds of the run.
          </Callout>)}
        {batch.status === 'draft' && !isOfGeneralRun(batch) && (
          <AwaitingApproval endpoint={approvalEndpoints.approvers} kind="payment_batch" askedBy={batch.created_by_name}
            askedById={batch.created_by_id} />)}
        {batch.status === 'scheduled' && (batch.failure === null
          ? <Callout tone="info" title={`Scheduled for ${formatDay(batch.pay_on)}`}>
            {batch.file_name === null ? 'It is paid and posted on that date. You can cancel it until then.'
              : 'The bank has its file; it is posted on that date. Single payments are taken out in the payment run.'}
          </Callout>
          : <Callout tone="error" title={`Not paid on ${formatDay(batch.pay_on)}`}>{batch.failure}</Callout>)}
        {batch.value_moved !== null && (
          <Callout tone="info" title="Payment date moved">{batch.value_moved}</Callout>)}
        {batch.status === 'approved' && batch.method === 'check' && (
          <Callout tone="info" title="To be printed">{spell`Printing its checks pays them, one by one.`}</Callout>)}
        <div>
          <StatStrip label="The batch" stats={[
            { label: `Royalties and advances, ${batch.currency}`, value: <Money minor={gross} /> },
            { label: 'Tax withheld', sign: '−', value: <Money minor={batch.withheld_minor} /> },
            { label: batch.posted_at === null ? 'To be paid' : 'Paid out', sign: '=', strong: true,
              value: <Money minor={batch.total_minor} />,
              note: batch.payment_count === 1 ? 'one payment' : `${batch.payment_count} payments` },
          ]} />
        </div>
      </div>
      <Section title="Payments" count={batch.payments.length}
        description={batch.posted_at === null
          ? 'One per payee; the tax and the exchange rates are those of the day of payment.'
          : 'One per payee, with the tax and the exchange rates of the day of payment.'}>
        <DataTable label="Payments of the batch" variant="record" rows={batch.payments} rowKey={(row) => row.id}
          columns={columnsOf(batch, takesBack ? setReturned : null)} totalLabel="Total"
          empty={{ title: 'No payments' }} />
      </Section>
      {['draft', 'approved'].includes(batch.status) && batch.payment_run_id !== null && (
        <RoyaltorBankChanges runId={batch.payment_run_id} />)}
      <Section title="About this batch">
        <KeyValue facts={[
          batch.bank_account !== null && { label: 'Paid from', value: batch.bank_account },
          batch.payment_run_id !== null && { label: 'Payment run', value: <AppLink className="gr-link"
            href={`${RUNS}/${batch.payment_run_id}`}>{batch.file_name ?? batch.payment_run_number}</AppLink> },
          batch.created_by_name !== null && { label: 'Made by',
            value: <>{batch.created_by_name}, <DateText value={batch.created_at} /></> },
          batch.approved_at !== null && { label: 'Approved by',
            value: <>{batch.approved_by_name}, <DateText value={batch.approved_at} /></> },
          batch.scheduled_at !== null && { label: 'Scheduled', value: <DateText value={batch.scheduled_at} /> },
          batch.posted_at !== null && { label: 'Paid and posted', value: <DateText value={batch.posted_at} /> },
        ]} />
      </Section>
      {returned && <ReturnForm batch={batch} payment={returned} onClose={() => setReturned(null)} />}
    </PageContent>
  );
}

function columnsOf(batch: BatchDetail, onReturn: ((payment: Payment) => void) | null): readonly Column<Payment>[] {
  const sum = (part: (row: Payment) => number) => batch.payments.reduce((all, row) => all + BigInt(part(row)), 0n);
  return [
    { id: 'royaltor', header: 'Payee', kind: 'title', cell: (row) => row.royaltor_name, fixed: true, width: 180 },
    { id: 'number', header: 'Payment', kind: 'code', cell: (row) => row.number, width: 140, optional: true },
    { id: 'for', header: 'For', kind: 'muted', cell: (row) => <PaidFor payment={row} />, width: 150 },
    ...(batch.payments.some((row) => row.bank_account_last4 !== null) ? [{ id: 'account', header: 'Account',
      kind: 'code' as const, width: 80,
      cell: (row: Payment) => row.bank_account_last4 && `…${row.bank_account_last4}` }] : []),
    { id: 'status', header: 'Status', kind: 'badge', width: 90, cell: (row) => {
      const look = PAYMENT_LOOKS[row.status];
      return <Badge small tone={look?.tone}>{look?.label ?? row.status}</Badge>;
    } },
    { id: 'gross', header: 'Gross', kind: 'money', cell: (row) => row.gross_minor, width: 95,
      total: sum((row) => row.gross_minor) },
    { id: 'withheld', header: 'Tax', kind: 'money', cell: (row) => row.withheld_minor, width: 85,
      total: sum((row) => row.withheld_minor) },
    { id: 'amount', header: 'Amount', kind: 'money', cell: (row) => row.amount_minor, width: 95,
      total: sum((row) => row.amount_minor) },
    ...(batch.payments.some(isConverted) ? [{ id: 'rate', header: 'Converted', kind: 'muted' as const, width: 180,
      cell: (row: Payment) => <Conversion payment={row} /> }] : []),
    { id: 'why', header: 'Why this tax', kind: 'muted', cell: (row) => row.withholding_reason, width: 190 },
    { id: 'journal', header: 'Journal', kind: 'code', width: 110, hidden: true,
      cell: (row) => row.transaction_id !== null && (
        <AppLink className="gr-link" href={`/admin/accounting/transactions/${row.transaction_id}`}>
          {row.transaction_id}
        </AppLink>) },
    ...(onReturn ? [{ id: 'return', header: 'Return', kind: 'actions' as const, width: 110, cell: (row: Payment) => (
      ['posted', 'cleared'].includes(row.status)
        && <Button size="small" onClick={() => onReturn(row)}>Mark returned</Button>) }] : []),
  ];
}

/** Statements that a payment names; the others are counted, and stand on the batch's list. */
const NAMED = 1;

function PaidFor({ payment }: { payment: Payment }) {
  const may = useMay();
  const advances = payment.parts.filter((part) => part.advance_id !== null).length;
  const advanceWords = advances === 1 ? 'Advance' : `${advances} advances`;
  if (advances === payment.parts.length) return advanceWords;
  const statements = payment.parts.flatMap((part) => (part.statement_id === null ? []
    : [{ id: part.statement_id, number: part.number }]));
  const more = statements.slice(NAMED);
  return (
    <>
      {statements.slice(0, NAMED).map((row) => (may('show_royaltor.show')
        ? (
          <AppLink key={row.id} className="gr-link" href={`${SALES}/statements/${row.id}`}>
            {statementName(row)}
          </AppLink>
        ) : <span key={row.id}>{statementName(row)}</span>))}
      {more.length > 0 && <span title={more.map(statementName).join(', ')}>{` and ${more.length} more`}</span>}
      {advances > 0 && `, ${advanceWords.toLowerCase()}`}
    </>
  );
}

const isConverted = (payment: Payment): boolean => payment.parts.some((part) => part.currency !== payment.currency);

/** 'EUR 700.00 at 1.1200': what is owed in another currency and the rate it is paid at; the exact one on hover. */
function Conversion({ payment }: { payment: Payment }) {
  const foreign = payment.parts.filter((part) => part.currency !== payment.currency);
  return foreign.map((part, n) => (
    <span key={part.statement_id ?? part.advance_id} title={`${part.rate}, published ${formatDay(part.rate_on)}`}>
      {`${n === 0 ? '' : '; '}${formatAmount(part.gross_minor - part.wht_minor, part.currency)} at ${
        Number(part.rate).toFixed(4)}`}
    </span>
  ));
}
