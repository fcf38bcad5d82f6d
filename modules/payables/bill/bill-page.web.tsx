/** One bill: its form while it is a draft, afterwards its lines, tax, posting, what settled it, and its document. */
import { urlOf } from '#kit/client.ts';
import { nameOf, pageOf, DOCUMENT_KINDS, type DocumentKind }
  from '#modules/accounting/transaction/transaction-document.contract.ts';
import { approvalEndpoints } from '#modules/approvals/approval.contract.ts';
import { Button } from '#web/controls/button/button.tsx';
import { AwaitingApproval } from '#web/data/approvers.tsx';
import { Badge } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { DateText, formatDay } from '#web/data/date-text.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { today } from '#web/data/local-day.ts';
import { formatAmount, Money } from '#web/data/money.tsx';
import { toast } from '#web/data/toast.tsx';
import { DIVISION_CURRENCY, divisionAndCurrency, useDivision } from '#web/layout/division.ts';
import { Columns, PageContent, Section, SideColumn } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { StatStrip } from '#web/layout/stat-strip.tsx';
import { AppLink, useIdParam, useNavigation, useQueryValues } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { SCHEDULES } from '../bill-schedule/schedule-words.web.tsx';
import { PAYABLES } from '../payables-tabs.ts';
import { BillActions } from './bill-actions.web.tsx';
import { draftOf, emptyLine } from './bill-draft.web.ts';
import { BillForm } from './bill-form.web.tsx';
import { BillPaper } from './bill-paper.web.tsx';
import { billBadge, BILLS, KIND_LABELS } from './bill-words.web.tsx';
import { billEndpoints, type BillDetail, type BillLine } from './bill.contract.ts';

export function BillCreate() {
  const { go } = useNavigation();
  const [division] = useDivision();
  const vendor = Number(useQueryValues().values.get('vendor_id'));
  return (
    <>
      <PageHeader title="New bill" back={BILLS} subtitle="A draft posts nothing until another person approves it" />
      <BillForm bill={null} initial={{ kind: 'bill', vendor_id: vendor > 0 ? vendor : null, vendor_number: '', division,
        currency: DIVISION_CURRENCY[division] as 'USD', billed_on: today(), received_on: today(), due_on: null,
        discount_ppm: null, discount_days: null, memo: '', lines: [emptyLine()], duplicate_confirmed: false,
        over_received_confirmed: false }}
      onSaved={(bill) => { toast(`${bill.number} saved`); go(`${BILLS}/${bill.id}`, { replace: true }); }} />
    </>
  );
}

/** Under Accounting: a draft is changed here. */
export function BillPage() {
  return <Record id={useIdParam('billId')} list={BILLS} edits />;
}

/** Under Payables: the same record to read. */
export function PayableBill() {
  return <Record id={useIdParam('invoiceId')} list={`${PAYABLES}/invoices`} edits={false} />;
}

function Record({ id, list, edits }: { id: number; list: string; edits: boolean }) {
  const may = useMay();
  const read = useEndpoint(billEndpoints.show, { params: { id } });
  const bill = read.data?.data;
  if (read.isError && !bill) {
    return <RecordProblem noun="bill" list={list} error={read.error} onRetry={() => void read.refetch()} />;
  }
  const writes = edits && bill?.state === 'draft' && may('bill.update');
  return (
    <>
      <PageHeader title={bill ? `${KIND_LABELS[bill.kind]} ${bill.number}` : 'Bill'} back={list} waiting={!bill}
        crumbs={bill && [{ label: bill.number }]} activity={bill && { entity: 'bill', id: bill.id }}
        badges={bill && billBadge(bill)} subtitle={bill && [
          may('vendor.show') ? <AppLink key="vendor" className="gr-link" href={`/admin/vendors/${bill.vendor_id}`}>
            {bill.vendor_name}</AppLink> : bill.vendor_name,
          bill.vendor_number, divisionAndCurrency(bill),
          bill.schedule_id !== null && <AppLink key="schedule" className="gr-link"
            href={`${SCHEDULES}/${bill.schedule_id}`}>Made by {bill.schedule_name}</AppLink>]}>
        {bill && <BillActions bill={bill} />}
      </PageHeader>
      {!bill && <PageContent record><Skeleton width={420} height={18} /></PageContent>}
      {bill && writes && (
        <>
          {(bill.decline_reason ?? bill.hold_reason) !== null && <Section record><Notices bill={bill} /></Section>}
          <BillForm key={bill.id} bill={bill} initial={draftOf(bill)}
            onSaved={(saved) => { toast(`${saved.number} saved`); void read.refetch(); }} />
        </>
      )}
      {bill && !writes && (bill.file ? (
        <Columns side={<SideColumn label="Document of the vendor" width={460}>
          <BillPaper url={urlOf(billEndpoints.file, { id: bill.id })} name={bill.file.name}
            type={bill.file.mime_type} />
        </SideColumn>}><Body bill={bill} /></Columns>
      ) : <Body bill={bill} />)}
    </>
  );
}

