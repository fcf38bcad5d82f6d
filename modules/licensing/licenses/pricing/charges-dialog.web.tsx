/** Hire, further periods, add-ons and fees of a draft: chosen from the catalogue, priced while they are chosen. */
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { formatRate } from '#kernel/money/money.ts';
import { spell } from '#kernel/text/english.ts';
import { Button, IconButton } from '#web/controls/button/button.tsx';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { MoneyField } from '#web/controls/field/money-field.tsx';
import { NumberField } from '#web/controls/field/number-field.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { Callout } from '#web/data/callout.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { ActionDialog, errorsOf } from '../../action-dialog.web.tsx';
import type { LicenseDialogProps } from '../license-view.web.ts';
import { licenseEndpoints } from '../license.contract.ts';
import { chargesOf, choicesDraft, chargesMissing, type ChargesDraft } from './charges-draft.web.ts';
import { PriceChange } from './price-change.web.tsx';
import { pricingEndpoints, type ChargeChoices } from './pricing.contract.ts';
import styles from '../../licensing.module.css';

export function ChargesDialog(props: LicenseDialogProps) {
  const read = useEndpoint(pricingEndpoints.chargeChoices, { params: { licenseId: props.view.license.id } });
  if (read.data) return <ChargesForm {...props} choices={read.data.data} />;
  return (
    <Modal open onClose={props.onClose} title="Materials, add-ons and fees">
      {read.isError ? <Callout tone="error" title="The choices did not load">{read.error.message}</Callout>
        : <Skeleton height={160} />}
    </Modal>
  );
}

function ChargesForm({ view, onClose, choices }: LicenseDialogProps & { choices: ChargeChoices }) {
  const { license } = view;
  const [draft, setDraft] = useState<ChargesDraft>(() => choicesDraft(choices.selection));
  const action = useAction(pricingEndpoints.charges, { refresh: [licenseEndpoints.show], onFailure: () => undefined,
    onDone: onClose, done: 'The charges are saved' });
  const change = (next: Partial<ChargesDraft>) => setDraft({ ...draft, ...next });
  const submit = () => void action.run({ params: { licenseId: license.id },
    body: { version: license.version, ...chargesOf(draft), reason: draft.reason } });
  return (
    <ActionDialog title="Materials, add-ons and fees" submit="Save charges" width={680} action={action}
      onClose={onClose} onSubmit={submit} reason={chargesMissing(draft)}
      known={draft.fees.flatMap((_, index) => [`fees.${index}.description`, `fees.${index}.amount_minor`])}
      text={spell`Charges in addition to the royalty. Prices come from the catalog, and the draft is priced again.`}>
      <Rental choices={choices} draft={draft} onChange={change} />
      <AddOns choices={choices} draft={draft} onChange={change} performances={license.number_of_performances} />
      <Fees draft={draft} currency={choices.currency} errors={errorsOf(action.failure)} onChange={change} />
      <TextField label="Reason" required rows={2} maxLength={1000} value={draft.reason}
        onChange={(reason) => change({ reason })} caption="Stands in the history of the quote." />
      <PriceChange license={license} wish={{ charges: chargesOf(draft) }} />
    </ActionDialog>
  );
}

interface PartProps { draft: ChargesDraft; onChange: (next: Partial<ChargesDraft>) => void }

function Rental({ choices, draft, onChange }: PartProps & { choices: ChargeChoices }) {
  const pack = choices.package;
  if (!pack) return <p className={styles.muted}>This show rents nothing out in this division and currency.</p>;
  const unit = pack.included_period_count === 1 ? pack.period_unit : `${pack.period_unit}s`;
  const price = `${formatAmount(pack.price_minor)} with ${pack.included_period_count} ${unit}`;
  return (
    <fieldset className={styles.group}>
      <legend>Materials</legend>
      <Checkbox label={pack.name} value={draft.with_package} onChange={(on) => onChange({ with_package: on })}
        caption={pack.shipping_minor > 0 ? `${price}, shipping ${formatAmount(pack.shipping_minor)}` : price} />
      {draft.with_package && (
        <div className={styles.short}>
          <NumberField label={`Further ${pack.period_unit}s`} value={draft.extra_periods}
            onChange={(count) => onChange({ extra_periods: count })}
            caption={`${formatAmount(pack.extra_period_price_minor)} each`} />
        </div>
      )}
    </fieldset>
  );
}

const MODELS: Readonly<Record<string, string>> = {
  flat: '', per_performance: 'per performance', per_week: 'per week', per_user: 'per person',
};

function priceWords(one: ChargeChoices['add_ons'][number]): string {
  if (one.share_ppm !== null) return `${formatRate(BigInt(one.share_ppm))} of what the stream takes, billed by report`;
  return [formatAmount(one.price_minor), MODELS[one.pricing_model]].filter(Boolean).join(' ');
}

function AddOns({ choices, draft, onChange, performances }: PartProps & {
  choices: ChargeChoices; performances: number;
}) {
  if (choices.add_ons.length === 0) return null;
  const set = (id: number, count: number | null | undefined) => {
    const next = new Map(draft.add_ons);
    if (count === undefined) next.delete(id);
    else next.set(id, count);
    onChange({ add_ons: next });
  };
  return (
    <fieldset className={styles.group}>
      <legend>Add-ons</legend>
      {choices.add_ons.map((one) => {
        const chosen = draft.add_ons.has(one.id);
        const each = one.pricing_model === 'per_performance';
        return (
          <div key={one.id} className={styles.choiceRow}>
            <Checkbox label={one.name} value={chosen} onChange={(on) => set(one.id, on ? 1 : undefined)}
              caption={priceWords(one)} />
            {chosen && each && <span className={styles.muted}>{performances} performances</span>}
            {chosen && !each && one.share_ppm === null && (
              <NumberField label={`Quantity of ${one.name}`} hideLabel value={draft.add_ons.get(one.id) ?? null}
                onChange={(count) => set(one.id, count)} />
            )}
          </div>
        );
      })}
    </fieldset>
  );
}

function Fees({ draft, currency, errors, onChange }: PartProps & {
  currency: ChargeChoices['currency']; errors: Readonly<Record<string, string>>;
}) {
  const set = (index: number, next: Partial<ChargesDraft['fees'][number]>) =>
    onChange({ fees: draft.fees.map((fee, at) => (at === index ? { ...fee, ...next } : fee)) });
  return (
    <fieldset className={styles.group}>
      <legend>Fees</legend>
      {draft.fees.map((fee, index) => (
        <div key={fee.key} className={styles.feeRow}>
          <TextField label="Description" hideLabel placeholder="Description" maxLength={200} value={fee.description}
            onChange={(description) => set(index, { description })} error={errors[`fees.${index}.description`]} />
          <MoneyField label={`Amount of ${fee.description || 'the fee'}`} hideLabel currency={currency}
            value={fee.amount_minor} onChange={(amount) => set(index, { amount_minor: amount })}
            error={errors[`fees.${index}.amount_minor`]} />
          <IconButton label={`Remove ${fee.description || 'the fee'}`} icon={<Glyph icon={Trash2} size={16} />}
            onClick={() => onChange({ fees: draft.fees.filter((one) => one !== fee) })} />
        </div>
      ))}
      <div>
        <Button size="small" icon={<Glyph icon={Plus} size={15} />} reason={draft.fees.length >= 20
          ? 'Twenty fees are the most' : undefined} onClick={() => onChange({ fees: [...draft.fees,
          { key: `${Date.now()}`, description: '', amount_minor: null }] })}>Add a fee</Button>
      </div>
    </fieldset>
  );
}
