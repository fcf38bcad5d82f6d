/** Says that our own tables decided the tax of a document, because the tax service did not answer. */
import { Button } from '#web/controls/button/button.tsx';
import { Callout } from '#web/data/callout.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { invoiceEndpoints, type InvoiceDetail } from './invoice.contract.ts';

export function TaxSourceNote({ invoice }: { invoice: InvoiceDetail }) {
  const may = useMay();
  const check = useAction(invoiceEndpoints.taxChecked, { refresh: [invoiceEndpoints.show], done: 'Tax checked' });
  const source = invoice.tax_source;
  if (source?.determined_by !== 'own') return null;
  if (source.checked_at !== null) {
    return <Callout tone="info" title="Tax by our own tables">{`Checked by ${source.checked_by_name}.`}</Callout>;
  }
  const isIssued = invoice.status !== 'draft' && invoice.kind !== 'proforma';
  const asks = may('invoice.update') && isIssued;
  return (
    <Callout tone="warn" title="Tax by our own tables"
      action={asks ? <Button size="small" pending={check.pending}
        onClick={() => void check.run({ params: { id: invoice.id } })}>Mark as checked</Button> : undefined}>
      {!isIssued ? 'The tax service did not answer. It is asked again when the invoice is issued.'
        : `The tax service did not answer at issue: ${source.problem}. Compare the tax with what the state publishes.`}
    </Callout>
  );
}
