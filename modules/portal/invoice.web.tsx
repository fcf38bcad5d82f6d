/** One invoice or payment request: its lines, what came in, the paper, and paying by the ways this house offers. */
import { useEffect, useState } from 'react';
import type { ResponseOf } from '#kit/endpoint.ts';
import { urlOf } from '#kit/client.ts';
import { portalInvoiceEndpoints } from '#modules/receivables/portal/portal-invoice.contract.ts';
import { Button } from '#web/controls/button/button.tsx';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { RadioGroup } from '#web/controls/field/radio-group.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { Badge } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { formatAmount, Money } from '#web/data/money.tsx';
import { Card } from '#web/layout/portal-shell.tsx';
import { AppLink, useIdParam } from '#web/navigation/navigation.tsx';
import { PdfLink } from '#web/pdf/pdf-link.tsx';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { portalEndpoints } from '#modules/licensing/portal/portal.contract.ts';
import { invoiceKind, invoiceState, methodWords, type PortalInvoice } from './money-words.web.ts';
import { METHOD_NOTES, OnlineState, useIsAsking } from './online-state.web.tsx';
import { PortalHead, QueryBoundary, usePortal, type Portal } from './portal-parts.web.tsx';
import { dayAndReason } from './portal-words.web.ts';
import { CheckTo, ForOthers, OnlyByCheck, Transfer } from './transfer.web.tsx';
import styles from './portal.module.css';

type Answer = ResponseOf<typeof portalInvoiceEndpoints.pay>['data'];
type Method = PortalInvoice['payment_methods'][number]['method'];
type Props = { invoice: PortalInvoice; portal: Portal };

function Noted({ answer }: { answer: Answer }) {
  return (
    <Callout tone="info" live title="Noted">
      {answer.message}{answer.reference && <> Reference: <strong>{answer.reference}</strong>.</>}
    </Callout>
  );
}

function InvoiceOnlineState({ invoice, portal }: Props) {
  const { run } = useAction(portalInvoiceEndpoints.checkPayment, { onFailure: () => undefined });
  return (
    <OnlineState payment={invoice.online_payment} {...(portal.maySee && {
      ask: () => void run({ params: { id: portal.customerId, invoiceId: invoice.id }, body: {} }) })} />
  );
}

function TaxChange({ invoice }: Pick<Props, 'invoice'>) {
  return invoice.revision > 1
    && <Callout tone="info" live title="The tax on this request has changed">{invoice.revision_note}</Callout>;
}

/** Documents that one payment pays: online, other open documents may be paid with this one. */
function choiceOf(invoice: PortalInvoice, method: Method | null, also: ReadonlySet<number>) {
  const online = method !== null && method !== 'bank_transfer' && method !== 'purchase_order';
  const others = invoice.others.filter((one) => online && also.has(one.id))
    .map((one) => ({ invoice_id: one.id, amount_minor: one.balance_minor }));
  return { online, others, total: others.reduce((all, one) => all + one.amount_minor, invoice.balance_minor) };
}

