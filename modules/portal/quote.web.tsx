/** The offer as sent: what it costs and why, when it is to be paid, the terms; sign or decline (X134-X136). */
import { useEffect, useState } from 'react';
import { performancesOfType } from '#kernel/pricing/price-bands.ts';
import { urlOf } from '#kit/client.ts';
import { spell } from '#kernel/text/english.ts';
import { portalEndpoints, type QuoteAnswer } from '#modules/licensing/portal/portal.contract.ts';
import { Callout } from '#web/data/callout.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { Money, formatAmount } from '#web/data/money.tsx';
import { Card } from '#web/layout/portal-shell.tsx';
import { PdfLink } from '#web/pdf/pdf-link.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { documentTitle } from './document-words.web.ts';
import { hourText } from './apply-words.web.ts';
import { Explained, PriceLines, PromiseFacts, QueryBoundary } from './portal-parts.web.tsx';
import { PriceChange } from './price-change.web.tsx';
import { ProductionFrame, type ProductionProps } from './production-frame.web.tsx';
import { clock, timeLeft } from './portal-words.web.ts';
import { SignOffer } from './sign-offer.web.tsx';
import styles from './portal.module.css';

function RunOut() {
  return (
    <Callout tone="warn" title="This offer has run out">Ask us for a new one; your dates may still be free.</Callout>
  );
}

/** Counts down by the minute; the server decides when it has passed. */
function Expiry({ until, lastDay }: { until: string; lastDay: string | null }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  const left = timeLeft(until, now);
  if (!left) return <RunOut />;
  return (
    <p className={styles.muted}>
      <span className={styles.countdown}>{left} left.</span> The price and the dates hold through
      {' '}{formatDay(lastDay)}.
    </p>
  );
}

/** Amount that a change brought after the plan was agreed; the refundable deposit is no part of the price. */
function besidePlan({ addendum, payment_plan, totals }: QuoteAnswer): number {
  if (addendum === null) return 0;
  const planned = payment_plan.reduce((all, row) => all + row.amount_minor, 0);
  return (totals.total_minor ?? 0) - (planned - (totals.security_deposit_minor ?? 0));
}

function Plan({ quote }: { quote: QuoteAnswer }) {
  if (quote.payment_plan.length === 0) return null;
  const changed = besidePlan(quote);
  return (
    <Card title="When to pay">
      <table className={styles.lines}>
        <caption className="gr-hidden">Payments in {quote.currency}</caption>
        <tbody>
          {quote.payment_plan.map((row, index) => (
            <tr key={`${index}${row.label}`}>
              <th scope="row">{row.label}{row.due !== '' && <small>{row.due}</small>}</th>
              <td><Money minor={row.amount_minor} /></td>
            </tr>
          ))}
          {changed !== 0 && (
            <tr>
              <th scope="row">Changes since
                <small>{changed > 0 ? 'by their invoice' : 'by their credit note'}</small></th>
              <td><Money minor={changed} /></td>
            </tr>
          )}
        </tbody>
      </table>
    </Card>
  );
}

function bandWords(band: QuoteAnswer['venues'][number]['ticketing'][number]): string {
  const seats = `${band.number_of_seats.toLocaleString('en-US')} seats at ${formatAmount(band.price_minor)}`;
  const about = [band.label, band.performance_type ? performancesOfType(band.performance_type) : ''].filter(Boolean);
  return about.length > 0 ? `${seats} (${about.join(', ')})` : seats;
}

function Performances({ quote }: { quote: QuoteAnswer }) {
  return (
    <Card title="Performances">
      <div className={styles.stack}>
        {quote.venues.map((venue) => (
          <div key={venue.name} className={styles.tight}>
            <h3 className={styles.h3}>{venue.name}</h3>
            <ul className={styles.list}>
              {venue.performances.map((one) => (
                <li key={one.local_date + one.local_time} className={styles.spread}>
                  <span>{formatDay(one.local_date, 'weekday')}</span>
                  <span className={styles.muted}>{hourText(one.local_time, one.type)}</span>
                </li>
              ))}
            </ul>
            {venue.ticketing.length > 0 && (
              <p className={styles.small}>{venue.ticketing.map(bandWords).join(', ')}</p>
            )}
          </div>
        ))}
      </div>
    </Card>
  );
}

const WHAT: Record<string, string> = { quote_letter: 'Read the quote', production_contract: 'Read the contract',
  offer: 'Read the offer', amendment: 'Read the addendum' };

