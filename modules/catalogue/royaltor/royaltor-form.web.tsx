/** The form of a royaltor: who, where, how paid, how taxed. */
import { call } from '#kit/client.ts';
import type { Address } from '#kit/field.ts';
import { spell } from '#kernel/text/english.ts';
import { AddressForm } from '#web/controls/address/address-form.tsx';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { bodyValues, fieldsOf, formValues, labelsOf } from '#web/controls/form/resource-fields.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Section } from '#web/layout/page-content.tsx';
import { COUNTRIES, territoriesOf } from '#modules/reference/places/place.contract.ts';
import { ROYALTOR_KIND_LABELS, royaltorSource } from '../catalogue-labels.web.ts';
import { royaltor, royaltorEndpoints, type RoyaltorRow } from './royaltor.contract.ts';

const { fields } = royaltor;
const NO_ADDRESS = {
  country_code: 'US', thoroughfare: '', premise: '', locality: '', administrative_area: '', postal_code: '',
};
const WORDS = {
  kind: ROYALTOR_KIND_LABELS,
  currency: { USD: 'USD', EUR: 'EUR', GBP: 'GBP' },
  payment_method: { ach: 'ACH', wire: 'Wire', check: spell`Check`, bacs: 'BACS', sepa: 'SEPA' },
  statement_frequency: { monthly: 'Monthly', quarterly: 'Quarterly', semi_annual: 'Twice a year', annual: 'Yearly' },
  delivery: { email: 'Email', portal: 'Portal', post: 'Post' },
  tax_form_type: { none: 'None', w9: 'W-9', w8ben: 'W-8BEN', w8bene: 'W-8BEN-E', treaty_direction: 'Treaty direction' },
  us_1099_type: { none: 'None', '1099_misc': '1099-MISC', '1042_s': '1042-S' },
  vat_status: { none: 'None', registered: 'Registered', foreign_business: 'Business abroad' },
};

/** An address nobody typed is none. */
function addressOf(address: Address): Address | null {
  const typed = Object.entries(address).some(([key, text]) => key !== 'country_code' && text !== '');
  const { premise, ...rest } = address;
  return typed ? { ...rest, ...(premise ? { premise } : {}) } : null;
}

function below(errors: Record<string, string>, prefix: string): Record<string, string> {
  return Object.fromEntries(Object.entries(errors).filter(([path]) => path.startsWith(prefix))
    .map(([path, text]) => [path.slice(prefix.length), text]));
}

export interface RoyaltorFormProps { row: RoyaltorRow | null; mayWrite: boolean; onSaved: (row: RoyaltorRow) => void }

export function RoyaltorForm({ row, mayWrite, onSaved }: RoyaltorFormProps) {
  const form = useResourceForm<Record<string, unknown>, { data: RoyaltorRow }>({
    initial: { ...formValues(fields, row), address: row?.address ?? NO_ADDRESS },
    record: row && { entity: 'royaltor', id: row.id, version: row.version, read: royaltorEndpoints.show },
    submit: (values, sending) => {
      const body = { ...bodyValues(fields, values), address: addressOf(values.address as Address) };
      return row
        ? call(royaltorEndpoints.update, { params: { id: row.id }, body: { ...body, version: row.version } })
        : call(royaltorEndpoints.create, { body }, sending);
    },
    onSaved: ({ data }) => onSaved(data),
    draftKey: row ? `royaltor/${row.id}` : 'royaltor/new',
  });
  const address = form.values.address as Address;
  const residence = form.field('residence_country') as { value: string | null; onChange: (v: string | null) => void };
  const show = fieldsOf(form, fields, { choices: WORDS, sources: { agent_royaltor_id: royaltorSource },
    selected: { agent_royaltor_id: row?.agent_name }, disabled: mayWrite ? [] : Object.keys(fields) });
  return (
    <FormFrame form={form} labels={labelsOf(fields)}>
      <Section title="Name and kind">
        <FormGrid>
          {show('name')}{show('kind')}{show('legal_name')}{show('pen_name')}{show('email')}{show('phone')}
          {show('agent_royaltor_id')}{show('divisions')}
        </FormGrid>
        {show('active')}
      </Section>
      <Section title="Address">
        <AddressForm name="address" value={address} countries={COUNTRIES} disabled={!mayWrite}
          territories={territoriesOf(address.country_code)} onChange={(value) => form.set('address', value)}
          errors={below(form.errors, 'address.')} />
      </Section>
      <Section title="Statements and payment">
        <FormGrid>
          {show('statement_frequency')}{show('delivery')}{show('currency')}{show('payment_method')}
          {show('min_payout_minor')}{show('min_payout_tier2_minor')}
        </FormGrid>
      </Section>
      <Section title="Tax profile" description="Decides what is withheld when a royalty is paid.">
        <FormGrid>
          <AsyncSelect label="Country of residence" required {...residence} disabled={!mayWrite}
            error={form.errors.residence_country} onChange={(value) => residence.onChange(value)}
            options={COUNTRIES.map((country) => ({ value: country.code, label: country.name }))} />
          {show('tax_form_type')}{show('tax_form_expires_on')}{show('us_1099_type')}
          {show('wht_override_ppm')}{show('treaty_article')}{show('vat_status')}{show('vat_no')}
          {show('self_billing_from')}{show('self_billing_expires_on')}
        </FormGrid>
        {show('author_by_profession')}{show.others('residence_country')}
      </Section>
      {mayWrite && (
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}>
            {row ? 'Save royaltor' : 'Add royaltor'}
          </Button>
        </FormActions>
      )}
    </FormFrame>
  );
}
