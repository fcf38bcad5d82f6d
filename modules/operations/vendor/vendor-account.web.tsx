/** The money of a vendor: open bills by age, every movement with the balance after it, a statement as of a day. */
import { urlOf } from '#kit/client.ts';
import { billEndpoints, type BillRow } from '#modules/payables/bill/bill.contract.ts';
import { vendorAccountEndpoints, type VendorAccount, type VendorMove, type VendorMoveKind, type VendorOpenItem,
  type VendorStatement, type VendorSummary } from '#modules/payables/vendor-account/vendor-account.contract.ts';
import type { AgingBucket } from '#kernel/receivables/aging.ts';
import { spell } from '#kernel/text/english.ts';
import { AgeBar } from '#web/charts/age-bar.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { EmptyState, Skeleton } from '#web/data/empty-state.tsx';
import { formatAmount, Money } from '#web/data/money.tsx';
import { NotLoaded } from '#web/data/not-loaded.tsx';
import { Section } from '#web/layout/page-content.tsx';
import { StatStrip, type Stat } from '#web/layout/stat-strip.tsx';
import { useQueryValues } from '#web/navigation/navigation.tsx';
import { PdfLink } from '#web/pdf/pdf-link.tsx';
import { useEndpoint, useList } from '#web/query/use-endpoint.ts';
import { useLoadedRows } from '#web/query/use-loaded-rows.ts';
import { VendorFrame, VENDORS } from './vendor-frame.web.tsx';
import type { VendorRow } from './vendor.contract.ts';
import styles from './vendor-account.module.css';

const BILLS = '/admin/accounting/bills';
const AGES: Record<AgingBucket, string> = { current: 'Not due', days_1_30: '1 to 30 days',
  days_31_60: '31 to 60 days', days_61_90: '61 to 90 days', days_91: '91 days and over' };
const keyOf = (account: { division: string; currency: string }): string => `${account.division} ${account.currency}`;
const nameOf = (account: { division: string; currency: string }): string =>
  `${account.division}, ${account.currency}`;
const bars = [480, 420, 440].map((width) => <p key={width}><Skeleton width={width} height={18} /></p>);

/** Whether the open items come to the vendor's part of accounts payable. */
function Tie({ account }: { account: VendorAccount }) {
  return (
    <Badge tone={account.ties ? 'ok' : 'error'} small title={`Open items ${formatAmount(account.total_minor,
      account.currency)}, accounts payable ${formatAmount(account.ledger_minor, account.currency)}`}>
      {account.ties ? 'Reconciles to the ledger' : 'Differs from the ledger'}
    </Badge>
  );
}

function totalsOf(account: VendorAccount): Stat[] {
  return [
    { label: 'Open', value: <Money minor={account.open_minor} /> },
    ...(account.unapplied_minor === 0 ? [] : [{ label: 'Credits', sign: '−' as const,
      value: <Money minor={-account.unapplied_minor} /> }]),
    { label: `Owed in ${account.currency}`, sign: '=', strong: true,
      value: formatAmount(account.total_minor, account.currency) },
    { label: 'Overdue', value: <Money minor={account.overdue_minor} />,
      ...(account.overdue_minor > 0 ? { tone: 'error' as const } : {}) },
  ];
}

function Totals({ statement }: { statement: VendorStatement }) {
  return statement.accounts.map((account) => (
    <StatStrip key={keyOf(account)} label={`Owed, ${nameOf(account)}`} stats={totalsOf(account)}
      action={<Tie account={account} />} />
  ));
}

const billColumns: readonly Column<BillRow>[] = [
  { id: 'number', header: 'Number', kind: 'title', cell: (row) => row.number, sort: true, fixed: true, width: 190 },
  { id: 'vendor_number', header: 'Vendor’s number', kind: 'code', cell: (row) => row.vendor_number, width: 170 },
  { id: 'billed_on', header: 'Billed', kind: 'date', cell: (row) => row.billed_on, sort: true, width: 120 },
  { id: 'due_on', header: 'Due', kind: 'date', cell: (row) => row.due_on, sort: true, width: 120 },
  { id: 'total_minor', header: 'Total', kind: 'money', cell: (row) => BigInt(row.total_minor), sort: true, width: 130 },
  { id: 'open_minor', header: 'Open', kind: 'money', cell: (row) => BigInt(row.open_minor), sort: true, width: 130 },
  { id: 'currency', header: 'Currency', kind: 'code', cell: (row) => row.currency, width: 90 },
  { id: 'hold', header: 'On hold', kind: 'muted', cell: (row) => row.hold_reason, width: 180 },
];

