/** Says that a pro forma is not its first version, and why; and which sums older versions asked for. */
import { spell } from '#kernel/text/english.ts';
import { Callout } from '#web/data/callout.tsx';
import { formatAmount } from '#web/data/money.tsx';
import type { InvoiceDetail } from './invoice.contract.ts';

export function VersionNote({ invoice }: { invoice: InvoiceDetail }) {
  if (invoice.tax_shortfall_minor > 0 && invoice.balance_minor > 0) {
    return (
      <Callout tone="warn" title="Only tax is open">
        {spell`The payment was for an older version of the pro forma. The license is not held up; collect`}{' '}
        {formatAmount(invoice.balance_minor, invoice.currency)} from the customer.
      </Callout>
    );
  }
  if (invoice.revision === 1) return null;
  const older = invoice.earlier_versions.map((one) => formatAmount(one.total_minor, invoice.currency)).join(', ');
  return (
    <Callout tone="info" title={`Version ${invoice.revision}`}>
      {invoice.revision_note}.
      {invoice.status === 'proforma' && (
        <> A payment of an earlier total ({older}) is accepted; the missing tax stays open.</>)}
    </Callout>
  );
}
