/** The divisions: what is printed on documents is changed here; what books rest on is shown. */
import { useState } from 'react';
import { addressLine, countryName } from '#kernel/address/address-lines.ts';
import { call } from '#kit/client.ts';
import { spell } from '#kernel/text/english.ts';
import { AddressForm } from '#web/controls/address/address-form.tsx';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { noPlaces } from '#web/controls/address/places-port.ts';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Skeleton } from '#web/data/empty-state.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { Money } from '#web/data/money.tsx';
import { NotLoaded } from '#web/data/not-loaded.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { optionsFrom } from '#web/query/options-from.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { staffEndpoints } from '#modules/identity/staff/staff.contract.ts';
import { COUNTRIES, territoriesOf } from '#modules/reference/places/place.contract.ts';
import { jurisdictionName } from '#modules/taxation/jurisdiction.contract.ts';
import type { Address } from '#kit/field.ts';
import { RulesForm, ruleFacts } from './division-rules.web.tsx';
import { PaymentForm, paymentFacts } from './payment-details.web.tsx';
import { systemEndpoints, type DivisionRow } from './system.contract.ts';
import { SystemHead } from './system-head.web.tsx';
import styles from './system.module.css';

const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October',
  'November', 'December'];
const staffSource = optionsFrom(staffEndpoints.list, (one) => ({ value: one.id,
  label: `${one.first_name} ${one.last_name}`, children: one.email }));
const SCHEMES: Record<string, string> = { vat: 'VAT', oss: 'OSS', sales_tax: 'Sales tax', ein: 'EIN' };

export default function DivisionsPage() {
  const read = useEndpoint(systemEndpoints.divisions, {});
  const [editing, setEditing] = useState<DivisionRow | null>(null);
  const [paying, setPaying] = useState<string | null>(null);
  const [ruling, setRuling] = useState<string | null>(null);
  const rows = read.data?.data;
  const paid = rows?.find(({ code }) => code === paying);
  const ruled = rows?.find(({ code }) => code === ruling);
  return (
    <>
      <SystemHead title="Divisions" here="/divisions" subtitle="Legal entities with books of their own" />
      <PageContent>
        {read.isError && !rows && <NotLoaded title="The divisions did not load" read={read} />}
        {!rows && !read.isError && (
          <div className={styles.waiting} aria-busy="true">
            {[380, 420, 360].map((width) => <Skeleton key={width} width={width} height={16} />)}</div>
        )}
        {rows?.map((row) => (
          <Section key={row.code} title={row.name} right={(
            <>
              <Button size="small" onClick={() => setPaying(row.code)}>
                <span>Bank details<span className="gr-hidden"> of {row.name}</span></span></Button>
              <Button size="small" onClick={() => setRuling(row.code)}>
                <span>Rules<span className="gr-hidden"> of {row.name}</span></span></Button>
              <Button size="small" onClick={() => setEditing(row)}>
                <span>Change<span className="gr-hidden"> {row.name}</span></span></Button>
            </>
          )}>
            <KeyValue facts={factsOf(row)} />
          </Section>
        ))}
      </PageContent>
      {editing && <DivisionForm key={editing.code} row={rows?.find(({ code }) => code === editing.code) ?? editing}
        onClose={() => setEditing(null)} />}
      {paid && <PaymentForm key={paid.code} row={paid} onClose={() => setPaying(null)} />}
      {ruled && <RulesForm key={ruled.code} row={ruled} onClose={() => setRuling(null)} />}
    </>
  );
}

function factsOf(row: DivisionRow) {
  return [
    { label: 'Legal entity', value: row.legal_entity_name },
    { label: 'Currency of the books', value: row.functional_currency },
    { label: 'Home country', value: countryName(row.home_country) },
    { label: 'Address', value: addressLine(row.address), wide: true },
    { label: 'Signs contracts', value: [row.signatory_name, row.signatory_title].filter(Boolean).join(', ')
      || spell`The representative of each license` },
    { label: 'Licensing representative', value: row.representative_name ?? 'No default representative' },
    { label: 'Time zone', value: row.timezone.replaceAll('_', ' ') },
    { label: 'Fiscal year begins in', value: MONTHS[row.fiscal_year_start_month - 1] },
    { label: 'Open periods', value: String(row.open_periods) },
    { label: 'Short payments written off up to', value: <Money minor={row.short_pay_tolerance_minor}
      currency={row.functional_currency} /> },
    ...ruleFacts(row),
    ...paymentFacts(row),
    row.tax_registrations.length > 0 && { label: 'Tax registrations', wide: true, value: row.tax_registrations
      .map((one) => `${jurisdictionName(one.jurisdiction)} ${SCHEMES[one.scheme] ?? one.scheme} ${one.number ?? ''}`
        .trim()).join(', ') },
  ];
}

interface Values extends Record<string, unknown> {
  name: string; legal_entity_name: string; home_country: string; address: Address;
  signatory_name: string; signatory_title: string; representative_id: number | null;
}

function DivisionForm({ row, onClose }: { row: DivisionRow; onClose: () => void }) {
  const refresh = useRefresh([systemEndpoints.divisions]);
  const form = useResourceForm<Values>({
    initial: { name: row.name, legal_entity_name: row.legal_entity_name, home_country: row.home_country,
      signatory_name: row.signatory_name, signatory_title: row.signatory_title,
      representative_id: row.representative_id,
      address: { premise: '', ...row.address } as Address },
    record: { version: row.version, read: systemEndpoints.divisions },
    submit: ({ address: { premise, ...address }, ...values }) => call(systemEndpoints.updateDivision, {
      params: { code: row.code }, body: { ...values, address: { ...address, ...(premise ? { premise } : {}) },
        version: row.version } }),
    onSaved: () => { toast('Division saved'); void refresh(); onClose(); },
  });
  const errors = Object.fromEntries(Object.entries(form.errors).filter(([path]) => path.startsWith('address.'))
    .map(([path, text]) => [path.slice('address.'.length), text]));
  const country = form.field('home_country');
  return (
    <Modal open onClose={onClose} title={`Change ${row.name}`} width={640}>
      <FormFrame form={form} aria-label={`Change ${row.name}`}>
        <FormGrid>
          <TextField label="Name" required {...form.field('name')} />
          <TextField label="Legal entity" required caption="As documents and statements name it."
            {...form.field('legal_entity_name')} />
          <AsyncSelect label="Home country" required name="home_country" value={country.value} error={country.error}
            options={COUNTRIES.map((one) => ({ value: one.code, label: one.name }))}
            caption="Decides what is domestic for tax." onChange={(value) => { if (value) country.onChange(value); }} />
          <TextField label="Contract signatory" maxLength={120}
            caption={spell`Named on contracts. Empty: the representative of each license.`}
            {...form.field('signatory_name')} />
          <TextField label="Title of the signatory" maxLength={120} {...form.field('signatory_title')} />
          <AsyncSelect label="Licensing representative" clearable source={staffSource}
            caption={spell`Named on papers and emails of productions without a representative of their own.`}
            selectedLabel={row.representative_name ?? undefined} {...form.field('representative_id')} />
        </FormGrid>
        <AddressForm name="address" value={form.values.address} countries={COUNTRIES} places={noPlaces}
          territories={territoriesOf(form.values.address.country_code)} errors={errors}
          onChange={(value) => form.set('address', value)} />
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}>Save division</Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}
