/** The form of a rate card: asks only what the chosen method needs, and says the card in words while it is typed. */
import { call } from '#kit/client.ts';
import { DIVISION_LABELS } from '#kit/field.ts';
import { deductionLabel } from '#kernel/pricing/deduction-words.ts';
import { DEDUCTION_TYPES } from '#kernel/pricing/rate-card.ts';
import { spell } from '#kernel/text/english.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { MoneyField } from '#web/controls/field/money-field.tsx';
import { NumberField } from '#web/controls/field/number-field.tsx';
import { PercentField } from '#web/controls/field/percent-field.tsx';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm, type FieldBinding, type ResourceForm } from '#web/controls/form/use-resource-form.ts';
import { today } from '#web/data/local-day.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { classificationEndpoints } from '#modules/customers/classification/classification.contract.ts';
import { CATEGORY_LABELS, FEE_METHOD_LABELS, GROSS_BASIS_LABELS, POLICY_LABELS } from '../catalogue-labels.web.ts';
import { currencyOfDivision } from '../agreement/agreement.contract.ts';
import styles from '../catalogue.module.css';
import { packageEndpoints } from '../package/package.contract.ts';
import { RowsEditor } from '../rows-editor.web.tsx';
import {
  rateCardEndpoints, rateCardInput, SIMPLE_METHODS, type RateCardInput, type RateCardRow,
} from './rate-card.contract.ts';
import { cardInWords, methodsOf } from './rate-card-rules.ts';

/** A field that is being typed in may be empty. */
type Values = { [K in keyof RateCardInput]: RateCardInput[K] extends number ? number | null : RateCardInput[K] }
  & Record<string, unknown>;
type Form = ResourceForm<Values>;

const NAMES = Object.keys(rateCardInput.shape) as (keyof RateCardInput)[];
const CURRENCIES = optionsOf({ USD: 'USD', EUR: 'EUR', GBP: 'GBP' });
const WEEKDAYS = optionsOf({ 0: 'Sunday', 1: 'Monday', 2: 'Tuesday', 3: 'Wednesday', 4: 'Thursday', 5: 'Friday',
  6: 'Saturday' }).map((day) => ({ ...day, value: Number(day.value) }));

/** A new card of the show, or a copy of one that goes on from it. */
export function startOf(showId: number, from: RateCardRow | null): Values {
  if (from) return Object.fromEntries(NAMES.map((name) => [name, from[name]])) as Values;
  return { ...rateCardInput.parse({ show_id: showId, category: 'Amateur', division: 'US', currency: 'USD',
    effective_from: today(), fee_method: 'percent_potential',
    execution_policy: 'paid_in_full' }) } as Values;
}

/** Empty amounts are zero, as the table keeps them. */
function bodyOf(values: Values): RateCardInput {
  const zeros = ['min_per_performance_minor', 'min_per_run_minor', 'min_per_week_minor', 'min_performances',
    'round_up_to_minor', 'advance_minor', 'deposit_minor'] as const;
  return { ...values, ...Object.fromEntries(zeros.map((name) => [name, values[name] ?? 0])),
    week_start: values.week_start ?? 1 } as RateCardInput;
}

export interface RateCardFormProps {
  showId: number;
  /** Draft that is changed; null makes a new one. */
  card: RateCardRow | null;
  /** A new draft starts with the figures of this one. */
  copyOf: RateCardRow | null;
  onSaved: (card: RateCardRow) => void;
}

