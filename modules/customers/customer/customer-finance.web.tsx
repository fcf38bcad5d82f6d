/** A customer's money at a glance (RT120): balances and ages, terms, deposits, tax and what exempts from it. */
import { spell } from '#kernel/text/english.ts';
import { approvalEndpoints } from '#modules/approvals/approval.contract.ts';
import { AgeBar } from '#web/charts/age-bar.tsx';
import { agingEndpoints, type CustomerFinance as Finance } from '#modules/receivables/aging/aging.contract.ts';
import { CERTIFICATE_KIND_NAMES, CERTIFICATE_STATE_NAMES, CERTIFICATE_TONES, certificateEndpoints, type CertificateRow }
  from '#modules/taxation/exemption-certificates/exemption-certificate.contract.ts';
import { jurisdictionName } from '#modules/taxation/jurisdiction.contract.ts';
import { Approvers } from '#web/data/approvers.tsx';
import { Badge } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { NotLoaded } from '#web/data/not-loaded.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { SealedSection } from '#web/layout/sealed-section.tsx';
import { AppLink } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { customerBankEndpoints } from './customer-bank.contract.ts';
import { CustomerFrame, type CustomerRow } from './customer-frame.web.tsx';
import { POLICY_LABELS } from './customer-labels.web.ts';

type Account = Finance['accounts'][number];
type Deposit = Finance['deposits'][number];
interface Props { customer: CustomerRow; finance: Finance }

const accountColumns: readonly Column<Account>[] = [
  { id: 'division', header: 'Division', kind: 'title', cell: (row) => row.division, width: 90, fixed: true },
  { id: 'currency', header: 'Currency', kind: 'muted', cell: (row) => row.currency, width: 90 },
  { id: 'invoiced', header: 'Invoiced', kind: 'money', cell: (row) => row.invoiced_minor, width: 120 },
  { id: 'credited', header: 'Credited', kind: 'money', cell: (row) => row.credited_minor, width: 120 },
  { id: 'paid', header: 'Paid', kind: 'money', cell: (row) => row.paid_minor, width: 120 },
  { id: 'written_off', header: 'Written off', kind: 'money', cell: (row) => row.written_off_minor, width: 110 },
  { id: 'on_account', header: 'On account', kind: 'money', cell: (row) => row.on_account_minor, width: 110 },
  { id: 'deposits', header: 'Deposits held', kind: 'money', cell: (row) => row.deposits_held_minor, width: 120 },
  { id: 'open', header: 'Open', kind: 'money', cell: (row) => row.open_minor, width: 120 },
  { id: 'overdue', header: 'Overdue', kind: 'money', cell: (row) => row.overdue_minor, width: 120 },
  { id: 'requested', header: 'Requested', kind: 'money', cell: (row) => row.requested_minor, width: 120 },
];

const HOW_IT_ADDS_UP = 'Invoiced less credited, paid and written off equals open less on account. '
  + 'Requested is the total of open pro formas and deposits, which are not owed yet.';

function Balances({ finance }: Props) {
  return (
    <Section title="Balances" description={HOW_IT_ADDS_UP}>
      <DataTable label="Balances" rows={finance.accounts} columns={accountColumns} variant="record"
        rowKey={(row) => row.division + row.currency}
        empty={{ title: 'Nothing was billed yet', text: 'Invoices of this customer are summed up here.' }} />
    </Section>
  );
}

const AGE_LABELS: Record<Account['ages'][number]['bucket'], string> = {
  current: 'Not due', days_1_30: '1–30 days', days_31_60: '31–60 days', days_61_90: '61–90 days',
  days_91: 'Over 90 days',
};

function Ages({ customer, finance }: Props) {
  const open = finance.accounts.filter((account) => account.open_minor > 0);
  if (open.length === 0) return null;
  return (
    <Section title="Open by age" right={(
      <AppLink className="gr-link" href={`/admin/customers/${customer.id}/transactions`}>All transactions</AppLink>)}>
      {open.map((account) => (
        <AgeBar key={account.division + account.currency} label={`Open by age, ${account.division}`}
          currency={account.currency} total={account.ages.reduce((sum, age) => sum + age.count, 0)}
          buckets={account.ages.map((age) => ({ label: AGE_LABELS[age.bucket],
            count: age.count, minor: age.minor, href: `/admin/accounts-receivable/invoices?division=${
              account.division}&currency=${account.currency}&customer_id=${customer.id}&due=${age.bucket}` }))} />
      ))}
    </Section>
  );
}

function Terms({ customer, finance }: Props) {
  const limit = finance.credit_limit_minor;
  return (
    <Section title="Terms" right={(
      <AppLink className="gr-link" href={`/admin/customers/${customer.id}/information`}>Change</AppLink>)}>
      {finance.credit_hold && (
        <Callout tone="error" title="Credit hold">
          {finance.credit_hold_reason ?? 'New offers wait until it is lifted.'}
        </Callout>
      )}
      <KeyValue facts={[
        { label: 'Time to pay', value: finance.payment_terms_days === 0 ? 'At once'
          : `${finance.payment_terms_days} days` },
        { label: 'Credit limit', value: limit === null ? 'None set'
          : formatAmount(limit, customer.default_currency) },
        { label: 'Purchase orders', value: customer.purchase_orders_accepted ? 'Accepted' : 'Not accepted' },
        customer.execution_policy_default !== null && { label: spell`A license takes effect when`,
          value: POLICY_LABELS[customer.execution_policy_default] },
      ]} />
    </Section>
  );
}

const HOW_REFUNDS_GO = spell`Refunds go by check until an account is entered, on the customer’s written instruction,
  and verified by a second person. It is stored encrypted; only its last characters are shown.`;

