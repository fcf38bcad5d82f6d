/** Beside the draft: what it would bill, the tax of every line with its reason, the number it would take. */
import { Callout } from '#web/data/callout.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { usePreview } from '#web/query/use-preview.ts';
import { bodyOf, canPreview, type InvoiceDraft } from './invoice-draft.web.ts';
import { invoiceEndpoints } from './invoice.contract.ts';
import { RELEASE_LABELS } from './invoice-labels.web.ts';
import styles from './invoice-form.module.css';

export function InvoicePreview({ draft }: { draft: InvoiceDraft }) {
  const preview = usePreview(invoiceEndpoints.preview, canPreview(draft) ? { body: bodyOf(draft) } : null);
  if (preview.error !== '') return <Callout tone="warn" title="Not ready yet">{preview.error}</Callout>;
  const answer = preview.data?.data;
  if (!answer) {
    return (
      <>
        <h2 className={styles.head}>Preview</h2>
        <p className={styles.note}>Choose the customer and describe a line: its tax appears here with the reason.</p>
      </>
    );
  }
  return (
    <div className={preview.stale ? styles.stale : undefined} aria-live="polite">
      <h2 className={styles.head}>Preview</h2>
      <dl className={styles.facts}>
        <Fact label={`Net, ${draft.currency ?? ''}`} minor={answer.net_minor} />
        <Fact label="Tax" minor={answer.tax_minor} />
        <Fact label="Total" minor={answer.total_minor} sum={answer.prepaid_minor === 0} />
        {answer.prepaid_minor > 0 && (
          <>
            <Fact label="Paid on account" minor={-answer.prepaid_minor} />
            <Fact label="To pay" minor={answer.total_minor - answer.prepaid_minor} sum />
          </>
        )}
      </dl>
      <ul className={styles.taxes} aria-label="Tax by line">
        {answer.lines.map((line, k) => (
          // oxlint-disable-next-line no-array-index-key -- lines of a preview have no identity but their place
          <li key={k}>
            <div className={styles.taxLine}>
              <span>{draft.items[k]?.description}</span><span>{formatAmount(line.tax_minor)}</span>
            </div>
            <p className={styles.why}>
              {line.reason}{line.tax_minor > 0 && `, ${line.rate_ppm / 10_000}%`}. Becomes income:{' '}
              {RELEASE_LABELS[line.release_rule].toLowerCase()}, account {line.account_code}.
            </p>
            {line.problem !== null && <p className={styles.missing}>{line.problem}</p>}
          </li>
        ))}
      </ul>
      {answer.unknown_zips.map(({ state, zip }) => (
        <p key={zip} className={styles.missing}>
          No local rate is known for ZIP {zip}, {state}. You&apos;ll be asked when you save.</p>
      ))}
      {answer.legal_texts.map((text) => <p key={text} className={styles.note}>Printed: {text}</p>)}
      <p className={styles.note}>
        {draft.issued_on === null ? 'If issued today' : `Issued ${formatDay(answer.issued_on)}`}, due{' '}
        {formatDay(answer.due_on)}. The next number is {answer.next_number};
        it is taken when the invoice is issued.
      </p>
    </div>
  );
}

function Fact({ label, minor, sum = false }: { label: string; minor: number; sum?: boolean }) {
  return <div className={sum ? styles.sum : undefined}><dt>{label}</dt><dd>{formatAmount(minor)}</dd></div>;
}