export function RateCardForm({ showId, card, copyOf, onSaved }: RateCardFormProps) {
  const form = useResourceForm<Values, { data: RateCardRow }>({
    initial: startOf(showId, card ?? copyOf),
    record: card && { entity: 'rate_card', id: card.id, version: card.version, read: rateCardEndpoints.list },
    submit: (values, sending) => card
      ? call(rateCardEndpoints.update, { params: { id: card.id }, body: { ...bodyOf(values), version: card.version } })
      : call(rateCardEndpoints.create, { body: bodyOf(values) }, sending),
    onSaved: ({ data }) => onSaved(data),
  });
  const words = cardInWords(bodyOf(form.values));
  return (
    <FormFrame form={form} guard={false} aria-label="Rate card">
      <div className={styles.stack}>
        <p className={styles.sentence} aria-live="polite">{words.join(' ')}</p>
        <Scope form={form} />
        <Method form={form} />
        <Minimums form={form} />
        <Terms form={form} showId={showId} />
      </div>
      <FormActions>
        <Button type="submit" variant="primary" pending={form.pending}>{card ? 'Save draft' : 'Save as draft'}</Button>
      </FormActions>
    </FormFrame>
  );
}

function Scope({ form }: { form: Form }) {
  const read = useEndpoint(classificationEndpoints.list, { query: { per_page: 100 } });
  const classes = (read.data?.data ?? []).map((row) => ({ value: row.id, label: row.name }));
  const division = form.field('division');
  return (
    <FormGrid>
      <AsyncSelect label="Category" required options={optionsOf(CATEGORY_LABELS)} {...form.field('category')}
        onChange={(value) => value && form.set('category', value as Values['category'])} />
      <AsyncSelect label="Division" required options={optionsOf(DIVISION_LABELS)} {...division} onChange={(value) => {
        if (value === null) return;
        form.set('division', value as Values['division']);
        form.set('currency', currencyOfDivision[value as Values['division']]);
      }} />
      <AsyncSelect label="Currency" required options={CURRENCIES} {...form.field('currency')}
        onChange={(value) => value && form.set('currency', value as Values['currency'])} />
      <AsyncSelect<number> label="Only for customers classified as" clearable options={classes}
        {...form.field('customer_classification_id')} />
      <DateField label="In force from" required {...form.field('effective_from')}
        onChange={(value) => form.set('effective_from', value ?? '')} />
      <DateField label="Until" caption="Open: until a newer card follows." {...form.field('effective_to')} />
    </FormGrid>
  );
}

function Method({ form }: { form: Form }) {
  const { values } = form;
  const methods = methodsOf(bodyOf(values));
  const simple = optionsOf(Object.fromEntries(SIMPLE_METHODS.map((method) => [method, FEE_METHOD_LABELS[method]])));
  return (
    <>
      <FormGrid>
        <AsyncSelect label="Fee" required options={optionsOf(FEE_METHOD_LABELS)} {...form.field('fee_method')}
          onChange={(value) => value && form.set('fee_method', value as Values['fee_method'])} />
        {values.fee_method === 'greater_of' && (
          <>
            <AsyncSelect label="First method" required options={simple} {...form.field('greater_of_first')}
              onChange={(value) => form.set('greater_of_first', value as Values['greater_of_first'])} />
            <AsyncSelect label="Second method" required options={simple} {...form.field('greater_of_second')}
              onChange={(value) => form.set('greater_of_second', value as Values['greater_of_second'])} />
          </>
        )}
        {methods.some((method) => method.startsWith('percent_')) && (
          <PercentField label="Percentage" required {...form.field('rate_ppm')} />
        )}
        {methods.includes('percent_potential') && (
          <AsyncSelect label="Of which gross" options={optionsOf(GROSS_BASIS_LABELS)} {...form.field('gross_basis')}
            onChange={(value) => value && form.set('gross_basis', value as Values['gross_basis'])} />
        )}
        {values.fee_method === 'flat_run' && (
          <MoneyField label="For the whole run" required currency={values.currency} {...form.field('flat_run_minor')} />
        )}
      </FormGrid>
      {methods.includes('flat') && (
        <RowsEditor label="Amount per performance" add="Add tier" rows={values.performance_tiers}
          error={form.errors.performance_tiers} onChange={(rows) => form.set('performance_tiers', rows)}
          blank={(last) => ({ from_n: (last?.from_n ?? 0) + 1, amount_minor: last?.amount_minor ?? 0 })}>
          {(i) => (
            <>
              <NumberField label="From performance" {...numeric(form, `performance_tiers.${i}.from_n`)} />
              <MoneyField label="Each" currency={values.currency}
                {...numeric(form, `performance_tiers.${i}.amount_minor`)} />
            </>
          )}
        </RowsEditor>
      )}
      {methods.includes('seat_band') && (
        <RowsEditor label="Amount by seats" add="Add band" rows={values.seat_bands}
          caption="Both ends belong to the band; a house in no band is quoted by hand."
          error={form.errors.seat_bands} onChange={(rows) => form.set('seat_bands', rows)}
          blank={(last) =>
            ({ from_seats: last?.to_seats == null ? 0 : last.to_seats + 1, to_seats: null, amount_minor: 0 })}>
          {(i) => (
            <>
              <NumberField label="From seats" {...numeric(form, `seat_bands.${i}.from_seats`)} />
              <NumberField label="To seats" {...numeric(form, `seat_bands.${i}.to_seats`)} />
              <MoneyField label="Per performance" currency={values.currency}
                {...numeric(form, `seat_bands.${i}.amount_minor`)} />
            </>
          )}
        </RowsEditor>
      )}
    </>
  );
}

