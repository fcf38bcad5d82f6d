/** Payees to choose from: each with the items the payment would settle, or the reason why they are not paid. */
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { Badge } from '#web/data/badge.tsx';
import { EmptyState } from '#web/data/empty-state.tsx';
import { formatAmount, Money } from '#web/data/money.tsx';
import { AppLink } from '#web/navigation/navigation.tsx';
import { METHOD_NOUNS } from '../royalty-words.web.ts';
import styles from '../royalty.module.css';
import { keyOf, linesTotal, lineWords, type PayableLine, type PayablePayee } from './payable-lines.web.ts';

export function PayeeChoices({ payees, ticked, currency, onTick }: {
  payees: readonly PayablePayee[]; ticked: readonly string[]; currency: string;
  onTick: (keys: readonly string[]) => void;
}) {
  if (payees.length === 0) {
    return <EmptyState title="Nothing is payable" text="Statements are payable once they are issued." />;
  }
  const free = payees.flatMap((payee) => payee.lines).filter((line) => line.held === null);
  const all = free.length > 0 && free.every((line) => ticked.includes(keyOf(line)));
  return (
    <fieldset className={styles.choices}>
      <legend className="gr-hidden">Payables</legend>
      {free.length > 0 && (
        <div className={styles.choiceHead}>
          <Checkbox label={`All ${free.length}`} value={all} indeterminate={!all && ticked.length > 0}
            onChange={(on) => onTick(on ? free.map(keyOf) : [])} />
        </div>)}
      {payees.map((payee) => (
        <PayeeLines key={payee.payee_id} payee={payee} ticked={ticked} currency={currency} onTick={onTick} />))}
    </fieldset>
  );
}

/** One payment: its payee, its sum, and a line for each statement and advance. */
function PayeeLines({ payee, ticked, currency, onTick }: {
  payee: PayablePayee; ticked: readonly string[]; currency: string; onTick: (keys: readonly string[]) => void;
}) {
  const taken = payee.lines.filter((line) => line.held === null && ticked.includes(keyOf(line)));
  const total = linesTotal(taken, currency);
  const toggle = (line: PayableLine, on: boolean) => onTick(on ? [...ticked, keyOf(line)]
    : ticked.filter((key) => key !== keyOf(line)));
  return (
    <div className={styles.payee}>
      <div className={styles.payeeHead}>
        <AppLink className="gr-link" href={`/admin/royaltors/${payee.payee_id}`}>{payee.payee_name}</AppLink>
        {payee.held !== null && <Badge small tone="warn">On hold</Badge>}
        {payee.held === null && taken.length > 1 && total !== null && (
          <span className={styles.faint}>One payment: {formatAmount(total, currency)}</span>)}
      </div>
      {payee.held !== null && <p className={styles.held}>{payee.held}</p>}
      {payee.held === null && payee.other_method !== null && (
        <p className={styles.held}>{`Paid by ${METHOD_NOUNS[payee.other_method]}. Choose it to pay another way.`}</p>)}
      {payee.lines.map((line) => (
        <div key={keyOf(line)} className={styles.choice}>
          <Checkbox label={lineWords(line)} value={line.held === null && ticked.includes(keyOf(line))}
            disabled={line.held !== null} onChange={(on) => toggle(line, on)} />
          <span className={styles.faint}>{noteOn(line, payee)}</span>
          <Money minor={line.amount_minor} {...(line.currency === currency ? {} : { currency: line.currency })} />
        </div>
      ))}
    </div>
  );
}

function noteOn(line: PayableLine, payee: PayablePayee): string {
  if (line.held !== null) return payee.held === null ? line.held : '';
  if (line.agent_held !== null) return `Commission on hold. ${line.agent_held}`;
  if (line.agent_minor > 0) return `and ${formatAmount(line.agent_minor, line.currency)} to the agent`;
  return line.due ? '' : 'Not due yet';
}