function Pay({ invoice, portal }: Props) {
  const [method, setMethod] = useState<Method | null>(invoice.payment_methods[0]?.method ?? null);
  const [also, setAlso] = useState<ReadonlySet<number>>(new Set());
  const [order, setOrder] = useState(invoice.purchase_order_no ?? '');
  const [answer, setAnswer] = useState<Answer | null>(null);
  const asking = useIsAsking(invoice.online_payment);
  const current = useAction(portalInvoiceEndpoints.refreshTax, { onFailure: () => undefined });
  const { run } = current;
  const refreshNow = () => run({ params: { id: portal.customerId, invoiceId: invoice.id }, body: {} });
  const asks = invoice.status === 'proforma' && portal.maySee && !portal.held;
  useEffect(() => {
    if (asks) void refreshNow();
    // Once, when the request is opened to be paid.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  const pay = useAction(portalInvoiceEndpoints.pay, {
    refresh: [portalEndpoints.license],
    onDone: ({ data }) => {
      if (data.redirect_to === null) setAnswer(data);
      else window.location.assign(data.redirect_to);
    },
    // Another total than the page shows: it is brought up to date, and nobody has been charged.
    onFailure: (failure) => { if (failure.code === 'proforma.tax_changed') void refreshNow(); },
  });
  if (answer) return <Noted answer={answer} />;
  if (invoice.payment_methods.length === 0) return <><TaxChange invoice={invoice} /><OnlyByCheck asked={invoice} /></>;
  if (!portal.maySee) return <ForOthers><Transfer asked={invoice} /></ForOthers>;
  const missing = portal.held ?? (method === null ? 'Choose how to pay'
    : method === 'purchase_order' && order.trim() === '' ? 'Enter the purchase order number' : undefined);
  const { online, others, total } = choiceOf(invoice, method, also);
  const submit = () => method && void pay.run({
    params: { id: portal.customerId, invoiceId: invoice.id },
    body: { method, amount_minor: invoice.balance_minor,
      ...(others.length > 0 && { also: others }),
      ...(method === 'purchase_order' && { purchase_order_no: order.trim() }) },
  });
  if (asking || invoice.online_payment?.status === 'processing') return null;
  const test = invoice.payment_methods.some((one) => one.method === method && one.test);
  const failure = pay.failure && (Object.values(pay.failure.fields).flat()[0] ?? pay.failure.message);
  return (
    <form className={styles.stack} aria-label="Pay" onSubmit={(event) => {
      event.preventDefault();
      if (!missing && method !== 'bank_transfer') submit();
    }}>
      <TaxChange invoice={invoice} />
      {failure && <Callout tone="error" live title={String(failure)} />}
      <RadioGroup label="Payment method" value={method} onChange={setMethod}
        choices={invoice.payment_methods.map((one) => ({ value: one.method, label: one.label,
          note: METHOD_NOTES[one.method] }))} />
      {method === 'purchase_order' && (
        <TextField label="Purchase order number" required value={order} onChange={setOrder} maxLength={100} />
      )}
      {online && <Others invoice={invoice} chosen={also} onChange={setAlso} />}
      {test && <Callout tone="warn" title="Test payment, no money moves" />}
      {method === 'bank_transfer' ? <Transfer asked={invoice} /> : (
        <Button type="submit" variant="primary" size="large" wide pending={pay.pending}
          {...(missing && { reason: missing })}>
          {method === 'purchase_order' ? 'Send the purchase order'
            : `Pay ${formatAmount(total, invoice.currency)}`}
        </Button>
      )}
    </form>
  );
}

/** Other open documents that the same payment pays. */
function Others({ invoice, chosen, onChange }: {
  invoice: PortalInvoice; chosen: ReadonlySet<number>; onChange: (ids: ReadonlySet<number>) => void;
}) {
  if (invoice.others.length === 0) return null;
  const set = (id: number, on: boolean) => {
    const next = new Set(chosen);
    if (on) next.add(id);
    else next.delete(id);
    onChange(next);
  };
  return (
    <fieldset className="gr-fieldset">
      <legend>Pay these at the same time</legend>
      {invoice.others.map((one) => (
        <Checkbox key={one.id} value={chosen.has(one.id)} onChange={(on) => set(one.id, on)}
          label={`${one.number ?? invoiceKind(one)}, ${formatAmount(one.balance_minor, invoice.currency)}`}
          caption={[one.license_title, one.due_on && `due ${formatDay(one.due_on)}`].filter(Boolean).join(', ')} />
      ))}
    </fieldset>
  );
}

function Lines({ invoice }: { invoice: PortalInvoice }) {
  const extra = [
    { label: invoice.currency === 'USD' ? 'Sales tax' : 'VAT', minor: invoice.tax_minor },
    { label: 'Paid in advance', minor: -invoice.prepaid_minor },
  ].filter((row) => row.minor !== 0);
  return (
    <table className={styles.lines}>
      <caption className="gr-hidden">Lines in {invoice.currency}</caption>
      <tbody>
        {invoice.items.map((item) => (
          <tr key={item.id}>
            <th scope="row">{item.description}
              {item.quantity > 1 && <small>{formatAmount(item.unit_minor)} × {item.quantity}</small>}</th>
            <td><Money minor={item.net_minor} /></td>
          </tr>
        ))}
        {extra.map((row) => (
          <tr key={row.label}><th scope="row">{row.label}</th><td><Money minor={row.minor} /></td></tr>
        ))}
      </tbody>
      <tfoot>
        <tr><th scope="row">Total<small>{invoice.currency}</small></th>
          <td><Money minor={invoice.total_minor - invoice.prepaid_minor} /></td></tr>
      </tfoot>
    </table>
  );
}