type Numeric = FieldBinding<number | null>;

/** A number below a list: the path's type is known to the caller only. */
function numeric(form: Form, path: string): Numeric {
  return form.field(path) as unknown as Numeric;
}

/** A choice below a list. */
function chosen(form: Form, path: string): FieldBinding<string | null> {
  return form.field(path) as unknown as FieldBinding<string | null>;
}

function Minimums({ form }: { form: Form }) {
  const { currency } = form.values;
  if (form.values.fee_method === 'negotiated') return null;
  const each = form.values.fee_method !== 'flat_run';
  return (
    <FormGrid>
      {each && (
        <MoneyField label="At least, per performance" currency={currency}
          {...form.field('min_per_performance_minor')} />
      )}
      {each && <MoneyField label="At least, per week" currency={currency} {...form.field('min_per_week_minor')} />}
      <MoneyField label="At least, for the run" currency={currency} {...form.field('min_per_run_minor')} />
      {each && <MoneyField label="Round up to" currency={currency} {...form.field('round_up_to_minor')} />}
      {each && (
        <AsyncSelect label="Rounded" options={optionsOf({ performance: 'Each performance', run: 'The whole run' })}
          {...form.field('round_up_scope')}
          onChange={(value) => value && form.set('round_up_scope', value as Values['round_up_scope'])} />
      )}
      <NumberField label="Fewest performances charged" {...form.field('min_performances')} />
    </FormGrid>
  );
}

function Terms({ form, showId }: { form: Form; showId: number }) {
  const { values } = form;
  const read = useEndpoint(packageEndpoints.list,
    { query: { show_id: showId, division: values.division, per_page: 100 } });
  const packages = (read.data?.data ?? []).filter((row) => row.currency === values.currency)
    .map((row) => ({ value: row.id, label: row.name }));
  return (
    <>
      <FormGrid>
        <AsyncSelect label={spell`The license is executed when`} required options={optionsOf(POLICY_LABELS)}
          {...form.field('execution_policy')}
          onChange={(value) => value && form.set('execution_policy', value as Values['execution_policy'])} />
        <AsyncSelect<number> label="Rental package" clearable options={packages} {...form.field('show_package_id')} />
        <MoneyField label="Advance" currency={values.currency} {...form.field('advance_minor')} />
        <MoneyField label="Deposit" currency={values.currency} {...form.field('deposit_minor')} />
        {(values.deposit_minor ?? 0) > 0 && (
          <AsyncSelect label="Kind of deposit" required {...form.field('deposit_kind')}
            options={optionsOf({ security: 'Security: paid back', on_account: 'On account: set against the fee' })}
            onChange={(value) => form.set('deposit_kind', value as Values['deposit_kind'])} />
        )}
        <FreeAdmission form={form} />
      </FormGrid>
      <Settlement form={form} />
      <TextField label="Notes for staff" rows={2} {...form.field('notes')} />
    </>
  );
}

