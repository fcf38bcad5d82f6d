/** A customer's account (RT116): what was billed and paid, each line leading to its document, and the balance. */
import { urlOf } from '#kit/client.ts';
import { spell } from '#kernel/text/english.ts';
import {
  agingEndpoints, setOffWords, type AccountLine, type AccountSummary,
} from '#modules/receivables/aging/aging.contract.ts';
import { DateField } from '#web/controls/field/date-field.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { formatAmount, Money } from '#web/data/money.tsx';
import { PageContent } from '#web/layout/page-content.tsx';
import { StatStrip, type Stat } from '#web/layout/stat-strip.tsx';
import { useQueryValues } from '#web/navigation/navigation.tsx';
import { PdfLink } from '#web/pdf/pdf-link.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint, useList } from '#web/query/use-endpoint.ts';
import { CustomerFrame, type CustomerRow } from './customer-frame.web.tsx';
import { MOVE_LABELS, choicesOf } from './customer-labels.web.ts';
import styles from './customer-account.module.css';

const RECEIVABLES = '/admin/accounts-receivable';

/** Link of a line: its invoice or receipt, else the transaction that posted it. */
function documentOf(row: AccountLine): string {
  if (row.document_id !== null && (row.kind === 'invoice' || row.kind === 'credit_note')) {
    return `${RECEIVABLES}/invoices/${row.document_id}`;
  }
  if (row.document_id !== null && ['receipt', 'returned', 'refund'].includes(row.kind)) {
    return `${RECEIVABLES}/payments/${row.document_id}`;
  }
  return `/admin/accounting/transactions/${row.transaction_id}/information?division=${row.division}`;
}

const columns: readonly Column<AccountLine>[] = [
  { id: 'on', header: 'Day', kind: 'date', cell: (row) => row.on, sort: true, width: 120 },
  { id: 'kind', header: 'What', kind: 'title', width: 220, fixed: true,
    cell: (row) => [`${MOVE_LABELS[row.kind]}${row.number ? ` ${row.number}` : ''}`, setOffWords(row)].filter(Boolean)
      .join(', ') },
  { id: 'title', header: 'Production', kind: 'muted', cell: (row) => row.license_title, width: 240 },
  { id: 'division', header: 'Division', kind: 'muted', cell: (row) => row.division, width: 90, hidden: true },
  { id: 'due', header: 'Due', kind: 'date', cell: (row) => row.due_on, width: 120 },
  { id: 'currency', header: 'Currency', kind: 'muted', cell: (row) => row.currency, width: 90 },
  { id: 'amount', header: 'Amount', kind: 'money', cell: (row) => row.amount_minor, width: 130 },
  { id: 'balance', header: 'Balance', kind: 'money', cell: (row) => row.balance_minor, width: 130 },
];
/** Of one account the sums above name the currency. */
const IN_ONE = columns.filter((column) => column.id !== 'currency');
const filters = [
  { name: 'kind', label: 'What', options: choicesOf(MOVE_LABELS) },
  { name: 'currency', label: 'Currency', options: choicesOf({ USD: 'USD', GBP: 'GBP', EUR: 'EUR' }) },
];

/** Opening + invoices − credit notes − receipts and so on = balance; what is 0 stays out. */
function statsOf(account: AccountSummary, behind: (kind: keyof typeof MOVE_LABELS) => string): Stat[] {
  const part = (label: string, minor: number, kind: keyof typeof MOVE_LABELS): Stat[] => minor === 0 ? []
    : [{ label, value: <Money minor={Math.abs(minor)} />, sign: minor < 0 ? '−' : '+', href: behind(kind) }];
  return [
    { label: 'Opening balance', value: <Money minor={account.opening_minor} /> },
    ...part(account.set_off_minor > 0 ? 'Invoices, less payments on account' : 'Invoices', account.invoiced_minor,
      'invoice'),
    ...part('Credit notes', account.credited_minor, 'credit_note'),
    ...part('Receipts', account.received_minor, 'receipt'),
    ...part('Refunds', account.refunded_minor, 'refund'),
    ...part('Returned receipts', account.returned_minor, 'returned'),
    ...part('Deposits applied', account.deposits_minor, 'deposit'),
    ...part('Written off', account.written_off_minor, 'write_off'),
    ...part('Corrections', account.other_minor, 'other'),
    { label: `Balance in ${account.currency}`, value: formatAmount(account.closing_minor, account.currency), sign: '=',
      strong: true, note: account.closing_minor < 0 ? spell`in the customer’s favor` : undefined },
  ];
}

/** The usual parts, until it is known which of them there are. */
const WAITING: readonly Stat[] = ['Opening balance', 'Invoices', 'Receipts', 'Balance'].map((label, index) => ({
  label, value: <Skeleton width={84} height={14} />, strong: index === 3,
}));

function AccountOf({ customer }: { customer: CustomerRow }) {
  const may = useMay();
  const { values, set } = useQueryValues();
  const from = values.get('from');
  const to = values.get('to');
  const range = { ...(from && { from }), ...(to && { to }) };
  const list = useList(agingEndpoints.transactions, { params: { id: customer.id }, query: range },
    { filters: ['kind', 'currency'] });
  const read = useEndpoint(agingEndpoints.transactions,
    { params: { id: customer.id }, query: { ...range, per_page: 1 } });
  const accounts = read.data?.accounts ?? [];
  const text = new URLSearchParams(range).toString();
  return (
    <PageContent record fullWidth>
      <div className={styles.stack}>
        <div className={styles.range}>
          <DateField label="From" value={from} onChange={(day) => set({ from: day, page: null })} />
          <DateField label="To" value={to} onChange={(day) => set({ to: day, page: null })} />
          {may('invoice.list') && (
            <PdfLink title={`Statement of ${customer.name}`} fileName={`statement-${customer.number}.pdf`}
              href={urlOf(agingEndpoints.statementDocument, { id: customer.id }) + (text && `?${text}`)}>
              Statement as PDF</PdfLink>
          )}
        </div>
        {read.isPending && <StatStrip label="Account" stats={WAITING} waiting />}
        {accounts.map((account) => (
          <StatStrip key={account.division + account.currency} stats={statsOf(account, (kind) =>
            `/admin/customers/${customer.id}/transactions?${new URLSearchParams({ ...range, kind,
              currency: account.currency })}`)}
            label={`Account in ${account.division}, ${account.currency}`} />
        ))}
      </div>
      <DataTable label="Transactions" {...list} columns={accounts.length > 1 ? columns : IN_ONE} filters={filters}
        variant="record" rowKey={(row) => row.id} rowHref={documentOf} searchPlaceholder="Number or production"
        empty={{ title: 'Nothing was billed or paid yet', text: 'Invoices and receipts stand here.' }} />
    </PageContent>
  );
}

export default function CustomerTransactions() {
  return <CustomerFrame fullWidth>{(customer) => <AccountOf customer={customer} />}</CustomerFrame>;
}