/** The rest of a credit note pays too, and has no receipt. */
const hasReceipt = ({ method }: PortalInvoice['payments'][number]): boolean => method !== 'set_off';

function Payments({ invoice, portal }: Props) {
  if (invoice.payments.length === 0) return null;
  return (
    <Card title="Payments received">
      <ul className={styles.list}>
        {invoice.payments.map((payment) => (
          <li key={payment.payment_id} className={styles.item}>
            <span className={styles.itemText}><strong>{methodWords(payment.method)}</strong>
              <span>{formatDay(payment.paid_on)}, {hasReceipt(payment) ? (
                <AppLink className="gr-link" href={`${portal.base}/receipts/${payment.payment_id}`}>
                  {payment.number}</AppLink>) : payment.number}</span></span>
            <span className={styles.itemSide}><Money minor={payment.applied_minor} currency={invoice.currency} /></span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Invoice({ invoice, portal }: Props) {
  const state = invoiceState(invoice);
  return (
    <>
      <PortalHead title={invoiceKind(invoice)} back={{ href: `${portal.base}/transactions`, text: 'Payments' }}
        badges={<Badge tone={state.tone}>{state.text}</Badge>}
        facts={[invoice.number, invoice.license_id && (
          <AppLink key="p" className="gr-link" href={`${portal.base}/productions/${invoice.license_id}/overview`}>
            {invoice.license_title ?? 'The production'}</AppLink>
        ), invoice.issued_on && formatDay(invoice.issued_on)]}>
        <PdfLink title={`${invoiceKind(invoice)} ${invoice.number ?? ''}`.trim()}
          fileName={`${invoice.number ?? 'payment-request'}.pdf`}
          href={urlOf(portalInvoiceEndpoints.document, { id: portal.customerId, invoiceId: invoice.id })}>PDF</PdfLink>
      </PortalHead>
      <div className={styles.split}>
        <Card title="Details">
          <div className={styles.tight}>
            <Lines invoice={invoice} />
            {invoice.legal_texts.map((text) => <p key={text} className={styles.small}>{text}</p>)}
          </div>
        </Card>
        <div className={styles.stack}>
          {(invoice.payable || invoice.balance_minor > 0) && (
            <Card title="To pay" first={portal.maySee}>
              <div className={styles.stack}>
                <p className={styles.price}><span>{invoice.currency}</span>{formatAmount(invoice.balance_minor)}</p>
                {invoice.due_on && (
                  <p className={invoice.overdue ? styles.late : styles.muted}>
                    {invoice.overdue ? 'Was due' : 'Due'}{' '}
                    {dayAndReason(invoice.due_on, invoice.due_reason)}</p>
                )}
                <InvoiceOnlineState invoice={invoice} portal={portal} />
                {invoice.payable && <Pay invoice={invoice} portal={portal} />}
                {invoice.payable && <CheckTo to={invoice.check_to} number={invoice.number} />}
              </div>
            </Card>
          )}
          {!invoice.payable && invoice.balance_minor <= 0 && <InvoiceOnlineState invoice={invoice} portal={portal} />}
          <Payments invoice={invoice} portal={portal} />
          <Card title="Billed to">
            <p className={styles.muted}>{invoice.billing_name}
              {invoice.purchase_order_no && <><br />Purchase order {invoice.purchase_order_no}</>}</p>
          </Card>
        </div>
      </div>
    </>
  );
}

export default function InvoicePage() {
  const portal = usePortal();
  const invoiceId = useIdParam('invoiceId');
  const read = useEndpoint(portalInvoiceEndpoints.show, { params: { id: portal.customerId, invoiceId } });
  return (
    <QueryBoundary read={read} page="Invoice">
      {({ data }) => <Invoice key={data.id} invoice={data} portal={portal} />}
    </QueryBoundary>
  );
}
