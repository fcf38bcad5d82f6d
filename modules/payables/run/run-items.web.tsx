/** Payable items of a run by payee: due items are ticked, an item can be paid in part, a discount taken. */
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { MoneyField } from '#web/controls/field/money-field.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { Badge } from '#web/data/badge.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { EmptyState } from '#web/data/empty-state.tsx';
import { formatAmount, Money } from '#web/data/money.tsx';
import type { DueItem, DuePayee } from './payment-run.contract.ts';
import { chosenOf, needsReason, toggled, withheldOf, type Choice } from './run-choice.web.ts';
import { METHOD_NOUNS } from './run-words.web.tsx';
import styles from './run.module.css';

interface Props { payees: readonly DuePayee[]; currency: string; choice: Choice;
  /** Day of the payment: backup withholding has a first day. */
  on: string | null; onChoose: (choice: Choice) => void;
  /** Royalties are offered beside them. */
  also?: boolean }

/** Beside the cash that leaves, where tax is withheld. */
export const withheldNote = ({ withheld }: { withheld: number }, currency: string): { note?: string } =>
  (withheld === 0 ? {} : { note: `${formatAmount(withheld, currency)} of tax withheld` });

export const lessWithheld = (gross: number, withheld: number, currency: string | undefined): string =>
  `${formatAmount(gross, currency)} less ${formatAmount(withheld, currency)} backup withholding`;

export function RunItems({ payees, currency, choice, on, onChoose, also = false }: Props) {
  if (payees.length === 0 && also) return null;
  if (payees.length === 0) {
    return <EmptyState title="Nothing is open" text={`Nothing in ${currency} waits to be paid by this division.`} />;
  }
  const free = payees.filter((payee) => payee.held === null).flatMap((payee) => payee.items);
  const all = free.length > 0 && free.every((item) => choice[item.open_item_id] !== undefined);
  return (
    <fieldset className={styles.choices}>
      <legend className="gr-hidden">Payables</legend>
      {free.length > 0 && (
        <div className={styles.head}>
          <Checkbox label={`All ${free.length}`} value={all} indeterminate={!all && Object.keys(choice).length > 0}
            onChange={(on) => onChoose(on ? free.reduce((to, item) => (to[item.open_item_id] ? to
              : toggled(to, item, true)), choice) : {})} />
        </div>)}
      {payees.map((payee) => <Payee key={`${payee.party_type}${payee.party_id}`} {...{ payee, currency, choice, on,
        onChoose }} />)}
    </fieldset>
  );
}

/** Bank details or an address are missing, or the payee has none because another method was agreed. */
export function NotPayable({ payee }: { payee: Pick<DuePayee, 'held' | 'other_method'> }) {
  if (payee.held === null) return null;
  return payee.other_method === null ? <Badge small tone="warn">Not payable yet</Badge>
    : <Badge small tone="outline">Other method</Badge>;
}

/** Nothing of such a payee is proposed; a person may choose it all the same. */
export function OtherMethod({ payee }: { payee: Pick<DuePayee, 'held' | 'other_method'> }) {
  if (payee.held !== null || payee.other_method === null) return null;
  return <p className={styles.held}>{`Paid by ${METHOD_NOUNS[payee.other_method]}. Choose it to pay another way.`}</p>;
}

/** Chosen, and so with fields of its own for the amount and the discount. A refund or a credit is taken whole. */
const isPayablePart = (item: DueItem, choice: Props['choice']): boolean =>
  choice[item.open_item_id] !== undefined && item.amount_minor > 0 && item.refund_id === null;

function Payee({ payee, currency, choice, on, onChoose }: Omit<Props, 'payees' | 'also'> & { payee: DuePayee }) {
  const total = chosenOf(payee, choice);
  const withheld = withheldOf(payee, choice, on);
  return (
    <div className={styles.payee}>
      <div className={styles.payeeHead}>
        <strong>{payee.name}</strong>
        {payee.last4 !== null && <span className={styles.faint}>{`Account …${payee.last4}`}</span>}
        <NotPayable payee={payee} />
        {total !== 0 && <span className={styles.sum}>{
          `One payment: ${formatAmount(total - withheld, currency)}`}</span>}
      </div>
      {withheld > 0 && <p className={styles.held}>{lessWithheld(total, withheld, currency)}</p>}
      {payee.held !== null && <p className={styles.held}>{payee.held}</p>}
      {payee.held === null && payee.hint !== null && <p className={styles.held}>{payee.hint}</p>}
      <OtherMethod payee={payee} />
      {payee.items.some((item) => isPayablePart(item, choice)) && (
        <div className={styles.heads} aria-hidden="true"><span>Pay now</span><span>Discount</span></div>
      )}
      {payee.items.map((item) => (
        <Item key={item.open_item_id} item={item} isHeld={payee.held !== null} currency={currency}
          choice={choice} onChoose={onChoose} />))}
    </div>
  );
}

function Item({ item, isHeld, currency, choice, onChoose }: Omit<Props, 'payees' | 'also' | 'on'> & { item: DueItem;
  isHeld: boolean }) {
  const taken = choice[item.open_item_id];
  const set = (more: Partial<NonNullable<typeof taken>>) => taken
    && onChoose({ ...choice, [item.open_item_id]: { ...taken, ...more, isWhole: false } });
  const kind = item.amount_minor < 0 ? ', credit' : '';
  return (
    <div className={styles.item}>
      <Checkbox value={taken !== undefined} disabled={isHeld} onChange={(on) => onChoose(toggled(choice, item, on))}
        label={`${item.document}${kind}, due ${formatDay(item.due_on)}`} />
      <span className={styles.faint}>{item.is_due ? '' : 'Not due yet'}</span>
      {taken && isPayablePart(item, choice) ? (
        <span className={styles.fields}>
          <MoneyField label={`Pay on ${item.document}`} hideLabel currency={currency} value={taken.amount}
            onChange={(amount) => set({ amount: Math.min(amount ?? 0, item.amount_minor - taken.discount) })} />
          <MoneyField label={`Discount on ${item.document}`} hideLabel currency={currency} value={taken.discount}
            onChange={(discount) => set({ discount: discount ?? 0,
              amount: Math.min(taken.amount, item.amount_minor - (discount ?? 0)) })} />
        </span>
      ) : <Money minor={item.amount_minor} />}
      {taken && needsReason(item, taken) && (
        <span className={styles.reason}>
          <TextField label={`Reason for the discount on ${item.document}`} required maxLength={500}
            value={taken.reason} onChange={(reason) => set({ reason })} />
        </span>)}
    </div>
  );
}