function Notices({ bill }: { bill: BillDetail }) {
  const over = bill.kind === 'bill' && bill.state === 'submitted' && bill.unpaid_minor > bill.limit_minor;
  return (
    <>
      {bill.state === 'submitted' && (
        <AwaitingApproval endpoint={approvalEndpoints.approvers} kind="bill" askedBy={bill.submitted_by_name}
          askedById={bill.submitted_by_id} />)}
      {over && (
        <Callout tone="warn" title="Above the approval limit">
          {`The unpaid bills of ${bill.vendor_name} come to ${
            formatAmount(bill.unpaid_minor, bill.functional_currency)}. `
            + `Above ${formatAmount(bill.limit_minor, bill.functional_currency)} an administrator approves.`}
        </Callout>)}
      {bill.decline_reason !== null && (
        <Callout tone="warn" title={`Declined by ${bill.declined_by_name ?? 'a colleague'}`}>
          {bill.decline_reason}</Callout>)}
      {bill.hold_reason !== null && <Callout tone="warn" title="On hold">{bill.hold_reason}</Callout>}
      {bill.void_reason !== null && (
        <Callout tone="info" title={`Voided ${formatDay(bill.voided_on)}`}>{bill.void_reason}</Callout>)}
    </>
  );
}

function Body({ bill }: { bill: BillDetail }) {
  const isPosted = bill.transaction_id !== null;
  return (
    <PageContent record fullWidth>
      <Notices bill={bill} />
      <StatStrip label="Amounts owed" stats={[
        { label: `Net, ${bill.currency}`, value: <Money minor={bill.net_minor} /> },
        { label: 'Tax', sign: '+', value: <Money minor={bill.tax_minor} /> },
        { label: 'Total', sign: '=', strong: !isPosted, value: <Money minor={bill.total_minor} /> },
        ...(isPosted && bill.state !== 'void' ? [
          { label: bill.kind === 'credit' ? 'Applied' : 'Settled', sign: '−' as const,
            value: <Money minor={bill.total_minor - bill.open_minor} /> },
          { label: 'Open', sign: '=' as const, strong: true, value: <Money minor={bill.open_minor} /> }] : []),
      ]} />
      <Section title="About this bill"><Facts bill={bill} /></Section>
      <Section title="Lines" count={bill.lines.length}>
        <DataTable label="Lines" variant="record" columns={lineColumns} rows={bill.lines} rowKey={(row) => row.id} />
      </Section>
      {bill.boxes.length > 0 && (
        <Section title="VAT return" description="Amounts of this bill by box of the return">
          <KeyValue facts={bill.boxes.map(({ box, amount_minor }) => ({ label: `Box ${box}`,
            value: <Money minor={amount_minor} /> }))} />
        </Section>)}
      {isPosted && <Settlements bill={bill} />}
    </PageContent>
  );
}

function Facts({ bill }: { bill: BillDetail }) {
  const may = useMay();
  const posting = (id: number | null, label: string, words: string) => id !== null && may('transaction.view') && {
    label, value: <AppLink className="gr-link" href={`/admin/accounting/transactions/${id}`}>{words}</AppLink> };
  return (
    <KeyValue facts={[
      { label: 'Date of the bill', value: formatDay(bill.billed_on) },
      { label: 'Received', value: formatDay(bill.received_on) },
      { label: 'Due', value: formatDay(bill.due_on) },
      bill.discount_until !== null && { label: 'Discount',
        value: `${formatAmount(bill.discount_minor, bill.currency)} until ${formatDay(bill.discount_until)}` },
      bill.functional_rate !== null && { label: 'Exchange rate', value: bill.functional_rate },
      bill.schedule_id !== null && { label: 'Made by', value: <AppLink className="gr-link"
        href={`${SCHEDULES}/${bill.schedule_id}`}>Recurring bill {bill.schedule_name}</AppLink> },
      bill.entered_by_name !== null && { label: 'Entered by', value: bill.entered_by_name },
      bill.submitted_by_name !== null && { label: 'Submitted by', value: bill.submitted_by_name },
      bill.approved_by_name !== null && { label: 'Approved by', value: <>{bill.approved_by_name},{' '}
        <DateText value={bill.approved_at} /></> },
      posting(bill.transaction_id, 'Posting', 'See the posting'),
      posting(bill.reversal_id, 'Reversal', 'See the reversal'),
      bill.memo !== '' && { label: 'Note', value: bill.memo },
    ]} />
  );
}

