/** Facts of a licence: what is produced, by whom, who answers for it, when it is executed; and the memos about it. */
import { addressLine } from '#kernel/address/address-lines.ts';
import { payByReasonOf, reasonWords } from '#kernel/licensing/pay-by.ts';
import { spell } from '#kernel/text/english.ts';
import { Button } from '#web/controls/button/button.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { NumberField } from '#web/controls/field/number-field.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { call } from '#kit/client.ts';
import { useQueryClient } from '@tanstack/react-query';
import { DateText, formatDay } from '#web/data/date-text.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { dayOf } from '#web/data/local-day.ts';
import { Money } from '#web/data/money.tsx';
import { toast } from '#web/data/toast.tsx';
import { Columns, PageContent, Section, SideColumn } from '#web/layout/page-content.tsx';
import { AppLink } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { LICENSE_MEMOS, Memos } from '../memos/memos.web.tsx';
import {
  CATEGORY_CHOICES, FEE_METHOD_WORDS, optionsOf, ORCHESTRATION_WORDS, plainWords, POLICY_WORDS,
  PRODUCTION_TYPE_WORDS, wordsOf, totalWords,
} from '../words.web.ts';
import { LicenseFrame } from './license-frame.web.tsx';
import type { LicenseView } from './license-view.web.ts';
import { licenseEndpoints, type LicenseRow } from './license.contract.ts';
import styles from '../licensing.module.css';

export default function InformationTab() {
  return <LicenseFrame>{(view) => <Information key={view.license.id} view={view} />}</LicenseFrame>;
}

function Information({ view }: { view: LicenseView }) {
  const { license } = view;
  const may = useMay();
  const edits = license.phase === 'draft' && may('license.update');
  return (
    <Columns side={(
      <SideColumn label="Memos" width={360}>
        <Memos calls={LICENSE_MEMOS} id={license.id} mayWrite={may('license.update')} />
      </SideColumn>
    )}>
      <PageContent record fullWidth>
        <Section title="Production">{edits ? <ProductionForm license={license} /> : <ProductionFacts
          license={license} />}</Section>
        <Section title="Show and customer"><Parties license={license} /></Section>
        <Section title="Money and dates"><MoneyFacts license={license} /></Section>
      </PageContent>
    </Columns>
  );
}

function ProductionFacts({ license }: { license: LicenseRow }) {
  return (
    <KeyValue facts={[
      { label: spell`Title on the license`, value: license.title_on_license },
      { label: spell`Producing organization`, value: license.producing_organisation },
      { label: 'Category', value: CATEGORY_CHOICES.find((choice) => choice.value === license.category)?.label },
      { label: 'Type', value: wordsOf(PRODUCTION_TYPE_WORDS, license.production_type) },
      { label: 'Orchestration', value: license.orchestration && plainWords(ORCHESTRATION_WORDS[license.orchestration]
        ?? '') },
      { label: 'Cast', value: license.cast_size },
      { label: 'Executed when', value: wordsOf(POLICY_WORDS, license.execution_policy) },
      { label: 'Purchase order', value: license.purchase_order_no },
      { label: 'Why this policy', value: license.execution_policy_reason, wide: true },
    ].filter((fact) => Boolean(fact.value))} />
  );
}

const initialOf = (license: LicenseRow) => ({
  title_on_license: license.title_on_license, producing_organisation: license.producing_organisation,
  category: license.category as string | null, production_type: license.production_type as string | null,
  orchestration: license.orchestration as string | null, cast_size: license.cast_size,
  execution_policy: license.execution_policy as string | null, execution_policy_reason: license.execution_policy_reason
    ?? '',
  purchase_order_no: license.purchase_order_no ?? '',
});

