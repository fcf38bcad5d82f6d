/** Asking to cancel a production: what it costs and gives back is shown before the request is sent. */
import { useState } from 'react';
import type { ResponseOf } from '#kit/endpoint.ts';
import { spell } from '#kernel/text/english.ts';
import { portalEndpoints } from '#modules/licensing/portal/portal.contract.ts';
import { Button } from '#web/controls/button/button.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { QueryBoundary } from './portal-parts.web.tsx';
import type { ProductionProps } from './production-frame.web.tsx';
import styles from './portal.module.css';

type Cancellation = ResponseOf<typeof portalEndpoints.cancellation>['data'];

/** Sentences about the money: kept, credited, still to be paid, refunded. */
function outcomeOf(answer: Cancellation): string[] {
  const money = (minor: number): string => formatAmount(minor, answer.currency);
  const { keep_minor, refund_minor, tax_minor, left_open_minor, overpaid_minor, held_minor } = answer;
  if (keep_minor + refund_minor === 0) {
    return [spell`Nothing has been invoiced yet, so canceling costs nothing.`,
      ...held_minor > 0 ? [`The ${money(held_minor)} we hold as a deposit is returned.`] : []];
  }
  const tax = tax_minor > 0 ? `, and ${money(tax_minor)} of tax on it` : '';
  return [
    `We keep ${money(keep_minor)} of what was invoiced.${refund_minor > 0
      ? ` A credit note takes off ${money(refund_minor)}${tax}.` : ''}`,
    ...left_open_minor > 0 ? [`${money(left_open_minor)} remains to be paid.`] : [],
    ...overpaid_minor > 0 ? [`${money(overpaid_minor)} that you paid stands to your credit, and we refund it.`] : [],
    ...held_minor > 0 ? [`The ${money(held_minor)} we hold as a deposit is set off or returned.`] : [],
  ];
}

function sideOf({ invoiced_minor, keep_minor, refund_minor }: Cancellation['lines'][number]): string {
  if (invoiced_minor === 0) return 'Not invoiced';
  return [...keep_minor > 0 ? [`Kept ${formatAmount(keep_minor)}`] : [],
    ...refund_minor > 0 ? [`Credited ${formatAmount(refund_minor)}`] : []].join(', ');
}

function Cost({ answer }: { answer: Cancellation }) {
  return (
    <div className={styles.stack}>
      <ul className={styles.list} aria-label={spell`Cost of canceling`}>
        {answer.lines.map((line) => (
          <li key={`${line.charge_id}${line.description}`} className={styles.item}>
            <span className={styles.itemText}><strong>{line.description}</strong><span>{line.rule}</span></span>
            <span className={styles.itemSide}>{sideOf(line)}</span>
          </li>
        ))}
      </ul>
      <div>{outcomeOf(answer).map((sentence) => <p key={sentence}>{sentence}</p>)}</div>
    </div>
  );
}

export function CancelRequest({ production, portal }: ProductionProps) {
  const [open, setOpen] = useState(false);
  const [reason, setReason] = useState('');
  const params = { id: portal.customerId, licenseId: production.id };
  const cost = useEndpoint(portalEndpoints.cancellation, { params }, { enabled: open });
  const ask = useAction(portalEndpoints.requestCancellation, {
    done: 'Your request has been sent', onDone: () => { setOpen(false); setReason(''); },
  });
  return (
    <>
      <Button onClick={() => setOpen(true)} {...(portal.held && { reason: portal.held })}>Ask to cancel</Button>
      <Modal open={open} onClose={() => setOpen(false)} title="Ask to cancel the production?" footer={(
        <>
          <Button onClick={() => setOpen(false)}>Keep it</Button>
          <Button variant="danger" pending={ask.pending}
            {...(reason.trim() === '' && { reason: 'Enter a reason first' })}
            onClick={() => void ask.run({ params, body: { reason: reason.trim() } })}>Send the request</Button>
        </>
      )}>
        <div className={styles.stack}>
          <QueryBoundary read={cost}>{({ data }) => <Cost answer={data} />}</QueryBoundary>
          <p className={styles.muted}>{spell`These are the amounts if we canceled today, under your contract. Nothing
            is canceled until we confirm it.`}</p>
          <TextField label="Why?" required rows={3} maxLength={2000} value={reason} onChange={setReason} />
        </div>
      </Modal>
    </>
  );
}