const TREATMENTS: Readonly<Record<BillLine['treatment'], string | null>> = { none: null, recoverable: null,
  cost: 'in the expense', reverse_charge: 'reverse charge', use_tax: 'we owe it' };
const lineColumns: readonly Column<BillLine>[] = [
  { id: 'description', header: 'Description', kind: 'title', cell: (row) => row.description, fixed: true, width: 240 },
  { id: 'account', header: 'Account', kind: 'text', cell: (row) => row.account, width: 220 },
  { id: 'for', header: 'For', kind: 'muted', width: 200, cell: (row) => [row.show_title, row.license_number,
    row.material_name ?? row.item_name, row.receipt_number].filter((part) => part !== null).join(' · ') },
  { id: 'quantity', header: 'Quantity', kind: 'number', cell: (row) => row.quantity, width: 90 },
  { id: 'net', header: 'Net', kind: 'money', cell: (row) => BigInt(row.net_minor), width: 120 },
  { id: 'code', header: 'Tax code', kind: 'muted', width: 170, cell: (row) => [row.tax_code, TREATMENTS[row.treatment]]
    .filter((part) => part !== null).join(', ') },
  { id: 'tax', header: 'Tax', kind: 'money', cell: (row) => BigInt(row.tax_minor), width: 110 },
];

type Settlement = BillDetail['settlements'][number];
const isKind = (kind: string | null): kind is DocumentKind => kind !== null
  && (DOCUMENT_KINDS as readonly string[]).includes(kind);

function Settlements({ bill }: { bill: BillDetail }) {
  const may = useMay();
  const takeOff = useAction(billEndpoints.takeOffCredit, { done: 'Vendor credit taken off',
    refresh: [billEndpoints.list, billEndpoints.payable] });
  const columns: readonly Column<Settlement>[] = [
    { id: 'document', header: 'Document', kind: 'title', width: 260, cell: (row) => {
      const { document_type: kind, document_id: id } = row;
      return isKind(kind) && id !== null
        ? <AppLink className="gr-link" href={pageOf({ kind, id, number: row.number })}>
          {nameOf({ kind, id, number: row.number })}</AppLink>
        : row.transaction_number ?? 'Journal';
    } },
    { id: 'on', header: 'On', kind: 'date', cell: (row) => row.on, width: 120 },
    { id: 'amount', header: 'Amount', kind: 'money', cell: (row) => BigInt(row.amount_minor), width: 130 },
    ...(bill.settlements.some((row) => row.withheld_minor > 0) ? [{ id: 'withheld', kind: 'money' as const, width: 200,
      header: 'Tax withheld by the payment', cell: (row: Settlement) => (row.withheld_minor === 0 ? ''
        : BigInt(row.withheld_minor)) }] : []),
    ...(may('payment.updateStatus') ? [{ id: 'off', header: 'Unapply', kind: 'actions' as const, width: 120,
      cell: (row: Settlement) => row.application_id !== null && (
        <Button size="small" variant="quiet" pending={takeOff.pending} onClick={() => void takeOff.run({
          params: { id: bill.id, applicationId: row.application_id! } })}>Unapply</Button>) }] : []),
  ];
  return (
    <Section title={bill.kind === 'credit' ? 'Applied to' : 'Payments and credits'} count={bill.settlements.length}>
      {bill.state === 'paid' && <p><Badge tone="ok" small>Nothing is open</Badge></p>}
      <DataTable label="Payments and credits" variant="record" columns={columns} rows={bill.settlements}
        rowKey={(row) => row.id} empty={{ title: 'Nothing yet', text: bill.kind === 'credit'
          ? 'Apply it from the page of a bill.' : 'Payments and vendor credits appear here.' }} />
    </Section>
  );
}
