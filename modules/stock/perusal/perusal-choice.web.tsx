/** Choice of how to read a show, and which of its materials: on screen for free, or as books for a fee. */
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { RadioGroup } from '#web/controls/field/radio-group.tsx';
import { EmptyState } from '#web/data/empty-state.tsx';
import { formatAmount } from '#web/data/money.tsx';
import type { PerusalFormat, PerusalOptions } from './perusal.contract.ts';
import styles from './perusal.module.css';

/** `without`: materials that are left out; everything is chosen to begin with. */
export interface Choice { format: PerusalFormat; without: readonly number[] }

/** Reading on the screen where that can be done; null where nothing is offered. */
export function startOf(options: PerusalOptions): Choice | null {
  if (options.digital.length > 0) return { format: 'digital', without: [] };
  return options.physical.length > 0 ? { format: 'physical', without: [] } : null;
}

export function chosenOf(options: PerusalOptions, choice: Choice): number[] {
  return options[choice.format].map((one) => one.id).filter((id) => !choice.without.includes(id));
}

/** Fee and shipping of what is chosen, in minor units before tax. */
export function feeOf(options: PerusalOptions, choice: Choice): number {
  if (choice.format === 'digital') return 0;
  const books = options.physical.filter((one) => !choice.without.includes(one.id));
  const shipping = books.reduce((sum, one) => sum + one.shipping_minor, 0);
  return shipping + (options.fee_minor ?? books.reduce((sum, one) => sum + one.unit_price_minor, 0));
}

interface ChoiceProps { options: PerusalOptions; choice: Choice; onChange: (choice: Choice) => void }

export function PerusalChoice({ options, choice, onChange }: ChoiceProps) {
  if (options.digital.length + options.physical.length === 0) {
    return <EmptyState title="Nothing to read yet" text="No script of this show is lent before applying." />;
  }
  const rows = choice.format === 'digital'
    ? options.digital.map((one) => ({ ...one, note: `${one.pages} ${one.pages === 1 ? 'page' : 'pages'}` }))
    : options.physical.map((one) => ({ ...one,
      note: [options.fee_minor === null && formatAmount(one.unit_price_minor, options.currency),
        `shipping ${formatAmount(one.shipping_minor, options.currency)}`].filter(Boolean).join(', ') }));
  const formats = [
    { value: 'digital' as const, label: 'On screen',
      note: `As soon as we agree, for ${options.days_digital} days`,
      disabled: options.digital.length === 0 },
    { value: 'physical' as const, label: 'As a book by post', note: `For ${options.days_physical} days, ${
      options.fee_minor === null ? 'for a fee' : `for ${formatAmount(options.fee_minor, options.currency)}`}`,
      disabled: options.physical.length === 0 },
  ].filter((one) => !one.disabled);
  return (
    <div className={styles.choice}>
      <RadioGroup label="How?" value={choice.format} choices={formats}
        onChange={(format) => onChange({ format, without: [] })} />
      <fieldset className={styles.materials}>
        <legend>What</legend>
        {rows.map((row) => (
          <Checkbox key={row.id} label={row.name} caption={row.note} value={!choice.without.includes(row.id)}
            disabled={rows.length === 1} onChange={(on) => onChange({ ...choice,
              without: on ? choice.without.filter((id) => id !== row.id) : [...choice.without, row.id] })} />
        ))}
      </fieldset>
    </div>
  );
}
