/** Cards that home and overview share: what it costs, the contract. */
import { Download, CircleCheck } from 'lucide-react';
import { urlOf } from '#kit/client.ts';
import { portalEndpoints, type ProductionDetail, type QuoteAnswer } from '#modules/licensing/portal/portal.contract.ts';
import { Badge } from '#web/data/badge.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { EmptyState } from '#web/data/empty-state.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { Card } from '#web/layout/portal-shell.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { AppLink } from '#web/navigation/navigation.tsx';
import { PdfLink } from '#web/pdf/pdf-link.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { documentTitle } from './document-words.web.ts';
import { Explained, PriceLines, QueryBoundary, usePortal } from './portal-parts.web.tsx';
import home from './home.module.css';
import styles from './portal.module.css';

type Production = ProductionDetail;

export function PaidBadge({ production }: { production: Production }) {
  if (production.paid_minor > 0 && production.balance_minor <= 0 && production.invoiced_minor > 0) {
    // An advance, or a first installment, is not the price that stands below.
    return <Badge tone="ok" icon={CircleCheck}>{production.paid_minor >= production.grand_total_minor ? 'Paid'
      : `${formatAmount(production.paid_minor, production.currency)} paid`}</Badge>;
  }
  if (production.balance_minor > 0) {
    return <Badge tone="warn">{formatAmount(production.balance_minor, production.currency)} open</Badge>;
  }
  return null;
}

function Lines({ quote, base, licenseId }: { quote: QuoteAnswer; base: string; licenseId: number }) {
  return (
    <div className={styles.tight}>
      <PriceLines rows={quote.rows} totals={quote.totals} currency={quote.currency} promise={quote.promise} />
      <div className={styles.row}>
        <Explained steps={quote.explanation} />
        <AppLink className="gr-link" href={`${base}/productions/${licenseId}/invoices`}>Invoices and receipts</AppLink>
      </div>
    </div>
  );
}

/** The frozen price of the offer, never today's figures. */
export function CostCard({ production }: { production: Production }) {
  const { customerId, base } = usePortal();
  const quote = useEndpoint(portalEndpoints.quote, {
    params: { id: customerId, licenseId: production.id }, query: {},
  });
  return (
    <Card title="Price" right={<PaidBadge production={production} />}>
      <QueryBoundary read={quote} cards={1}>
        {({ data }) => <Lines quote={data} base={base} licenseId={production.id} />}
      </QueryBoundary>
    </Card>
  );
}

const CONTRACTS = ['signed_contract', 'production_contract', 'offer', 'quote_letter'];

export function ContractCard({ production }: { production: Production }) {
  const { customerId, base } = usePortal();
  const paper = CONTRACTS.map((type) => production.documents.find((one) => one.type === type
    && one.status !== 'superseded' && one.status !== 'void')).find((one) => one !== undefined);
  const count = production.documents.length;
  const address = paper && urlOf(portalEndpoints.document, {
    id: customerId, licenseId: production.id, documentId: paper.id });
  return (
    <Card title="Contract" right={count > 0 && (
      <AppLink className="gr-link" href={`${base}/productions/${production.id}/documents`}>
        {count === 1 ? 'One document' : `All ${count} documents`}
      </AppLink>
    )}>
      {paper && address ? (
        <div className={home.contract}>
          <span className={home.paper} aria-hidden="true"><i /><i /><i /><i /><i /><i /><i />
            {paper.signed_at && <em>Signed</em>}</span>
          <div className={styles.tight}>
            <p className={styles.h3}>{documentTitle(paper)}</p>
            <p className={styles.muted}>
              {paper.signed_at ? `Signed on ${formatDay(paper.signed_at)}`
                : paper.sent_at ? `Sent on ${formatDay(paper.sent_at)}`
                  : `Made on ${formatDay(paper.created_at)}`}
            </p>
            <div className={styles.actions}>
              <PdfLink href={address} title={documentTitle(paper)}
                fileName={paper.file_name ?? 'contract.pdf'}>Read</PdfLink>
              <ButtonLink href={address} download={paper.file_name ?? 'contract.pdf'}
                icon={<Glyph icon={Download} />}>PDF</ButtonLink>
            </div>
          </div>
        </div>
      ) : <EmptyState title="No contract yet" text="It appears here as soon as we send your offer." />}
    </Card>
  );
}