/** Refunds go by check until there is a verified account. */
function RefundAccount({ customer }: { customer: CustomerRow }) {
  const may = useMay();
  const read = useEndpoint(customerBankEndpoints.bank, { params: { id: customer.id } });
  const row = read.data?.data;
  if (!row) return null;
  return (
    <SealedSection row={row} endpoints={{ ...customerBankEndpoints, list: customerBankEndpoints.bank }}
      mayWrite={may('customer.update')} title="Bank details for refunds" hint={HOW_REFUNDS_GO}
      approvers={<Approvers endpoint={approvalEndpoints.approvers} kind="customer_bank"
        askedById={row.bank_written_by_id} />} />
  );
}

const DEPOSIT_KINDS = { security: 'Security', on_account: 'On account' } as const;
const DEPOSIT_STATES = { requested: 'Asked for', held: 'Held', settled: 'Settled',
  cancelled: spell`Canceled` } as const;
const DEPOSIT_TONES = { requested: 'warn', held: 'info', settled: 'ok', cancelled: 'neutral' } as const;
const depositColumns: readonly Column<Deposit>[] = [
  { id: 'title', header: 'Production', kind: 'title', cell: (row) => row.title, width: 240, fixed: true },
  { id: 'license', header: 'Number', kind: 'code', cell: (row) => row.license_number, width: 130 },
  { id: 'kind', header: 'Kind', kind: 'muted', cell: (row) => DEPOSIT_KINDS[row.kind], width: 110 },
  { id: 'status', header: 'Status', kind: 'badge', width: 110,
    cell: (row) => <Badge tone={DEPOSIT_TONES[row.status]} small>{DEPOSIT_STATES[row.status]}</Badge> },
  { id: 'currency', header: 'Currency', kind: 'muted', cell: (row) => row.currency, width: 90 },
  { id: 'amount', header: 'Amount', kind: 'money', cell: (row) => row.amount_minor, width: 120 },
  { id: 'remaining', header: 'Still held', kind: 'money', width: 120,
    cell: (row) => row.status === 'held' ? row.remaining_minor : null },
];

function Deposits({ customer, finance }: Props) {
  const may = useMay();
  if (finance.deposits.length === 0) return null;
  return (
    <Section title="Deposits" count={finance.deposits.length}>
      <DataTable label="Deposits" rows={finance.deposits} columns={depositColumns} variant="record"
        rowKey={(row) => row.id}
        {...(may('license.show') && {
          rowHref: (row: Deposit) => `/admin/customers/${customer.id}/productions/${row.license_id}` })} />
    </Section>
  );
}

const certificateColumns: readonly Column<CertificateRow>[] = [
  { id: 'jurisdiction', header: 'Valid in', kind: 'title', cell: (row) => jurisdictionName(row.jurisdiction),
    width: 140, fixed: true },
  { id: 'kind', header: 'Kind', kind: 'muted', cell: (row) => CERTIFICATE_KIND_NAMES[row.kind], width: 120 },
  { id: 'number', header: 'Number', kind: 'code', cell: (row) => row.number, width: 160 },
  { id: 'until', header: 'Until', kind: 'date', cell: (row) => row.expires_on, width: 120 },
  { id: 'state', header: 'Status', kind: 'badge', width: 120,
    cell: (row) => <Badge tone={CERTIFICATE_TONES[row.state]} small>{CERTIFICATE_STATE_NAMES[row.state]}</Badge> },
];

function Tax({ customer }: Props) {
  const may = useMay();
  const read = useEndpoint(certificateEndpoints.list, { params: { id: customer.id } },
    { enabled: may('customer.show') });
  const rows = read.data?.data ?? [];
  return (
    <Section title="Tax" right={may('customer.show') && (
      <AppLink className="gr-link" href={`/admin/customers/${customer.id}/tax`}>Tax and certificates</AppLink>)}>
      <KeyValue facts={[
        { label: 'Tax country', value: customer.tax_country ?? customer.billing_address?.country_code
          ?? 'Unknown: enter a billing address' },
        { label: 'Buys as', value: customer.is_business ? 'Business' : 'Consumer' },
        customer.vat_number !== null && { label: 'VAT number', value: customer.vat_number },
        rows.length === 0 && read.data !== undefined && { label: 'Exemption', value: 'No certificate' },
      ]} />
      {rows.length > 0 && (
        <DataTable label="Exemption certificates" rows={rows} columns={certificateColumns} variant="record"
          rowKey={(row) => row.id} />
      )}
    </Section>
  );
}

function FinanceOf({ customer }: { customer: CustomerRow }) {
  const read = useEndpoint(agingEndpoints.finance, { params: { id: customer.id } });
  if (read.isError && !read.data) {
    return (
      <PageContent record>
        <NotLoaded title="The figures did not load" read={read} />
      </PageContent>
    );
  }
  const finance = read.data?.data;
  return (
    <PageContent record fullWidth>
      {!finance && [240, 420, 360].map((width) => <p key={width}><Skeleton width={width} height={16} /></p>)}
      {finance && (
        <>
          <Balances customer={customer} finance={finance} />
          <Ages customer={customer} finance={finance} />
          <Terms customer={customer} finance={finance} />
          <RefundAccount customer={customer} />
          <Deposits customer={customer} finance={finance} />
          <Tax customer={customer} finance={finance} />
        </>
      )}
    </PageContent>
  );
}

export default function CustomerFinance() {
  return <CustomerFrame fullWidth>{(customer) => <FinanceOf customer={customer} />}</CustomerFrame>;
}
