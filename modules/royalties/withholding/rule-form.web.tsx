/** A new withholding rule; an existing one is ended or its reason put right: its rate was paid by. */
import { call } from '#kit/client.ts';
import { FORM_NAMES } from '#kernel/royalties/withholding.ts';
import { isUsDivision } from '#kernel/tax/year-end-forms.ts';
import { COUNTRIES } from '#modules/reference/places/place.contract.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { PercentField } from '#web/controls/field/percent-field.tsx';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Callout } from '#web/data/callout.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { today } from '#web/data/local-day.ts';
import { toast } from '#web/data/toast.tsx';
import type { Division } from '#web/layout/division.ts';
import { Modal } from '#web/layout/overlay.tsx';
import { useRefresh } from '#web/query/use-refresh.ts';
import { rateWords } from '../royalty-words.web.ts';
import { INCOME_WORDS, payeeCountry, PAYEE_WORDS } from './rule-words.web.ts';
import { withholdingEndpoints, type WhtRule } from './withholding.contract.ts';

const LABELS = { income_kind: 'Payments', payee_country: 'Payees in', kind: 'Who', form: 'With form', rate_ppm: 'Rate',
  description: 'Why', valid_from: 'From', valid_to: 'Until' };
const COUNTRY_CHOICES = COUNTRIES.map((country) => ({ value: country.code, label: country.name }));

export function RuleForm({ division, onClose }: { division: Division; onClose: () => void }) {
  const refresh = useRefresh([withholdingEndpoints.list]);
  const form = useResourceForm({
    initial: { division, income_kind: 'royalty' as WhtRule['income_kind'], payee_country: null as string | null,
      kind: null as WhtRule['kind'], form: null as WhtRule['form'], rate_ppm: null as number | null, description: '',
      valid_from: today() as string | null, valid_to: null as string | null },
    submit: (values, sending) => call(withholdingEndpoints.create, { body: { ...values, rate_ppm: values.rate_ppm!,
      valid_from: values.valid_from ?? '' } }, sending),
    onSaved: ({ data }) => {
      toast(`${rateWords(data.rate_ppm)} from ${data.valid_from} entered`);
      onClose();
      void refresh();
    },
  });
  return (
    <Modal open onClose={onClose} title="New withholding rule" width={640}>
      <FormFrame form={form} labels={LABELS} aria-label="Withholding rule">
        <FormGrid>
          {isUsDivision(division) && <AsyncSelect label="Payments" options={optionsOf(INCOME_WORDS)}
            {...form.field('income_kind')} onChange={(kind) => {
              form.set('income_kind', kind ?? 'royalty');
              for (const name of ['payee_country', 'kind', 'form'] as const) form.set(name, null);
            }} />}
          {form.values.income_kind === 'royalty' && (
            <>
              <AsyncSelect label="Payees in" placeholder="Any country" clearable options={COUNTRY_CHOICES}
                {...form.field('payee_country')} />
              <AsyncSelect label="Who" placeholder="Everybody" clearable options={optionsOf(PAYEE_WORDS)}
                {...form.field('kind')} />
              <AsyncSelect label="With form" placeholder="Any form" clearable options={optionsOf(FORM_NAMES)}
                {...form.field('form')} />
            </>)}
          <PercentField label="Rate" required {...form.field('rate_ppm')} />
          <DateField label="From" required {...form.field('valid_from')} />
          <DateField label="Until" {...form.field('valid_to')} />
        </FormGrid>
        <TextField label="Why" required {...form.field('description')}
          caption="The treaty, the law or the letter that the rate comes from." />
        <Callout tone="info" title="A tax adviser confirms a rate before it is paid by">
          It counts for payments made from now on that leave between its first and its last day.
        </Callout>
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}>Enter rule</Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}

export function RuleChangeForm({ rule, onClose }: { rule: WhtRule; onClose: () => void }) {
  const refresh = useRefresh([withholdingEndpoints.list]);
  const form = useResourceForm({
    initial: { description: rule.description, valid_to: rule.valid_to },
    record: { entity: 'wht_rule', id: rule.id, version: rule.version, read: withholdingEndpoints.list },
    submit: (values) => call(withholdingEndpoints.update, { params: { id: rule.id },
      body: { ...values, version: rule.version } }),
    onSaved: () => {
      toast('Withholding rule saved');
      onClose();
      void refresh();
    },
  });
  return (
    <Modal open onClose={onClose} title={`${rateWords(rule.rate_ppm)}, ${payeeCountry(rule.payee_country)}`}
      width={560}>
      <FormFrame form={form} labels={LABELS} aria-label="Withholding rule">
        <KeyValue facts={[
          { label: 'Payments', value: INCOME_WORDS[rule.income_kind] },
          { label: 'Who', value: rule.kind === null ? 'Everybody' : PAYEE_WORDS[rule.kind] },
          { label: 'With form', value: rule.form === null ? 'Any form' : FORM_NAMES[rule.form] },
          { label: 'From', value: formatDay(rule.valid_from) },
        ]} />
        <DateField label="Until" {...form.field('valid_to')}
          caption="Its last day. Another rate begins with a new rule on the day after." />
        <TextField label="Why" required {...form.field('description')} />
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}>Save rule</Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}
