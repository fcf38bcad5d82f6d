/** Amounts due and paid: the account with its movements, invoices of the organization and of a production. */
import { ChevronRight } from 'lucide-react';
import { formatRate } from '#kernel/money/money.ts';
import {
  figuresOf, setOffWords, type AccountLine, type AccountSummary,
} from '#modules/receivables/aging/aging.contract.ts';
import { portalEndpoints, type NextAction } from '#modules/licensing/portal/portal.contract.ts';
import { portalInvoiceEndpoints } from '#modules/receivables/portal/portal-invoice.contract.ts';
import { SegmentedControl } from '#web/controls/field/radio-group.tsx';
import { Badge } from '#web/data/badge.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { EmptyState, Skeleton } from '#web/data/empty-state.tsx';
import { today } from '#web/data/local-day.ts';
import { formatAmount, Money } from '#web/data/money.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { Card } from '#web/layout/portal-shell.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { AppLink, useQueryValues } from '#web/navigation/navigation.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { balanceWords, invoiceKind, invoiceState, moveHref, moveKind,
  type PortalInvoiceRow } from './money-words.web.ts';
import { Numbered, Pager, PortalHead, QueryBoundary, usePortal } from './portal-parts.web.tsx';
import { dueText, lowerFirst } from './portal-words.web.ts';
import { ProductionFrame, type ProductionProps } from './production-frame.web.tsx';
import { taskHref } from './what-next.web.tsx';
import styles from './portal.module.css';

function InvoiceItem({ row, base, showTitle }: { row: PortalInvoiceRow; base: string; showTitle: boolean }) {
  const state = invoiceState(row);
  const due = row.payable ? lowerFirst(dueText(row.due_on, today())) : '';
  const facts = [showTitle ? row.license_title : '', row.issued_on ? formatDay(row.issued_on) : '', due];
  return (
    <li>
      <AppLink href={`${base}/invoices/${row.id}`} className={styles.item}>
        <span className={styles.itemText}>
          <strong><Numbered kind={invoiceKind(row)} number={row.number} /></strong>
          <span>{facts.filter(Boolean).join(', ')}</span>
        </span>
        <span className={styles.itemSide}>
          <span className={styles.amount}>
            <strong>{formatAmount(row.total_minor, row.currency)}</strong>
            {row.balance_minor > 0 && row.balance_minor !== row.total_minor
              && <span>{formatAmount(row.balance_minor)} open</span>}
          </span>
          <Badge tone={state.tone}>{state.text}</Badge><Glyph icon={ChevronRight} size={18} />
        </span>
      </AppLink>
    </li>
  );
}

function InvoiceList({ licenseId }: { licenseId?: number }) {
  const { customerId, base } = usePortal();
  const { values } = useQueryValues();
  const read = useEndpoint(portalInvoiceEndpoints.list, {
    params: { id: customerId },
    query: { page: Number(values.get('page') ?? 1) || 1, ...(licenseId && { license_id: licenseId }) },
  });
  return (
    <QueryBoundary read={read}>
      {({ data, meta }) => (
        <Card title="Invoices and payment requests">
          {data.length === 0
            ? <EmptyState title="No invoices yet" text="Invoices and payment requests appear here." />
            : (
              <ul className={styles.list}>
                {data.map((row) => <InvoiceItem key={row.id} row={row} base={base} showTitle={!licenseId} />)}
              </ul>
            )}
          <Pager meta={meta} />
        </Card>
      )}
    </QueryBoundary>
  );
}

