/** The form of a customer: the same fields for a new one and for changing one. */
import type { BodyIn, ResponseOf } from '#kit/endpoint.ts';
import { call } from '#kit/client.ts';
import { DIVISION_LABELS, initialOf } from '#kit/field.ts';
import { spell } from '#kernel/text/english.ts';
import { AddressForm } from '#web/controls/address/address-form.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { MoneyField } from '#web/controls/field/money-field.tsx';
import { MultiSelect } from '#web/controls/select/multi-select.tsx';
import { NumberField } from '#web/controls/field/number-field.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Section } from '#web/layout/page-content.tsx';
import { COUNTRIES, territoriesOf } from '#modules/reference/places/place.contract.ts';
import { customer, customerEndpoints } from './customer.contract.ts';
import { choicesOf, KIND_LABELS, POLICY_LABELS } from './customer-labels.web.ts';

type Body = BodyIn<typeof customerEndpoints.create>;
/** A select that is being searched holds null; the server says which of them it needs. */
type Values = { [K in keyof Body]: Body[K] extends boolean | unknown[] ? Body[K] : Body[K] | null }
  & Record<string, unknown>;
type Row = ResponseOf<typeof customerEndpoints.show>['data'];

const FIELDS = Object.keys(customer.fields);
const DIVISION_CHOICES = choicesOf(DIVISION_LABELS);
const CURRENCY_CHOICES = choicesOf({ USD: 'USD', EUR: 'EUR', GBP: 'GBP' });
const NO_ADDRESS = {
  country_code: 'US', thoroughfare: '', premise: '', locality: '', administrative_area: '', postal_code: '',
};

function valuesOf(row: Row | null): Values {
  if (!row) return { ...initialOf(customer.fields), billing_address: NO_ADDRESS } as Values;
  const values = Object.fromEntries(FIELDS.map((name) => [name, row[name as keyof Row]]));
  return { ...values, billing_address: row.billing_address ?? NO_ADDRESS } as Values;
}

/** Empty texts of optional fields travel as null; an address nobody typed is none. */
function bodyOf(values: Values): Body {
  const body: Record<string, unknown> = { ...values };
  for (const [name, field] of Object.entries(customer.fields)) {
    if (!field.required && body[name] === '') body[name] = null;
  }
  const address = values.billing_address;
  const typed = address && Object.entries(address).some(([key, text]) => key !== 'country_code' && text !== '');
  const { premise, ...rest } = address ?? NO_ADDRESS;
  body.billing_address = typed ? { ...rest, ...(premise ? { premise } : {}) } : null;
  return body as Body;
}

/** Errors of the form's address, without the field's own name before them. */
function addressErrorsOf(errors: Record<string, string>): Record<string, string> {
  const prefix = 'billing_address.';
  return Object.fromEntries(Object.entries(errors).filter(([path]) => path.startsWith(prefix))
    .map(([path, text]) => [path.slice(prefix.length), text]));
}

export function CustomerForm({ row, onSaved }: { row: Row | null; onSaved: (row: Row) => void }) {
  const form = useResourceForm<Values, { data: Row }>({
    initial: valuesOf(row),
    record: row && { entity: 'customer', id: row.id, version: row.version, read: customerEndpoints.show },
    submit: (values, sending) => row
      ? call(customerEndpoints.update, { params: { id: row.id }, body: { ...bodyOf(values), version: row.version } })
      : call(customerEndpoints.create, { body: bodyOf(values) }, sending),
    onSaved: ({ data }) => onSaved(data),
    draftKey: row ? `customer/${row.id}` : 'customer/new',
  });
  const text = (name: keyof typeof customer.fields) => {
    const binding = form.field(name) as { value: string | null; onChange: (text: string) => void };
    return { ...form.field(name), value: binding.value ?? '', onChange: binding.onChange };
  };
  return (
    <FormFrame form={form} labels={Object.fromEntries(Object.entries(customer.fields).map(([k, f]) => [k, f.label]))}>
      <Section title="Name and kind" flush={false}>
        <FormGrid>
          <TextField label="Name" required {...text('name')} />
          <TextField label="Legal name" {...text('legal_name')} />
          <AsyncSelect label="Kind" required options={choicesOf(KIND_LABELS)} {...form.field('kind')} />
          <TextField label="Phone" type="tel" {...text('phone')} />
          <TextField label="Website" type="url" {...text('website')} />
          <TextField label="Statement email" type="email" {...text('statement_email')} />
        </FormGrid>
      </Section>
      <Section title="Billing address">
        <AddressForm name="billing_address" value={form.values.billing_address ?? NO_ADDRESS} countries={COUNTRIES}
          territories={territoriesOf(form.values.billing_address?.country_code ?? 'US')}
          onChange={(address) => form.set('billing_address', address)} errors={addressErrorsOf(form.errors)} />
      </Section>
      <Section title="Billing">
        <FormGrid>
          <MultiSelect label="Divisions" required options={DIVISION_CHOICES} {...form.field('divisions')} />
          <AsyncSelect label="Default division" required options={DIVISION_CHOICES}
            {...form.field('default_division')} />
          <AsyncSelect label="Default currency" required options={CURRENCY_CHOICES}
            {...form.field('default_currency')} />
          <NumberField label="Payment terms (days)" required {...form.field('payment_terms_days')} />
          <AsyncSelect label="Execution policy" clearable options={choicesOf(POLICY_LABELS)}
            caption={spell`Required before a license becomes valid, unless the offer says otherwise.`}
            {...form.field('execution_policy_default')} />
          <TextField label="VAT number" {...text('vat_number')} />
          <TextField label="Tax country" maxLength={2} {...text('tax_country')} />
          <TextField label="Evidence of business" {...text('business_evidence')} />
        </FormGrid>
        <FormGrid>
          <Checkbox label="Business customer" {...form.field('is_business')} />
          <Checkbox label="Purchase orders are accepted" {...form.field('purchase_orders_accepted')} />
          <Checkbox label="Opted in to marketing email" {...form.field('marketing_opt_in')} />
        </FormGrid>
      </Section>
      <Section title="Perusals" description="Limits on reading before they apply.">
        <FormGrid>
          <NumberField label="At a time" required {...form.field('perusal_max_open')}
            caption={customer.fields.perusal_max_open.caption} />
          <MoneyField label="Fee for books" currency={form.values.default_currency ?? ''}
            {...form.field('perusal_fee_minor')} caption="For all books of a perusal. Empty: the price of each book." />
          <NumberField label="Online access (days)" required {...form.field('perusal_days_digital')} />
          <NumberField label="Days with the books" required {...form.field('perusal_days_physical')} />
        </FormGrid>
      </Section>
      <FormActions>
        <Button type="submit" variant="primary" pending={form.pending}>{row ? 'Save customer' : 'Add customer'}</Button>
      </FormActions>
    </FormFrame>
  );
}
