/** A recurring bill: vendor, how often, until when, and the lines of each bill. */
import { call } from '#kit/client.ts';
import { DIVISION_LABELS } from '#kit/field.ts';
import { vendorEndpoints } from '#modules/operations/vendor/vendor.contract.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { NumberField } from '#web/controls/field/number-field.tsx';
import { PercentField } from '#web/controls/field/percent-field.tsx';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm, type ResourceForm } from '#web/controls/form/use-resource-form.ts';
import { today } from '#web/data/local-day.ts';
import { DIVISION_CURRENCY } from '#web/layout/division.ts';
import { Section } from '#web/layout/page-content.tsx';
import { optionsFrom } from '#web/query/options-from.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { BillLines } from '../bill/bill-lines.web.tsx';
import { billEndpoints } from '../bill/bill.contract.ts';
import { billScheduleEndpoints, type BillScheduleDetail } from './bill-schedule.contract.ts';
import { ENDS, scheduleBody, type ScheduleDraft } from './schedule-draft.web.ts';
import { UNIT_LABELS } from './schedule-words.web.tsx';

type Form = ResourceForm<ScheduleDraft>;
interface FormProps {
  schedule: BillScheduleDetail | null; initial: ScheduleDraft; onSaved: (schedule: BillScheduleDetail) => void;
  /** Name of the vendor that `initial` chose. */
  vendorName?: string | undefined;
}

export function ScheduleForm({ schedule, initial, onSaved, vendorName }: FormProps) {
  const refresh = useRefresh([billScheduleEndpoints.list]);
  const form = useResourceForm<ScheduleDraft, { data: BillScheduleDetail }>({
    initial,
    draftKey: schedule ? undefined : 'bill-schedule/new',
    record: schedule && { entity: 'bill_schedule', id: schedule.id, version: schedule.version,
      read: billScheduleEndpoints.show },
    submit: (values, sending) => (schedule === null
      ? call(billScheduleEndpoints.create, { body: { ...scheduleBody(values), division: values.division ?? 'US' } },
        sending)
      : call(billScheduleEndpoints.update, { params: { id: schedule.id }, body: { ...scheduleBody(values),
        version: schedule.version } })),
    onSaved: ({ data }) => { void refresh(); onSaved(data); },
  });
  const { values } = form;
  const choices = useEndpoint(billEndpoints.choices, { query: { division: values.division ?? 'US',
    on: values.starts_on ?? today() } }).data?.data ?? { accounts: [], tax_codes: [] };
  return (
    <FormFrame form={form} aria-label="Recurring bill">
      <Section title="Vendor"><Head form={form} schedule={schedule} vendorName={vendorName} /></Section>
      <Section title="Days"><Days form={form} schedule={schedule} /></Section>
      <Section title="Lines of each bill" count={values.lines.length}>
        <BillLines lines={values.lines} currency={values.currency ?? 'USD'} errors={form.errors} choices={choices}
          onChange={(lines) => form.set('lines', lines)} />
      </Section>
      <FormActions>
        <Button type="submit" variant="primary" pending={form.pending}>Save recurring bill</Button>
      </FormActions>
    </FormFrame>
  );
}

const vendors = optionsFrom(vendorEndpoints.list, (row) => ({ value: row.id, label: row.name, children: row.number }),
  { query: { active: 'true' } });

function Head({ form, schedule, vendorName }: { form: Form; schedule: BillScheduleDetail | null;
  vendorName: string | undefined }) {
  const { values } = form;
  return (
    <FormGrid>
      <TextField label="Name" required caption="As Rent of the office" maxLength={120} {...form.field('name')} />
      <AsyncSelect<number> label="Vendor" required source={vendors} selectedLabel={vendorName}
        {...form.field('vendor_id')} />
      <AsyncSelect label="Division" required disabled={schedule !== null} options={optionsOf(DIVISION_LABELS)}
        {...form.field('division')} onChange={(division) => {
          form.set('division', division);
          if (division !== null) form.set('currency', DIVISION_CURRENCY[division] as 'USD');
          form.set('lines', values.lines.map((line) => ({ ...line, ledger_account_id: null, tax_code_id: null })));
        }} />
      <AsyncSelect label="Currency" required options={optionsOf({ USD: 'USD', EUR: 'EUR', GBP: 'GBP' })}
        {...form.field('currency')} />
      <PercentField label="Early payment discount" {...form.field('discount_ppm')} />
      <NumberField label="Within days" {...form.field('discount_days')} />
      <TextField label="Note" rows={2} maxLength={2_000} caption="Stands on each bill" {...form.field('memo')} />
    </FormGrid>
  );
}

function Days({ form, schedule }: { form: Form; schedule: BillScheduleDetail | null }) {
  const { end } = form.values;
  const isRunning = schedule?.last_on !== null && schedule !== null;
  return (
    <FormGrid>
      <NumberField label="Repeat every" required {...form.field('every_count')} />
      <AsyncSelect label="Unit" required options={optionsOf(UNIT_LABELS)} {...form.field('every_unit')} />
      <DateField label={isRunning ? 'Counted from' : 'First bill'} required {...form.field('starts_on')}
        caption={isRunning ? 'Another day restarts the count' : 'A short month takes its last day'} />
      <AsyncSelect label="Ends" required options={optionsOf(ENDS)} {...form.field('end')} />
      {end === 'on' && <DateField label="Last day" required {...form.field('ends_on')} />}
      {end === 'times' && <NumberField label="Number of bills" required {...form.field('times')} />}
    </FormGrid>
  );
}
