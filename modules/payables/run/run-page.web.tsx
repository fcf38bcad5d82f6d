/** One payment run: its payments, what keeps it from the bank, the file, and the bank's answer. */
import { useState } from 'react';
import { spell } from '#kernel/text/english.ts';
import { approvalEndpoints } from '#modules/approvals/approval.contract.ts';
import { DIVISION_LABELS } from '#kit/field.ts';
import { Button } from '#web/controls/button/button.tsx';
import { ActionMenu } from '#web/data/action-menu.tsx';
import { AwaitingApproval } from '#web/data/approvers.tsx';
import { Callout } from '#web/data/callout.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { DateText, formatDay } from '#web/data/date-text.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { toast } from '#web/data/toast.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { AppLink, useIdParam, useNavigation } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { CHECKING } from '../payables-tabs.ts';
import { PaymentForm, RunActions } from './run-actions.web.tsx';
import { stepsOf, type Acts, type PaymentAct } from './run-acts.web.ts';
import { BankChanges } from './run-bank-changes.web.tsx';
import { DecideForm } from './run-decide.web.tsx';
import { FileSection } from './run-file.web.tsx';
import { RunForm } from './run-form.web.tsx';
import { documentHref, METHOD_WORDS, PaymentBadge, RunBadge, RUNS } from './run-words.web.tsx';
import { runEndpoints, type RunDetail, type RunPayment } from './payment-run.contract.ts';
import styles from './run.module.css';

export function RunCreate() {
  const { go } = useNavigation();
  const refresh = useRefresh([runEndpoints.list, runEndpoints.payables]);
  return (
    <>
      <PageHeader title="New payment run" back={RUNS} />
      <PageContent record>
        <RunForm row={null} onSaved={(row) => {
          toast(`${row.number} created; another person approves it`);
          void refresh();
          go(`${RUNS}/${row.id}`, { replace: true });
        }} />
      </PageContent>
    </>
  );
}

export function RunPage() {
  const id = useIdParam('paymentRunId');
  const read = useEndpoint(runEndpoints.show, { params: { id } });
  const run = read.data?.data.id === id ? read.data.data : undefined;
  if (read.isError && !run) {
    return <RecordProblem noun="payment run" list={RUNS} error={read.error} onRetry={() => void read.refetch()} />;
  }
  return (
    <>
      <PageHeader title={run?.number ?? 'Payment run'} back={RUNS} waiting={!run}
        activity={run && { entity: 'payment_run', id: run.id }} badges={run && <RunBadge run={run} />}
        subtitle={run && [`${METHOD_WORDS[run.method]} on ${formatDay(run.value_on)}`, run.bank_account,
          DIVISION_LABELS[run.division]]}>
        {run && <RunActions run={run} />}
      </PageHeader>
      {run ? <Body run={run} /> : (
        <PageContent record>{[420, 520, 380].map((width) => <p key={width}><Skeleton width={width} height={18} /></p>)}
        </PageContent>
      )}
    </>
  );
}

/** Handed in at the bank without a file of ours. */
const isByHand = (run: RunDetail): boolean => run.exported_at !== null && run.file_name === null;

/** Notes above the payments. */
function Notes({ run }: { run: RunDetail }) {
  const may = useMay();
  return (
    <div className={styles.stack}>
      {run.status === 'draft' && (
        <AwaitingApproval endpoint={approvalEndpoints.approvers} askedBy={run.created_by_name}
          kind={run.is_batch ? 'payment_batch' : 'payment_run'}
          askedById={run.created_by_id} />)}
      {run.failure !== null && run.status !== 'posted' && (
        <Callout tone="error" title={`Not posted on ${formatDay(run.value_on)}`}>{run.failure}</Callout>)}
      {run.status === 'exported' && run.failure === null && (
        <Callout tone="info" title={`Posts on ${formatDay(run.value_on)}`}>
          Nothing is posted before that day. {run.file_name === null ? 'It was entered at the bank by hand.'
            : `The bank has ${run.file_name}. A payment that is taken out now has to be recalled there as well.`}
        </Callout>)}
      {run.status === 'approved' && run.method === 'check' && (
        <Callout tone="info" title="To be printed"
          action={may('payment.list') && <ButtonLink size="small" href={CHECKING}>{spell`Go to checks`}</ButtonLink>}>
          Printing posts each payment and takes its number.
        </Callout>)}
      {run.value_moved !== null && <Callout tone="info" title="Value date moved">{run.value_moved}</Callout>}
      {run.void_reason !== null && (
        <Callout tone="info" title={run.file_name === null ? 'Withdrawn' : 'Nothing is left to pay'}>
          {run.void_reason}
        </Callout>)}
    </div>
  );
}