function Ages({ statement }: { statement: VendorStatement }) {
  return statement.accounts.filter((account) => account.open_minor > 0).map((account) => (
    <Section key={keyOf(account)} title={`By age, ${nameOf(account)}`}>
      <AgeBar label={`Open bills by age, ${nameOf(account)}`} currency={account.currency} countLabel="Bills"
        total={account.ages.reduce((all, age) => all + age.count, 0)}
        buckets={account.ages.map((age) => ({ label: AGES[age.bucket], count: age.count, minor: age.minor }))} />
    </Section>
  ));
}

function OpenBills({ vendor }: { vendor: VendorRow }) {
  const read = useEndpoint(vendorAccountEndpoints.statement, { params: { id: vendor.id } });
  const list = useList(billEndpoints.payable, { query: { vendor_id: vendor.id } }, { perPage: 25 });
  const statement = read.data?.data;
  if (!statement && !read.isError) return bars;
  return (
    <>
      <div className={styles.stack}>
        {read.isError && !statement && <NotLoaded title="The balances could not be loaded" read={read} />}
        {statement && <Totals statement={statement} />}
      </div>
      {statement && <Ages statement={statement} />}
      <DataTable label="Open bills" {...list} columns={billColumns} variant="record" rowKey={(row) => row.id}
        rowHref={(row) => `${BILLS}/${row.id}`} searchPlaceholder="Number or note"
        empty={{ title: 'No open bills', text: 'Approved bills of this vendor appear here until they are paid. Enter '
          + 'bills under Accounting, Bills.' }} />
    </>
  );
}

const MOVES: Record<VendorMoveKind, string> = { bill: 'Bill', credit: 'Vendor credit', payment: 'Payment',
  check: spell`Check`, returned: 'Returned payment', void: 'Voided bill', other: 'Journal' };
const MANY: Record<VendorMoveKind, string> = { bill: 'Bills', credit: 'Vendor credits', payment: 'Payments',
  check: spell`Checks`, returned: 'Returned payments', void: 'Voided bills', other: 'Journals' };

/** Link of a line: its bill, check or payment, else the transaction that posted it. */
function documentOf(row: VendorMove): string {
  if (row.bill_id !== null) return `${BILLS}/${row.bill_id}`;
  if (row.check_id !== null) return `/admin/checking/${row.check_id}/information`;
  if (row.payment_id !== null) return `/admin/accounts-payable/payments/${row.payment_id}`;
  return `/admin/accounting/transactions/${row.transaction_id}/information?division=${row.division}`;
}

const moveColumns: readonly Column<VendorMove>[] = [
  { id: 'on', header: 'Day', kind: 'date', cell: (row) => row.on, sort: true, width: 120 },
  { id: 'kind', header: 'Document', kind: 'title', width: 260, fixed: true,
    cell: (row) => `${MOVES[row.kind]} ${row.number}` },
  { id: 'reference', header: spell`Vendor’s or check number`, kind: 'code', width: 170,
    cell: (row) => row.reference },
  { id: 'division', header: 'Division', kind: 'muted', cell: (row) => row.division, width: 90 },
  { id: 'due', header: 'Due', kind: 'date', cell: (row) => row.due_on, width: 120 },
  { id: 'currency', header: 'Currency', kind: 'code', cell: (row) => row.currency, width: 90 },
  { id: 'amount', header: 'Amount', kind: 'money', cell: (row) => BigInt(row.amount_minor), width: 130 },
  { id: 'balance', header: 'Balance', kind: 'money', cell: (row) => BigInt(row.balance_minor), width: 130 },
];
const moveFilters = [
  { name: 'kind', label: 'Document', options: optionsOf(MANY) },
  { name: 'currency', label: 'Currency', options: optionsOf({ USD: 'USD', GBP: 'GBP', EUR: 'EUR' }) },
];

/** Brought forward, each kind of movement, and what is owed after them; what is 0 stays out. */
function movementsOf(account: VendorSummary, behind: (kind: VendorMoveKind) => string): Stat[] {
  const parts = (Object.keys(MANY) as VendorMoveKind[]).filter((kind) => account[`${kind}_minor`] !== 0);
  return [
    { label: 'Opening balance', value: <Money minor={account.opening_minor} /> },
    ...parts.map((kind): Stat => ({ label: MANY[kind], value: <Money minor={Math.abs(account[`${kind}_minor`])} />,
      sign: account[`${kind}_minor`] < 0 ? '−' : '+', href: behind(kind) })),
    { label: `Owed in ${account.currency}`, value: formatAmount(account.closing_minor, account.currency), sign: '=',
      strong: true },
  ];
}