function Papers({ quote, production, customerId }: {
  quote: QuoteAnswer; production: ProductionProps['production']; customerId: number;
}) {
  const papers = production.documents.filter((one) => quote.document_ids.includes(one.id));
  if (papers.length === 0) return null;
  return (
    <div className={styles.actions}>
      {papers.map((paper) => (
        <PdfLink key={paper.id} title={documentTitle(paper)} fileName={paper.file_name ?? 'document.pdf'}
          href={urlOf(portalEndpoints.document, { id: customerId, licenseId: production.id, documentId: paper.id })}>
          {WHAT[paper.type] ?? 'Read the document'}
        </PdfLink>
      ))}
    </div>
  );
}

/** Changes of an addendum: nights and the lines whose price moves. */
function Changed({ addendum, currency }: { addendum: NonNullable<QuoteAnswer['addendum']>; currency: string }) {
  const { added, removed, lines } = addendum.differences;
  const nights = (title: string, rows: typeof added) => rows.length > 0 && (
    <div className={styles.tight}>
      <h3 className={styles.h3}>{title}</h3>
      <ul className={styles.list}>
        {rows.map((night, index) => (
          <li key={`${night.local_date}${index}`} className={styles.spread}>
            <span>{formatDay(night.local_date, 'weekday')}</span>
            <span className={styles.muted}>{clock(night.local_time)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
  return (
    <Card title="Changes">
      <div className={styles.stack}>
        <p className={styles.muted}>{addendum.reason}</p>
        {nights('No longer played', removed)}
        {nights('Played instead, or as well', added)}
        <PriceChange lines={lines} currency={currency} />
      </div>
    </Card>
  );
}

function Terms({ terms }: { terms: readonly string[] }) {
  if (terms.length === 0) return null;
  return (
    <Card title="The terms">
      <ol className={styles.terms}>{terms.map((term) => <li key={term}>{term}</li>)}</ol>
    </Card>
  );
}

function Quote({ quote, production, portal }: ProductionProps & { quote: QuoteAnswer }) {
  const { addendum } = quote;
  const open = quote.current && !quote.signed_at && (addendum ? addendum.to_sign : production.phase === 'sent');
  const noun = addendum ? 'addendum' : 'offer';
  return (
    <div className={styles.split}>
      <div className={styles.stack}>
        {quote.covering_note !== null && !addendum && (
          <Card title={production.license_rep_name ? `A note from ${production.license_rep_name}` : 'A note from us'}>
            <p className={styles.written}>{quote.covering_note}</p>
          </Card>
        )}
        {addendum && <Changed addendum={addendum} currency={quote.currency} />}
        <Card title="Price">
          <div className={styles.tight}>
            <PriceLines rows={quote.rows} totals={quote.totals} currency={quote.currency} promise={quote.promise} />
            {quote.discount_reason !== null && <p className={styles.small}>Discount: {quote.discount_reason}</p>}
            <Explained steps={quote.explanation}
              note={`Worked out when the ${noun} was made; it does not change any more.`} />
          </div>
        </Card>
        {quote.promise && <Card title="The royalty"><PromiseFacts promise={quote.promise} /></Card>}
        <Plan quote={quote} />
        <Terms terms={quote.terms} />
      </div>
      <div className={styles.stack}>
        <Card title={quote.signed_at ? 'Signed' : `${open ? 'Your' : 'The'} ${noun}`} first={open && portal.maySee}>
          <div className={styles.stack}>
            {quote.signed_at && (
              <Callout tone="ok" title={`Signed by ${quote.signer_name ?? spell`your organization`}`}>
                On {formatDay(quote.signed_at)}.
              </Callout>
            )}
            {!quote.signed_at && quote.expires_at && production.phase === 'sent'
              && <Expiry until={quote.expires_at} lastDay={quote.expires_on} />}
            {production.phase === 'expired' && (
              <RunOut />
            )}
            {production.phase === 'declined' && <Callout
              title="You declined this offer">Nothing more is to be done.</Callout>}
            <Papers quote={quote} production={production} customerId={portal.customerId} />
            {open && <SignOffer quote={quote} production={production} portal={portal} />}
          </div>
        </Card>
        <Performances quote={quote} />
      </div>
    </div>
  );
}

function QuoteOf({ production, portal }: ProductionProps) {
  const read = useEndpoint(portalEndpoints.quote, {
    params: { id: portal.customerId, licenseId: production.id }, query: {},
  });
  return (
    <QueryBoundary read={read}>
      {({ data }) => <Quote quote={data} production={production} portal={portal} />}
    </QueryBoundary>
  );
}

export default function QuotePage() {
  return <ProductionFrame>{(props) => <QuoteOf {...props} />}</ProductionFrame>;
}
