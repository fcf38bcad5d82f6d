/** Invoices and payments of the organisation and of one production. */
import { ChevronRight } from 'lucide-react';
import { portalInvoiceEndpoints } from '#modules/receivables/portal/portal-invoice.contract.ts';
import { Badge } from '#web/data/badge.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { EmptyState } from '#web/data/empty-state.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { Card } from '#web/layout/portal-shell.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { AppLink, useQueryValues } from '#web/navigation/navigation.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { invoiceKind, invoiceState, type PortalInvoiceRow } from './money-words.web.ts';
import { Pager, PortalHead, Reading, usePortal } from './portal-parts.web.tsx';
import { dueText, today } from './portal-words.web.ts';
import { ProductionFrame, type ProductionProps } from './production-frame.web.tsx';
import styles from './portal.module.css';

function InvoiceItem({ row, base, showTitle }: { row: PortalInvoiceRow; base: string; showTitle: boolean }) {
  const state = invoiceState(row);
  const due = row.payable ? dueText(row.due_on, today()) : '';
  const facts = [showTitle ? row.license_title : '', row.issued_on ? formatDay(row.issued_on) : '', due];
  return (
    <li>
      <AppLink href={`${base}/invoices/${row.id}`} className={styles.item}>
        <span className={styles.itemText}>
          <strong>{invoiceKind(row)}{row.number && ` ${row.number}`}</strong>
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
    <Reading read={read}>
      {({ data, meta }) => (
        <Card title="Invoices and payment requests">
          {data.length === 0
            ? <EmptyState title="Nothing to pay yet" text="After signing, what you pay and when stands here." />
            : (
              <ul className={styles.list}>
                {data.map((row) => <InvoiceItem key={row.id} row={row} base={base} showTitle={!licenseId} />)}
              </ul>
            )}
          <Pager meta={meta} />
        </Card>
      )}
    </Reading>
  );
}

export function Transactions() {
  const { base } = usePortal();
  return (
    <>
      <PortalHead title="Payments" facts={['What is to pay, what is paid, with the paper to each']}>
        <ButtonLink href={`${base}/statement`}>Statement of account</ButtonLink>
      </PortalHead>
      <InvoiceList />
    </>
  );
}

function Summary({ production }: Pick<ProductionProps, 'production'>) {
  const { currency } = production;
  const rows = [
    { label: 'What it costs', minor: production.grand_total_minor },
    { label: 'Invoiced so far', minor: production.invoiced_minor },
    { label: 'Paid', minor: production.paid_minor },
    { label: 'Open', minor: production.balance_minor },
  ];
  return (
    <Card title="Where you stand">
      <dl className={styles.figures}>
        {rows.map((row) => (
          <div key={row.label}><dt>{row.label}</dt><dd>{formatAmount(row.minor, currency)}</dd></div>
        ))}
      </dl>
      {production.deposit_minor > 0 && (
        <p className={styles.small}>A deposit of {formatAmount(production.deposit_minor, currency)} is part of it.</p>
      )}
    </Card>
  );
}

export function ProductionInvoices() {
  return (
    <ProductionFrame>
      {({ production }) => <><Summary production={production} /><InvoiceList licenseId={production.id} /></>}
    </ProductionFrame>
  );
}
