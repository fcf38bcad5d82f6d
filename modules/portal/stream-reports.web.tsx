/** Takings of a production's streams: reported by the organization, billed at once. */
import { useState } from 'react';
import { formatRate } from '#kernel/money/money.ts';
import type { LicenseAddOn } from '#modules/licensing/add-ons/license-add-on.contract.ts';
import { portalStreamReportEndpoints } from '#modules/licensing/add-ons/stream-report.contract.ts';
import { portalEndpoints } from '#modules/licensing/portal/portal.contract.ts';
import { Button } from '#web/controls/button/button.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { MoneyField } from '#web/controls/field/money-field.tsx';
import { Callout } from '#web/data/callout.tsx';
import { daySpan } from '#web/data/date-text.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { Card } from '#web/layout/portal-shell.tsx';
import { AppLink } from '#web/navigation/navigation.tsx';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import type { ProductionProps } from './production-frame.web.tsx';
import styles from './portal.module.css';

type Props = ProductionProps & { addOn: LicenseAddOn & { share_ppm: number } };

export function StreamReports({ addOn, production, portal }: Props) {
  const params = { id: portal.customerId, licenseId: production.id };
  const read = useEndpoint(portalStreamReportEndpoints.list, { params });
  const [reporting, setReporting] = useState(false);
  const rows = (read.data?.data ?? []).filter((row) => row.add_on_id === addOn.add_on_id && row.withdrawn_at === null);
  return (
    <Card title={`Revenue from ${addOn.name}`}>
      <div className={styles.stack}>
        <p>You pay {formatRate(BigInt(addOn.share_ppm))} of what viewers pay. Tell us what it took once the days are
          over, and you get an invoice for the share.</p>
        {rows.length > 0 && (
          <ul className={styles.list}>
            {rows.map((row) => (
              <li key={row.id} className={styles.item}>
                <span className={styles.itemText}>
                  <strong>{daySpan(row.period_from, row.period_to)}</strong>
                  <span>It took {formatAmount(row.gross_minor, row.currency)}</span>
                </span>
                <span className={styles.itemSide}>
                  {row.invoice_id === null ? 'Nothing to pay' : (
                    <>
                      {formatAmount(row.fee_minor, row.currency)}
                      <AppLink className="gr-link" href={`/customer/${portal.customerId}/invoices/${row.invoice_id}`}>
                        {`Invoice ${row.invoice_number ?? ''}`}
                      </AppLink>
                    </>
                  )}
                </span>
              </li>
            ))}
          </ul>
        )}
        {reporting ? <ReportForm addOn={addOn} production={production} portal={portal}
          onClose={() => setReporting(false)} />
          : (
            <div className={styles.actions}>
              <Button onClick={() => setReporting(true)}
                {...(portal.held !== undefined && { reason: 'Its own people report' })}>Report receipts</Button>
            </div>
          )}
      </div>
    </Card>
  );
}

function ReportForm({ addOn, production, portal, onClose }: Props & { onClose: () => void }) {
  const [from, setFrom] = useState<string | null>(null);
  const [to, setTo] = useState<string | null>(null);
  const [gross, setGross] = useState<number | null>(null);
  const send = useAction(portalStreamReportEndpoints.create, { onFailure: () => {}, onDone: onClose,
    refresh: [portalEndpoints.license], done: ({ data }) => (data.invoice_number === null
      ? 'Thank you. There is nothing to pay for it' : `Thank you. Invoice ${data.invoice_number} is on its way`) });
  const wrong = (name: string) => send.failure?.fields[name]?.[0];
  const missing = !from || !to ? 'Choose the days first' : gross === null ? 'Enter what it took first' : undefined;
  return (
    <form className={styles.stack} noValidate aria-label={`Report what ${addOn.name} took`} onSubmit={(event) => {
      event.preventDefault();
      if (missing || send.pending) return;
      void send.run({ params: { id: portal.customerId, licenseId: production.id }, body: { add_on_id: addOn.add_on_id,
        period_from: from!, period_to: to!, gross_minor: gross! } });
    }}>
      {send.failure && send.failure.kind !== 'fields' && (
        <Callout tone="error" live title="This was not sent">{send.failure.message}</Callout>
      )}
      <DateField label="First day" required value={from} onChange={setFrom} error={wrong('period_from')} />
      <DateField label="Last day" required value={to} onChange={setTo} error={wrong('period_to')} />
      <MoneyField label="Revenue" required currency={addOn.currency} value={gross} onChange={setGross}
        error={wrong('gross_minor')} caption="Total paid by viewers, without tax." />
      <div className={styles.actions}>
        <Button type="submit" variant="primary" pending={send.pending} reason={missing}>Send the report</Button>
        <Button onClick={onClose}>Leave it</Button>
      </div>
    </form>
  );
}
