/** Statement of account: what was billed and paid between two days, one table per currency. */
import { Download } from 'lucide-react';
import { useState } from 'react';
import { urlOf } from '#kit/client.ts';
import { setOffWords, type AccountStatement } from '#modules/receivables/aging/aging.contract.ts';
import { portalInvoiceEndpoints } from '#modules/receivables/portal/portal-invoice.contract.ts';
import { minorToDecimal } from '#kernel/money/money.ts';
import { Button } from '#web/controls/button/button.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { csvText, fileNameOf, saveFile } from '#web/data/csv-file.ts';
import { daySpan, formatDay } from '#web/data/date-text.tsx';
import { EmptyState } from '#web/data/empty-state.tsx';
import { formatAmount, Money } from '#web/data/money.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { Card } from '#web/layout/portal-shell.tsx';
import { AppLink } from '#web/navigation/navigation.tsx';
import { PdfLink } from '#web/pdf/pdf-link.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { balanceWords, depositKind, depositWords, moveHref, moveKind, moveWords } from './money-words.web.ts';
import { Numbered, PortalHead, QueryBoundary, usePortal } from './portal-parts.web.tsx';
import styles from './portal.module.css';

type Account = AccountStatement['accounts'][number];

/** Amount invoiced, and everything else that moved the balance: payments less amounts the bank took back. */
function sumsOf(account: Account): { invoiced: number; settled: number; lessSetOff: boolean } {
  const sum = (lines: Account['lines']) => lines.reduce((all, line) => all + line.amount_minor, 0);
  return { invoiced: sum(account.lines.filter((line) => line.kind === 'invoice')),
    settled: sum(account.lines.filter((line) => line.kind !== 'invoice')),
    lessSetOff: account.lines.some((line) => line.set_off_minor > 0) };
}

function Figures({ account }: { account: Account }) {
  const { invoiced, settled, lessSetOff } = sumsOf(account);
  return (
    <dl className={styles.figures}>
      <div><dt>Brought forward</dt><dd>{formatAmount(account.opening_minor)}</dd></div>
      <div>
        <dt>{lessSetOff ? 'Invoiced, less payments on account' : 'Invoiced'}</dt>
        <dd>{formatAmount(invoiced)}</dd>
      </div>
      <div><dt>Paid and credited</dt><dd>{formatAmount(0 - settled)}</dd></div>
      <div>
        <dt>{balanceWords(account.closing_minor)}</dt>
        <dd className={styles.balance}>{formatAmount(Math.abs(account.closing_minor), account.currency)}</dd>
      </div>
    </dl>
  );
}

/** The lines as a spreadsheet reads them: plain dates and amounts. */
function csvOf(accounts: readonly Account[]): string {
  const amount = (minor: number): string => minorToDecimal(BigInt(minor));
  return csvText(['Division', 'Currency', 'Day', 'What', 'Due', 'Amount', 'Balance'], accounts.flatMap((account) =>
    account.lines.map((line) => [account.division, account.currency, line.on, moveWords(line), line.due_on ?? '',
      amount(line.amount_minor), amount(line.balance_minor)]).concat(account.deposits.lines.map((line) => [
      account.division, account.currency, line.on, depositWords(line), '', amount(line.amount_minor), '']))));
}