function Body({ run }: { run: RunDetail }) {
  const may = useMay();
  const [open, setOpen] = useState<{ payment: RunPayment; act: PaymentAct } | null>(null);
  const acts = {
    decide: run.allowed.includes('decide') && may('payment.updateStatus'),
    cancel: run.allowed.includes('cancel') && may('payment.updateStatus'),
    reject: run.allowed.includes('reject') && may('payment.create'),
  };
  return (
    <PageContent record fullWidth>
      <Notes run={run} />
      <Section title="Payments" count={run.payment_count}
        description="One payment for each payee. Each refund is a payment of its own.">
        <DataTable label="Payments of the run" variant="record" rows={run.payments} rowKey={(row) => row.id}
          columns={columnsOf(run, acts, setOpen)} totalLabel="Total" empty={{ title: 'No payments' }} />
      </Section>
      <BankChanges payments={run.payments} />
      {run.method !== 'check' && (run.file_name !== null || (run.status !== 'void' && !isByHand(run)))
        && <FileSection run={run} />}
      <Section title="About this run">
        <KeyValue facts={[
          !run.is_batch && { label: 'Due by', value: formatDay(run.due_by) },
          run.royalty_payment_batch_id !== null && { label: run.is_batch ? 'Pays' : 'Pays as well',
            value: <AppLink className="gr-link"
              href={`/admin/accounts-payable/royalty-payments/${run.royalty_payment_batch_id}`}>Royalties</AppLink> },
          run.memo !== '' && { label: 'Note', value: run.memo },
          run.created_by_name !== null && { label: 'Made by',
            value: <>{run.created_by_name}, <DateText value={run.created_at} /></> },
          run.last_changed_by_name !== null && { label: 'Changed by', value: run.last_changed_by_name },
          run.approved_at !== null && { label: 'Approved by',
            value: <>{run.approved_by_name}, <DateText value={run.approved_at} /></> },
          run.posted_at !== null && { label: 'Posted', value: <DateText value={run.posted_at} /> },
        ]} />
      </Section>
      {open?.act === 'decide' && <DecideForm run={run} payment={open.payment} onClose={() => setOpen(null)} />}
      {open && open.act !== 'decide' && (
        <PaymentForm run={run} payment={open.payment} act={open.act} onClose={() => setOpen(null)} />)}
    </PageContent>
  );
}

function columnsOf(run: RunDetail, acts: Acts, onAct: (of: { payment: RunPayment; act: PaymentAct }) => void):
readonly Column<RunPayment>[] {
  const live = run.payments.filter((row) => !['void', 'returned', 'reversed'].includes(row.status));
  const total = live.reduce((all, row) => all + BigInt(row.amount_minor), 0n);
  const withheld = live.reduce((all, row) => all + BigInt(row.withheld_minor), 0n);
  const discount = live.reduce((all, row) => all + discountOf(row), 0n);
  return [
    { id: 'payee', header: 'Payee', kind: 'title', cell: (row) => row.party_name, fixed: true, width: 190 },
    { id: 'number', header: 'Payment', kind: 'code', width: 150, cell: (row) => (
      <AppLink className="gr-link" href={`/admin/accounts-payable/payments/${row.id}`}>{row.number}</AppLink>) },
    { id: 'for', header: 'For', kind: 'muted', cell: (row) => <Documents payment={row} />, width: 220 },
    { id: 'account', header: 'Account', kind: 'code', width: 90,
      cell: (row) => row.payee_last4 && `…${row.payee_last4}` },
    { id: 'status', header: 'Status', kind: 'badge', width: 110, cell: (row) => <PaymentBadge payment={row} /> },
    ...(run.withheld_minor === 0 ? [] : [{ id: 'gross', header: 'Gross', kind: 'money' as const, width: 120,
      cell: (row: RunPayment) => BigInt(row.amount_minor + row.withheld_minor), total: total + withheld },
    { id: 'withheld', header: 'Tax withheld', kind: 'money' as const, width: 120, total: withheld,
      cell: (row: RunPayment) => (row.withheld_minor === 0 ? '' : BigInt(row.withheld_minor)) }]),
    ...(discount === 0n ? [] : [{ id: 'discount', header: 'Discount', kind: 'money' as const, width: 120,
      total: discount, cell: (row: RunPayment) => discountOf(row) || '' }]),
    { id: 'amount', header: `Amount, ${run.currency}`, kind: 'money', cell: (row) => BigInt(row.amount_minor),
      width: 120, total },
    { id: 'why', header: 'Note', kind: 'muted', width: 240, cell: notesOf },
    ...(Object.values(acts).some(Boolean) ? [{ id: 'act', header: 'Action', kind: 'actions' as const, width: 160,
      cell: (row: RunPayment) => {
        const steps = stepsOf(row, run, acts);
        const does = (act: PaymentAct) => onAct({ payment: row, act });
        if (steps.length > 1) {
          return <ActionMenu label={`Actions of ${row.number}`} actions={steps.map(({ act, label }) =>
            ({ label, onSelect: () => does(act) }))} />;
        }
        return steps.map(({ act, label }) => (
          <Button key={act} size="small" onClick={() => does(act)}>{label}</Button>));
      } }] : []),
  ];
}

const discountOf = (row: RunPayment): bigint => row.parts.reduce((all, part) => all + BigInt(part.discount_minor), 0n);

/** Problems of the payment, and reasons of discounts that are more than the terms give. */
function notesOf(row: RunPayment): string {
  const discounts = row.parts.filter((part) => part.discount_reason !== '')
    .map((part) => `Discount on ${part.document}: ${part.discount_reason}`);
  return [row.reason ?? row.held ?? row.hint ?? '', ...discounts].filter(Boolean).join('. ');
}

/** Documents that a payment names; the others are counted. */
const NAMED = 3;
function Documents({ payment }: { payment: RunPayment }) {
  const more = payment.parts.slice(NAMED);
  if (payment.parts.length === 0) return 'Refund';
  return (
    <>
      {payment.parts.slice(0, NAMED).map((part, n) => {
        const href = documentHref(part);
        return (
          <span key={part.open_item_id ?? `${part.document}${n}`}>
            {n > 0 && ', '}{href === null ? part.document
              : <AppLink className="gr-link" href={href}>{part.document}</AppLink>}
            {part.amount_minor < 0 && ' (credit)'}
          </span>);
      })}
      {more.length > 0 && (
        <span title={more.map((part) => part.document).join(', ')}>{` and ${more.length} more`}</span>)}
    </>
  );
}