function ProductionForm({ license }: { license: LicenseRow }) {
  const client = useQueryClient();
  const form = useResourceForm({
    initial: initialOf(license), draftKey: `license/${license.id}/information`,
    record: { entity: 'license', id: license.id, version: license.version, read: licenseEndpoints.show },
    submit: (values) => call(licenseEndpoints.update, { params: { licenseId: license.id }, body: {
      version: license.version, title_on_license: values.title_on_license,
      producing_organisation: values.producing_organisation, cast_size: values.cast_size,
      category: (values.category ?? undefined) as LicenseRow['category'] | undefined,
      production_type: (values.production_type ?? undefined) as LicenseRow['production_type'] | undefined,
      orchestration: values.orchestration as LicenseRow['orchestration'],
      execution_policy: (values.execution_policy ?? undefined) as LicenseRow['execution_policy'] | undefined,
      execution_policy_reason: values.execution_policy_reason || null, purchase_order_no: values.purchase_order_no
        || null,
    } }),
    onSaved: () => {
      toast('Saved');
      void client.invalidateQueries({ predicate: (query) =>
        String(query.queryKey[0]).includes(licenseEndpoints.list.path) });
    },
  });
  return (
    <FormFrame form={form} aria-label="Production">
      <FormGrid>
        <TextField label={spell`Title on the license`} required {...form.field('title_on_license')} />
        <TextField label={spell`Producing organization`} {...form.field('producing_organisation')} />
        <AsyncSelect<string> label="Category" required options={CATEGORY_CHOICES} {...form.field('category')} />
        <AsyncSelect<string> label="Type"
          options={optionsOf(PRODUCTION_TYPE_WORDS)} {...form.field('production_type')} />
        <AsyncSelect<string> label="Orchestration" clearable {...form.field('orchestration')}
          options={optionsOf(ORCHESTRATION_WORDS).map((option) => ({ ...option, label: plainWords(option.label) }))} />
        <NumberField label="Cast" {...form.field('cast_size')} />
        <AsyncSelect<string> label="Executed when"
          options={optionsOf(POLICY_WORDS)} {...form.field('execution_policy')} />
        <TextField label="Why this policy" {...form.field('execution_policy_reason')} />
        <TextField label="Purchase order" {...form.field('purchase_order_no')} />
      </FormGrid>
      <FormActions>
        <Button type="submit" variant={form.dirty ? 'primary' : 'secondary'} pending={form.pending}
          reason={form.dirty ? undefined : 'Nothing has changed'}>Save information</Button>
        {form.dirty && <Button variant="quiet" onClick={() => form.reset()}>Undo changes</Button>}
      </FormActions>
    </FormFrame>
  );
}

function Parties({ license }: { license: LicenseRow }) {
  return (
    <KeyValue facts={[
      { label: 'Show', value: <span className="gr-serif">{license.show_title}</span> },
      { label: 'Authors', value: license.show?.authors_credit && plainWords(license.show.authors_credit) },
      { label: 'Show code', value: license.show_code },
      { label: 'Customer', value: <AppLink className="gr-link"
        href={`/admin/customers/${license.customer_id}`}>{license.customer_name}</AppLink> },
      { label: 'Billing address', value: addressLine(license.customer?.billing_address) },
      { label: 'Representative', value: license.license_rep_name },
      ...(license.license_application_id ? [{ label: 'Application', value: (
        <AppLink className="gr-link"
          href={`/admin/applications/${license.license_application_id}`}>Open the application</AppLink>
      ) }] : []),
    ].filter((fact) => Boolean(fact.value))} />
  );
}

/** 'Jan 14, 2027, so that the materials can ship on Jan 21, 2027'. */
function payByOf(license: LicenseRow) {
  const reason = reasonWords(payByReasonOf(license), (date) => formatDay(date), 'staff');
  return license.pay_by && <><DateText value={license.pay_by} />{reason !== null && `, ${reason}`}</>;
}

function MoneyFacts({ license }: { license: LicenseRow }) {
  const amount = (minor: number) => <Money minor={minor} currency={license.currency} />;
  const day = (value: string | null) => value && <DateText value={dayOf(value)} />;
  const rented = license.materials_total_minor > 0;
  return (
    <>
      <KeyValue facts={[
        license.priced_at !== null && { label: totalWords(license), value: amount(license.grand_total_minor) },
        license.invoiced_minor > 0 && { label: 'Invoiced', value: amount(license.invoiced_minor) },
        license.invoiced_minor > 0 && { label: 'Paid', value: amount(license.paid_minor) },
        license.invoiced_minor > 0 && { label: 'Balance', value: amount(license.balance_minor) },
        Boolean(license.fee_method) && { label: 'Fee', value: wordsOf(FEE_METHOD_WORDS, license.fee_method) },
        Boolean(license.offer_expires_on) && { label: 'Offer expires', value: day(license.offer_expires_on) },
        Boolean(license.pay_by) && { label: 'Pay by', value: payByOf(license) },
        rented && Boolean(license.ship_on) && { label: 'Rental begins', value: day(license.ship_on) },
        rented && Boolean(license.return_due_on) && { label: 'Rental ends', value: day(license.return_due_on) },
        Boolean(license.settlement_due_on) && { label: 'Settlement due', value: day(license.settlement_due_on) },
        { label: 'Started', value: day(license.created_at) },
        Boolean(license.cancel_reason) && { label: spell`Canceled because`, value: license.cancel_reason, wide: true },
      ]} />
      {license.priced_at === null && <p className={styles.muted}>It has not been priced yet.</p>}
    </>
  );
}