function AccountTable({ account, from, to, base }: { account: Account; from: string; to: string; base: string }) {
  return (
    <Card title={`In ${account.currency}`}>
      <Figures account={account} />
      <table className={styles.moves}>
        <caption className="gr-hidden">Movements in {account.currency}</caption>
        <thead>
          <tr><th scope="col">Day</th><th scope="col">What</th><th scope="col" data-num>Amount</th>
            <th scope="col" data-num>Balance</th></tr>
        </thead>
        <tbody>
          <tr><td>{formatDay(from)}</td><th scope="row">Balance brought forward</th><td />
            <td data-num data-label="Balance"><Money minor={account.opening_minor} /></td></tr>
          {account.lines.map((line, index) => (
            <tr key={`${index}${line.document_id}`}>
              <td>{formatDay(line.on)}</td>
              <th scope="row"><Document line={line} base={base} /></th>
              <td data-num><Money minor={line.amount_minor} /></td>
              <td data-num data-label="Balance"><Money minor={line.balance_minor} /></td>
            </tr>
          ))}
          <tr><td>{formatDay(to)}</td><th scope="row"><strong>Balance</strong></th><td />
            <td data-num data-label="Balance">
              <strong>{formatAmount(account.closing_minor, account.currency)}</strong></td></tr>
        </tbody>
      </table>
      <Deposits account={account} />
    </Card>
  );
}

/** The customer's own money that the house holds: its own table, since it is no part of the balance. */
function Deposits({ account: { deposits, currency } }: { account: Account }) {
  if (deposits.opening_minor === 0 && deposits.lines.length === 0) return null;
  return (
    <section className={styles.beside}>
      <h3 className={styles.h3}>Deposits that we hold for you</h3>
      <p>They are yours until they are used, so they are not part of the balance above.</p>
      <table className={styles.moves}>
        <caption className="gr-hidden">Deposits in {currency}</caption>
        <thead>
          <tr><th scope="col">Day</th><th scope="col">What</th><th scope="col" data-num>Amount</th>
            <th scope="col" data-num>Held</th></tr>
        </thead>
        <tbody>
          {deposits.opening_minor !== 0 && (
            <tr><td /><th scope="row">Held before</th><td />
              <td data-num data-label="Held"><Money minor={deposits.opening_minor} /></td></tr>)}
          {deposits.lines.map((line, index) => (
            <tr key={`${index}${line.number}`}>
              <td>{formatDay(line.on)}</td>
              <th scope="row"><Numbered kind={depositKind(line)} number={line.number} /></th>
              <td data-num><Money minor={line.amount_minor} /></td>
              <td data-num data-label="Held"><Money minor={line.balance_minor} /></td>
            </tr>
          ))}
          <tr><td /><th scope="row"><strong>Deposits held</strong></th><td />
            <td data-num data-label="Held"><strong>{formatAmount(deposits.closing_minor, currency)}</strong></td></tr>
        </tbody>
      </table>
    </section>
  );
}

function Document({ line, base }: { line: Account['lines'][number]; base: string }) {
  const href = moveHref(line, base);
  const words = <Numbered kind={moveKind(line)} number={line.number} />;
  const less = setOffWords(line);
  return (
    <>
      {href ? <AppLink href={href} className="gr-link">{words}</AppLink> : words}
      {less !== '' && <p className={styles.small}>{less}</p>}
    </>
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
        facts={[shown && daySpan(shown.from, shown.to)]}>
        <PdfLink href={address} title="Statement of account" fileName="statement-of-account.pdf">PDF</PdfLink>
        {shown && (
          <Button icon={<Glyph icon={Download} />} onClick={() => saveFile(
            fileNameOf('Statement of account', shown.to), csvOf(shown.accounts), 'text/csv;charset=utf-8')}>
            CSV</Button>
        )}
      </PortalHead>
      <div data-print="hide">
        <Card>
          <div className={styles.fields}>
            <DateField label="From" value={from ?? shown?.from ?? null} onChange={setFrom} />
            <DateField label="To" value={to ?? shown?.to ?? null} onChange={setTo} />
          </div>
        </Card>
      </div>
      <QueryBoundary read={read}>
        {({ data }) => (data.accounts.length === 0
          ? <Card><EmptyState title="Nothing in these days" text="No invoice was written and no payment came in." />
            </Card>
          : data.accounts.map((account) => (
            <AccountTable key={account.division + account.currency} account={account} base={base} from={data.from}
              to={data.to} />
          )))}
      </QueryBoundary>
    </>
  );
}
