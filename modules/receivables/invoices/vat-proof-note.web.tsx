/** The proof of the customer's VAT number on which an invoice went out without VAT. */
import { Button } from '#web/controls/button/button.tsx';
import { Callout } from '#web/data/callout.tsx';
import { DateText } from '#web/data/date-text.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { REGISTER_NAMES, type VatProof } from '#modules/taxation/vat-registers/vat-number.contract.ts';
import { invoiceEndpoints, type InvoiceDetail } from './invoice.contract.ts';
import styles from './vat-proof-note.module.css';

export function VatProofNote({ invoice }: { invoice: InvoiceDetail }) {
  const may = useMay();
  const check = useAction(invoiceEndpoints.taxChecked, { refresh: [invoiceEndpoints.show], done: 'VAT settled' });
  const proof = invoice.vat_proof;
  if (proof === null) return null;
  const isOpen = (proof.state === 'unproved' || proof.state === 'refused') && proof.checked_at === null;
  return (
    <div className={styles.note}>
      <Callout tone={isOpen ? 'warn' : 'info'} title={TITLES[proof.state]}
        action={isOpen && may('invoice.update') && (
          <Button size="small" pending={check.pending}
            onClick={() => void check.run({ params: { id: invoice.id } })}>Mark as settled</Button>)}>
        <Words proof={proof} />
        {proof.checked_at !== null && ` Settled by ${proof.checked_by_name}.`}
      </Callout>
    </div>
  );
}

const TITLES: Record<VatProof['state'], string> = { proved: 'VAT number confirmed',
  kept: 'VAT number confirmed earlier', unproved: 'VAT number not confirmed', refused: 'VAT number not valid',
  format: 'VAT number checked by its check digit' };

function Words({ proof }: { proof: VatProof }) {
  const { state, vat_number: number, reference } = proof;
  const register = proof.register === null ? 'The register' : REGISTER_NAMES[proof.register];
  if (state === 'format') return <>{`${number || 'No number'}: no register was set up at the time of issue.`}</>;
  if (state === 'unproved') return <>{`The register did not answer for ${number} when this invoice was issued.`}</>;
  const when = proof.asked_at === null ? null : <DateText value={proof.asked_at} />;
  if (state === 'refused') {
    return <>{`${register} did not know ${number} on `}{when}. Credit this invoice, or get the right number.</>;
  }
  return (
    <>
      {`${register} knew ${number}${proof.name === null ? '' : `, ${proof.name},`} on `}{when}
      {reference === null ? '.' : `. Consultation number ${reference}.`}
      {state === 'kept' && ' It did not answer on the day of issue.'}
    </>
  );
}