function Transactions({ vendor }: { vendor: VendorRow }) {
  const { values, set } = useQueryValues();
  const [from, to] = [values.get('from'), values.get('to')];
  const range = { ...(from && { from }), ...(to && { to }) };
  const list = useList(vendorAccountEndpoints.transactions, { params: { id: vendor.id }, query: range },
    { filters: ['kind', 'currency'] });
  const read = useEndpoint(vendorAccountEndpoints.transactions,
    { params: { id: vendor.id }, query: { ...range, per_page: 1 } });
  return (
    <>
      <div className={styles.stack}>
        <div className={styles.range}>
          <DateField label="From" value={from} onChange={(day) => set({ from: day, page: null })} />
          <DateField label="To" value={to} onChange={(day) => set({ to: day, page: null })} />
        </div>
        {(read.data?.accounts ?? []).map((account) => (
          <StatStrip key={keyOf(account)} label={`Account, ${nameOf(account)}`} stats={movementsOf(account, (kind) =>
            `${VENDORS}/${vendor.id}/transactions?${new URLSearchParams({ ...range, kind,
              currency: account.currency })}`)} />
        ))}
      </div>
      <DataTable label="Transactions" {...list} columns={moveColumns} filters={moveFilters} variant="record"
        rowKey={(row) => row.id} rowHref={documentOf} searchPlaceholder={spell`Number, or number of a check`}
        empty={{ title: 'Nothing was billed or paid yet', text: 'Bills, credits and payments appear here once they '
          + 'are posted. Enter a bill under Accounting, Bills.' }} />
    </>
  );
}

const itemColumns: readonly Column<VendorOpenItem>[] = [
  { id: 'opened_on', header: 'Day', kind: 'date', cell: (row) => row.opened_on, width: 120 },
  { id: 'document', header: 'Document', kind: 'title', cell: (row) => row.document, fixed: true, width: 220 },
  { id: 'reference', header: 'Vendor’s number', kind: 'code', cell: (row) => row.reference, width: 160 },
  { id: 'due_on', header: 'Due', kind: 'date', cell: (row) => (row.open_minor > 0 ? row.due_on : null), width: 120 },
  { id: 'days_late', header: 'Days overdue', kind: 'number', cell: (row) => row.days_late || '', width: 120 },
  { id: 'original', header: 'Amount', kind: 'money', cell: (row) => BigInt(row.original_minor), width: 130 },
  { id: 'open', header: 'Open', kind: 'money', cell: (row) => BigInt(row.open_minor), width: 130 },
  { id: 'hold', header: 'On hold', kind: 'muted', cell: (row) => row.hold_reason, hidden: true, width: 180 },
];

function StatementTable({ account }: { account: VendorAccount }) {
  const readPage = useLoadedRows(account.items);
  return (
    <Section title={nameOf(account)} right={<Tie account={account} />}>
      <StatStrip label={`Owed, ${nameOf(account)}`} stats={totalsOf(account)} />
      <DataTable label={`Open items, ${nameOf(account)}`} columns={itemColumns} rows={account.items}
        readPage={readPage} variant="record" rowKey={(row) => row.id} rowHref={(row) => (row.bill_id === null
          ? `/admin/accounting/transactions/${row.transaction_id}/information?division=${account.division}`
          : `${BILLS}/${row.bill_id}`)}
        empty={{ title: 'Nothing is open', text: 'Everything billed until this day was paid or credited.' }} />
    </Section>
  );
}

function Statement({ vendor }: { vendor: VendorRow }) {
  const { values, set } = useQueryValues();
  const asOf = values.get('as_of');
  const query = asOf ? { as_of: asOf } : {};
  const read = useEndpoint(vendorAccountEndpoints.statement, { params: { id: vendor.id }, query });
  const statement = read.data?.data;
  const text = new URLSearchParams(query).toString();
  return (
    <>
      <p data-print="only">As of {formatDay(statement?.as_of ?? asOf)}</p>
      <div className={styles.range} data-print="hide">
        <DateField label="As of" value={statement?.as_of ?? asOf} onChange={(day) => set({ as_of: day })} />
        <PdfLink title={`Statement of ${vendor.name}`} fileName={`statement-${vendor.number}.pdf`}
          href={urlOf(vendorAccountEndpoints.statementDocument, { id: vendor.id }) + (text && `?${text}`)}>
          Statement as PDF</PdfLink>
      </div>
      {read.isError && !statement && <NotLoaded title="The statement could not be made" read={read} />}
      {!statement && !read.isError && bars}
      {statement?.accounts.length === 0 && (
        <EmptyState title="Nothing was billed or paid until this day" text="Choose a later day." />
      )}
      {statement?.accounts.map((account) => <StatementTable key={keyOf(account)} account={account} />)}
    </>
  );
}

export default function VendorOpenBills() {
  return <VendorFrame tab="bills">{(vendor) => <OpenBills vendor={vendor} />}</VendorFrame>;
}

export function VendorTransactions() {
  return <VendorFrame tab="transactions">{(vendor) => <Transactions vendor={vendor} />}</VendorFrame>;
}

export function VendorStatementPage() {
  return <VendorFrame tab="statement">{(vendor) => <Statement vendor={vendor} />}</VendorFrame>;
}