function FreeAdmission({ form }: { form: Form }) {
  const { free_admission_kind: kind, currency } = form.values;
  return (
    <>
      <AsyncSelect label="Free admission pays" clearable {...form.field('free_admission_kind')}
        options={optionsOf({ min: 'The minimum', percent_of_min: 'A part of the minimum', flat: 'An amount' })}
        onChange={(value) => form.set('free_admission_kind', value as Values['free_admission_kind'])} />
      {kind === 'percent_of_min' && (
        <PercentField label="Of the minimum" required {...form.field('free_admission_ppm')} />
      )}
      {kind === 'flat' && (
        <MoneyField label="Amount" required currency={currency} {...form.field('free_admission_minor')} />
      )}
    </>
  );
}

/** Terms that apply once the box office is in: scope, weeks, escalation, deductions. */
function Settlement({ form }: { form: Form }) {
  const { values } = form;
  return (
    <>
      <FormGrid>
        <AsyncSelect label="Guaranteed by" {...form.field('guarantee_scope')}
          options={optionsOf({ performance: 'Performance', week: 'Week', run: 'Run' })}
          onChange={(value) => value && form.set('guarantee_scope', value as Values['guarantee_scope'])} />
        <AsyncSelect label="True-up after the run" {...form.field('true_up')}
          options={optionsOf({ none: 'None', down_only: 'Down only', up_only: 'Up only', both: 'Up and down' })}
          onChange={(value) => value && form.set('true_up', value as Values['true_up'])} />
        {values.guarantee_scope === 'week' && (
          <>
            <AsyncSelect<number> label="Weeks begin on" options={WEEKDAYS} {...form.field('week_start')} />
            <NumberField label="Performances of a full week" {...form.field('full_week_performances')} />
          </>
        )}
      </FormGrid>
      {(values.min_per_week_minor ?? 0) > 0 && (
        <Checkbox label="A week without a performance owes the weekly minimum too"
          {...form.field('empty_week_owes_minimum')} />
      )}
      {values.advance_minor !== null && values.advance_minor > 0 && (
        <Checkbox label="The minimum counts towards the advance" {...form.field('minimum_counts_toward_advance')} />
      )}
      <RowsEditor label="Higher rates" add="Add rate" rows={values.gross_tiers} error={form.errors.gross_tiers}
        onChange={(rows) => form.set('gross_tiers', rows)}
        blank={() => ({ from_gross_minor: 0, rate_ppm: 0, mode: 'marginal' as const, after_recoupment: false })}>
        {(i) => (
          <>
            <MoneyField label="From a gross of" currency={values.currency}
              {...numeric(form, `gross_tiers.${i}.from_gross_minor`)} />
            <PercentField label="Rate" {...numeric(form, `gross_tiers.${i}.rate_ppm`)} />
            <AsyncSelect label="Of" options={optionsOf({ marginal: 'The part above', retroactive: 'The whole gross' })}
              {...chosen(form, `gross_tiers.${i}.mode`)} />
            <Checkbox label="Once recouped" value={values.gross_tiers[i]?.after_recoupment ?? false}
              onChange={(checked) => form.set('gross_tiers', values.gross_tiers.map((row, at) =>
                at === i ? { ...row, after_recoupment: checked } : row))} />
          </>
        )}
      </RowsEditor>
      <RowsEditor label="Deductions a return may claim" add="Add deduction" rows={values.deductions}
        error={form.errors.deductions} onChange={(rows) => form.set('deductions', rows)}
        blank={() => ({ type: DEDUCTION_TYPES.find((type) => !values.deductions.some((row) => row.type === type))
          ?? 'admission_tax', cap_ppm: null })}>
        {(i) => (
          <>
            <AsyncSelect label="Deduction" options={DEDUCTION_TYPES.map((type) =>
              ({ value: type as string, label: deductionLabel(type) }))}
              {...chosen(form, `deductions.${i}.type`)} />
            <PercentField label="At most, of the gross" {...numeric(form, `deductions.${i}.cap_ppm`)} />
          </>
        )}
      </RowsEditor>
    </>
  );
}
