/** Statements and advances of a run by payee, after tax; each is paid whole, the agent's commission with it. */
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { formatAmount, Money } from '#web/data/money.tsx';
import type { DueRoyalty, DueRoyaltor } from './payment-run.contract.ts';
import { isPayable, royaltyKey, type RoyaltyChoice } from './run-choice.web.ts';
import { NotPayable, OtherMethod } from './run-items.web.tsx';
import styles from './run.module.css';

interface Props { royaltors: readonly DueRoyaltor[]; currency: string; chosen: RoyaltyChoice;
  onChoose: (chosen: RoyaltyChoice) => void }

export function RunRoyalties({ royaltors, currency, chosen, onChoose }: Props) {
  if (royaltors.length === 0) return null;
  const free = royaltors.flatMap((payee) => payee.items.filter((item) => isPayable(payee, item))).map(royaltyKey);
  const all = free.length > 0 && free.every((key) => chosen.has(key));
  return (
    <fieldset className={styles.choices}>
      <legend>Royalties and advances</legend>
      {free.length > 0 && (
        <div className={styles.head}>
          <Checkbox label={`All ${free.length}`} value={all} indeterminate={!all && chosen.size > 0}
            onChange={(on) => onChoose(new Set(on ? free : []))} />
        </div>)}
      {royaltors.map((payee) => (
        <div key={payee.royaltor_id} className={styles.payee}>
          <div className={styles.payeeHead}>
            <strong>{payee.name}</strong>
            {payee.last4 !== null && <span className={styles.faint}>{`Account …${payee.last4}`}</span>}
            <NotPayable payee={payee} />
          </div>
          {payee.held !== null && <p className={styles.held}>{payee.held}</p>}
          {payee.held === null && payee.hint !== null && <p className={styles.held}>{payee.hint}</p>}
          <OtherMethod payee={payee} />
          {payee.items.map((item) => (
            <Royalty key={royaltyKey(item)} item={item} currency={currency} isHeld={!isPayable(payee, item)}
              reason={payee.held === null ? item.held : null} taken={chosen.has(royaltyKey(item))}
              onTake={(on) => onChoose(new Set(on ? [...chosen, royaltyKey(item)]
                : [...chosen].filter((key) => key !== royaltyKey(item))))} />))}
        </div>))}
    </fieldset>
  );
}

function Royalty({ item, currency, isHeld, reason, taken, onTake }: { item: DueRoyalty; currency: string;
  isHeld: boolean; reason: string | null; taken: boolean; onTake: (on: boolean) => void }) {
  const notes = [
    !item.is_due && 'Not due yet',
    item.withheld_minor > 0 && `${formatAmount(item.withheld_minor, currency)} tax withheld`,
    item.agent_minor > 0 && `and ${formatAmount(item.agent_minor, currency)} to the agent`, reason,
  ].filter(Boolean);
  return (
    <div className={styles.item}>
      <Checkbox value={taken} disabled={isHeld} onChange={onTake} label={[item.document, item.subject,
        item.due_on !== null && `due ${formatDay(item.due_on)}`].filter(Boolean).join(', ')} />
      <span className={styles.faint}>{notes.join(', ')}</span>
      <Money minor={item.amount_minor} />
    </div>
  );
}