/** Most organisations have one account: what stands below it waits in its place. */
function StandingAwaited() {
  return (
    <Card>
      <dl className={styles.figures} aria-busy="true">
        {['Balance', 'Invoiced in all', 'Credited', 'Paid'].map((label, index) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className={index === 0 ? styles.balance : undefined}><Skeleton width={110} height={16} /></dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

/** Balance of the organization, one card per account it has with us. */
function Standing({ accounts }: { accounts: readonly AccountSummary[] }) {
  return accounts.map((account) => {
    const figures = figuresOf(account);
    return (
      <Card key={account.division + account.currency}>
        <dl className={styles.figures}>
          {figures.requested_minor > 0 && (
            <div>
              <dt>To pay now</dt>
              <dd className={styles.balance}>{formatAmount(toPay(account), account.currency)}</dd>
            </div>
          )}
          {(figures.requested_minor === 0 || account.closing_minor !== 0) && (
            <div>
              <dt>{balanceWords(account.closing_minor)}</dt>
              <dd className={styles.balance}>{formatAmount(Math.abs(account.closing_minor), account.currency)}</dd>
            </div>
          )}
          <div><dt>Invoiced in all</dt><dd>{formatAmount(figures.invoiced_minor)}</dd></div>
          <div><dt>Credited</dt><dd>{formatAmount(figures.credited_minor)}</dd></div>
          <div><dt>Paid</dt><dd>{formatAmount(figures.paid_minor)}</dd></div>
        </dl>
      </Card>
    );
  });
}

/** Deposits that are asked for stand in no list of invoices: each leads to the page that it is paid on. */
const depositsOf = (tasks: readonly NextAction[]): NextAction[] => tasks.filter((one) => one.deposit_id !== null);

function OpenDeposits() {
  const { customerId, base } = usePortal();
  const read = useEndpoint(portalEndpoints.nextActions, { params: { id: customerId } });
  const deposits = depositsOf(read.data?.data ?? []);
  if (deposits.length === 0) return null;
  return (
    <Card title="Deposits to pay">
      <ul className={styles.list}>
        {deposits.map((one) => (
          <li key={one.deposit_id}>
            <AppLink href={taskHref(base, one)} className={styles.item}>
              <span className={styles.itemText}><strong>{one.title}</strong>
                <span>{dueText(one.due_on, today())}</span></span>
              <span className={styles.itemSide}>
                <span className={styles.amount}>
                  <strong>{formatAmount(one.amount_minor ?? 0, one.currency)}</strong>
                </span>
                <Badge tone={one.overdue ? 'error' : 'warn'}>{one.overdue ? 'Overdue' : 'To pay'}</Badge>
                <Glyph icon={ChevronRight} size={18} />
              </span>
            </AppLink>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Amount requested before its invoice, plus the amount owed; a customer's credit pays it only when used. */
function toPay(account: AccountSummary): number {
  return account.requested_minor + Math.max(account.closing_minor, 0);
}

function Move({ line, base }: { line: AccountLine; base: string }) {
  const href = moveHref(line, base);
  const inside = (
    <>
      <span className={styles.itemText}>
        <strong><Numbered kind={moveKind(line)} number={line.number} /></strong>
        <span>{[formatDay(line.on), line.license_title, setOffWords(line)].filter(Boolean).join(', ')}</span>
      </span>
      <span className={styles.itemSide}>
        <span className={styles.amount}>
          <strong><Money minor={line.amount_minor} currency={line.currency} /></strong>
          <span>Balance {formatAmount(line.balance_minor)}</span>
        </span>
        {href && <Glyph icon={ChevronRight} size={18} />}
      </span>
    </>
  );
  return href
    ? <li><AppLink href={href} className={styles.item}>{inside}</AppLink></li>
    : <li className={styles.item}>{inside}</li>;
}

function Movements() {
  const { customerId, base } = usePortal();
  const { values } = useQueryValues();
  const read = useEndpoint(portalInvoiceEndpoints.transactions, { params: { id: customerId },
    query: { page: Number(values.get('page') ?? 1) || 1, per_page: 20 } });
  return (
    <QueryBoundary read={read}>
      {({ data, meta }) => (
        <Card title="Transactions">
          {data.length === 0
            ? <EmptyState title="No transactions yet"
                text="Invoices and payments appear here with the balance after each." />
            : <ul className={styles.list}>{data.map((line) => <Move key={line.id} line={line} base={base} />)}</ul>}
          <Pager meta={meta} />
        </Card>
      )}
    </QueryBoundary>
  );
}

const VIEWS = [{ value: 'invoices', label: 'Invoices' }, { value: 'movements', label: 'Transactions' }] as const;

export function Transactions() {
  const { customerId, base } = usePortal();
  const { values, set } = useQueryValues();
  const view = values.get('view') === 'movements' ? 'movements' : 'invoices';
  const account = useEndpoint(portalInvoiceEndpoints.transactions, { params: { id: customerId },
    query: { per_page: 1 } });
  return (
    <>
      <PortalHead title="Payments" facts={['Invoices and payments']}>
        <ButtonLink href={`${base}/statement`}>Statement of account</ButtonLink>
      </PortalHead>
      {account.isPending ? <StandingAwaited /> : <Standing accounts={account.data?.accounts ?? []} />}
      <OpenDeposits />
      <SegmentedControl label="View" hideLabel value={view} choices={VIEWS}
        onChange={(value) => set({ view: value === 'invoices' ? null : value, page: null })} />
      {view === 'invoices' ? <InvoiceList /> : <Movements />}
    </>
  );
}

/** Amount the next actions ask for, in the production's currency: invoices, payment requests and deposits. */
function payNow(production: ProductionProps['production']): number {
  return production.next_actions.filter((one) => one.kind === 'pay' && one.currency === production.currency)
    .reduce((all, one) => all + (one.amount_minor ?? 0), 0);
}

function Summary({ production, base }: Pick<ProductionProps, 'production'> & { base: string }) {
  const { currency } = production;
  const deposits = depositsOf(production.next_actions);
  const rows = [
    { label: production.percentage_ppm === null ? 'Price' : 'Guaranteed', minor: production.grand_total_minor },
    { label: 'Invoiced so far', minor: production.invoiced_minor },
    { label: 'Paid', minor: production.paid_minor },
    { label: 'To pay now', minor: payNow(production) },
  ];
  return (
    <Card title="Balance">
      <dl className={styles.figures}>
        {rows.map((row) => (
          <div key={row.label}><dt>{row.label}</dt><dd>{formatAmount(row.minor, currency)}</dd></div>
        ))}
      </dl>
      {production.percentage_ppm !== null && (
        <p className={styles.small}>{formatRate(BigInt(production.percentage_ppm))} of gross follows with your
          box-office returns.</p>
      )}
      {production.deposit_minor > production.security_deposit_minor && (
        <p className={styles.small}>A deposit of {formatAmount(production.deposit_minor, currency)} is part of it.</p>
      )}
      {production.security_deposit_minor > 0 && (
        <p className={styles.small}>
          A refundable deposit of {formatAmount(production.security_deposit_minor, currency)} comes on top of
          the {production.percentage_ppm === null ? 'price' : 'guaranteed amount'}.
        </p>
      )}
      {deposits.map((one) => (
        <p key={one.deposit_id} className={`${styles.small} ${styles.toPay}`}>
          <AppLink className="gr-link" href={taskHref(base, one)}>Pay the deposit of {
            formatAmount(one.amount_minor ?? 0, currency)}</AppLink>
        </p>
      ))}
    </Card>
  );
}

export function ProductionInvoices() {
  return (
    <ProductionFrame>
      {({ production, portal }) => (
        <>
          <Summary production={production} base={portal.base} />
          <InvoiceList licenseId={production.id} />
        </>
      )}
    </ProductionFrame>
  );
}
