/** Statement of account: what was billed and paid between two days, one table per currency. */
import { Download } from 'lucide-react';
import { useState } from 'react';
import { urlOf } from '#kit/client.ts';
import type { AccountStatement } from '#modules/receivables/aging/aging.contract.ts';
import { portalInvoiceEndpoints } from '#modules/receivables/portal/portal-invoice.contract.ts';
import { DateField } from '#web/controls/date-field.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { EmptyState } from '#web/data/empty-state.tsx';
import { formatAmount, Money } from '#web/data/money.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { Card } from '#web/layout/portal-shell.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { PortalHead, Reading, usePortal } from './portal-parts.web.tsx';
import styles from './portal.module.css';

type Account = AccountStatement['accounts'][number];

const LINES: Record<Account['lines'][number]['kind'], string> = {
  invoice: 'Invoice', credit_note: 'Credit note', receipt: 'Payment', refund: 'Refund', other: 'Correction',
};

function AccountTable({ account, from, to }: { account: Account; from: string; to: string }) {
  return (
    <Card title={`In ${account.currency}`}>
      <table className={styles.table}>
        <caption className="gr-hidden">Movements in {account.currency}</caption>
        <thead>
          <tr><th scope="col">Day</th><th scope="col">What</th><th scope="col" data-num>Amount</th>
            <th scope="col" data-num>Balance</th></tr>
        </thead>
        <tbody>
          <tr><td data-label="Day">{formatDay(from)}</td><th scope="row">Balance brought forward</th><td />
            <td data-num data-label="Balance"><Money minor={account.opening_minor} /></td></tr>
          {account.lines.map((line, index) => (
            <tr key={`${index}${line.document_id}`}>
              <td data-label="Day">{formatDay(line.on)}</td>
              <th scope="row">{LINES[line.kind]}{line.number && ` ${line.number}`}</th>
              <td data-num data-label="Amount"><Money minor={line.amount_minor} /></td>
              <td data-num data-label="Balance"><Money minor={line.balance_minor} /></td>
            </tr>
          ))}
          <tr><td data-label="Day">{formatDay(to)}</td><th scope="row"><strong>Balance</strong></th><td />
            <td data-num data-label="Balance">
              <strong>{formatAmount(account.closing_minor, account.currency)}</strong></td></tr>
        </tbody>
      </table>
    </Card>
  );
}

export default function Statement() {
  const { customerId, base } = usePortal();
  const [from, setFrom] = useState<string | null>(null);
  const [to, setTo] = useState<string | null>(null);
  const query = { ...(from && { from }), ...(to && { to }) };
  const read = useEndpoint(portalInvoiceEndpoints.statement, { params: { id: customerId }, query });
  const shown = read.data?.data;
  const text = new URLSearchParams(query).toString();
  const address = urlOf(portalInvoiceEndpoints.statementDocument, { id: customerId }) + (text ? `?${text}` : '');
  return (
    <>
      <PortalHead title="Statement of account" back={{ href: `${base}/transactions`, text: 'Payments' }}
        facts={[shown && `${formatDay(shown.from)} to ${formatDay(shown.to)}`]}>
        <ButtonLink href={address} download="statement-of-account.pdf" icon={<Glyph icon={Download} />}>
          PDF</ButtonLink>
      </PortalHead>
      <Card>
        <div className={styles.fields}>
          <DateField label="From" value={from ?? shown?.from ?? null} onChange={setFrom} />
          <DateField label="To" value={to ?? shown?.to ?? null} onChange={setTo} />
        </div>
      </Card>
      <Reading read={read}>
        {({ data }) => (data.accounts.length === 0
          ? <Card><EmptyState title="Nothing in these days" text="No invoice was written and no payment came in." />
            </Card>
          : data.accounts.map((account) => (
            <AccountTable key={account.division + account.currency} account={account} from={data.from} to={data.to} />
          )))}
      </Reading>
    </>
  );
}
