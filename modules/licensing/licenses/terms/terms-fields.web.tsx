/** The fields of the terms, in the order in which the contract prints them. */
import { spell } from '#kernel/text/english.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { FormGrid } from '#web/controls/form/form-frame.tsx';
import { MoneyField } from '#web/controls/field/money-field.tsx';
import { MultiSelect } from '#web/controls/select/multi-select.tsx';
import { NumberField } from '#web/controls/field/number-field.tsx';
import { PercentField } from '#web/controls/field/percent-field.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import type { ResourceForm, ValueAt } from '#web/controls/form/use-resource-form.ts';
import { Section } from '#web/layout/page-content.tsx';
import { optionsOf, plainWords } from '../../words.web.ts';
import { RIGHT_WORDS } from './terms-words.web.ts';
import type { TermsRow } from './terms.contract.ts';
import styles from '../../licensing.module.css';

export type TermsValues = Omit<TermsRow, 'license_id' | 'report_scope' | 'version'>;
type Form = ResourceForm<TermsValues>;

const choices = <V extends string>(...values: readonly V[]) =>
  values.map((value) => ({ value, label: plainWords(value) }));

type ChoiceName = 'video_clause' | 'logo_usage' | 'report_frequency' | 'cancellation_policy';

/** A select for a fixed list whose value is never empty. */
function Choice<Name extends ChoiceName>({ form, name, label, values }: {
  form: Form; name: Name; label: string; values: readonly TermsValues[Name][] }) {
  return (
    <AsyncSelect<TermsValues[Name]> label={label} options={choices(...values)} name={name} error={form.errors[name]}
      value={form.values[name]}
      onChange={(value) => { if (value !== null) form.set(name, value as ValueAt<TermsValues, Name>); }} />
  );
}

export function TermsFields({ form, currency }: { form: Form; currency: string }) {
  return (
    <>
      <Section title="Rights">
        <FormGrid>
          <div data-wide>
            <MultiSelect<string> label="Rights granted" required options={optionsOf(RIGHT_WORDS)}
              value={form.values.rights_granted} error={form.errors.rights_granted}
              onChange={(values) => form.set('rights_granted', values as TermsValues['rights_granted'])} />
          </div>
          <TextField label="Language" {...form.field('language')} />
          <TextField label="Territory" {...form.field('territory')} />
          <Checkbox label="Exclusive" {...form.field('exclusive')} />
          {form.values.exclusive && <NumberField
            label="Exclusive within, km" {...form.field('exclusivity_radius_km')} />}
          {form.values.exclusive && <DateField label="Exclusive from" {...form.field('exclusive_from')} />}
          {form.values.exclusive && <DateField label="Exclusive to" {...form.field('exclusive_to')} />}
          <NumberField label="At most performances" {...form.field('max_performances')} />
          <NumberField label="Average seats at most" {...form.field('average_seat_cap')} />
          <MoneyField label="Ticket price at most" currency={currency} {...form.field('ticket_price_cap_minor')} />
          <Choice form={form} name="video_clause" label="Video"
            values={['none', 'archival', 'personal_noncommercial']} />
          <Choice form={form} name="logo_usage" label="Logo" values={['none', 'licensed']} />
          <Checkbox label="Replica elements forbidden" {...form.field('replica_elements_forbidden')} />
        </FormGrid>
      </Section>
      <Section title="Reporting and money">
        <FormGrid>
          <Choice form={form} name="report_frequency" label="Box office reported per"
            values={['performance', 'week', 'run', 'none']} />
          <NumberField label="Reports due after, days" value={form.values.report_due_days}
            error={form.errors.report_due_days}
            onChange={(days) => form.set('report_due_days', days ?? 0)} />
          <PercentField label="Interest when late, per month" value={form.values.late_interest_ppm_per_month}
            error={form.errors.late_interest_ppm_per_month}
              onChange={(ppm) => form.set('late_interest_ppm_per_month', ppm ?? 0)} />
          <NumberField label="Complimentary tickets" value={form.values.comps} error={form.errors.comps}
            onChange={(comps) => form.set('comps', comps ?? 0)} />
          <Choice form={form} name="cancellation_policy" label="Cancellation"
            values={['standard', 'liquidated_damages', 'professional']} />
          <Checkbox label="Right to audit" {...form.field('audit_right')} />
        </FormGrid>
      </Section>
      <Section title="Billing" count={form.values.billing.length || undefined}><BillingFields form={form} /></Section>
      <Section title="Wording">
        <div className={styles.stack}>
          <TextField label="Presenter line" {...form.field('presenter_line')} />
          <TextField label={spell`In the program`} rows={2} {...form.field('mandatory_program_text')} />
          <TextField label="Changes to the work" rows={2} {...form.field('changes_clause')} />
          <FormGrid>
            <TextField label="Merchandise" rows={2} {...form.field('merchandise')} />
            <TextField label="Insurance" rows={2} {...form.field('insurance')} />
          </FormGrid>
          <TextField label="Governing law" {...form.field('governing_law')} />
          <TextField label="Other terms" rows={5} {...form.field('other_terms')} />
        </div>
      </Section>
    </>
  );
}

const NEW_LINE: TermsValues['billing'][number] = {
  text: '', role: '', percent_of_title_ppm: 500_000, placement: 'below', logo_required: false,
};

function BillingFields({ form }: { form: Form }) {
  const lines = form.values.billing;
  return (
    <div className={styles.stack}>
      <div className={styles.pair}>
        <PercentField label="Licensee's own name, of the title" value={form.values.licensee_billing_ppm}
          error={form.errors.licensee_billing_ppm} onChange={(ppm) => form.set('licensee_billing_ppm', ppm ?? 0)} />
      </div>
      {lines.map((line, index) => (
        <div key={index} className={styles.stack} role="group" aria-label={`Billing line ${index + 1}`}>
          <div className={styles.triple}>
            <TextField label="Line" required {...form.field(`billing.${index}.text`)} />
            <TextField label="Role" {...form.field(`billing.${index}.role`)} />
            <PercentField label="Of the title" value={line.percent_of_title_ppm}
              error={form.errors[`billing.${index}.percent_of_title_ppm`]}
              onChange={(ppm) => form.set(`billing.${index}.percent_of_title_ppm`, ppm ?? 0)} />
          </div>
          <div className={styles.row}>
            <div className={styles.grow}>
              <Checkbox label="With logo" value={line.logo_required}
                onChange={(checked) => form.set(`billing.${index}.logo_required`, checked)} />
            </div>
            <Button size="small" variant="quiet" aria-label={`Remove billing line ${index + 1}`}
              onClick={() => form.set('billing', lines.filter((_, at) => at !== index))}>Remove</Button>
          </div>
        </div>
      ))}
      <div><Button size="small" onClick={() => form.set('billing', [...lines,
        NEW_LINE])}>Add billing line</Button></div>
    </div>
  );
}
