/** Terms of a licence: read as facts, changed as one form while it is a draft (domain.md 6.3). */
import { useQueryClient } from '@tanstack/react-query';
import { call } from '#kit/client.ts';
import { spell } from '#kernel/text/english.ts';
import { Button } from '#web/controls/button/button.tsx';
import { FormActions, FormFrame } from '#web/controls/form/form-frame.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { KeyValue, type Fact } from '#web/data/key-value.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { NotLoaded } from '#web/data/not-loaded.tsx';
import { toast } from '#web/data/toast.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { percentText } from '#kernel/pricing/trace.ts';
import { LicenseFrame } from '../license-frame.web.tsx';
import type { LicenseView } from '../license-view.web.ts';
import { licenseEndpoints, type LicenseRow } from '../license.contract.ts';
import { plainWords } from '../../words.web.ts';
import { TermsFields } from './terms-fields.web.tsx';
import { RIGHT_WORDS } from './terms-words.web.ts';
import { termsEndpoints, type TermsRow } from './terms.contract.ts';

export default function TermsTab() {
  return <LicenseFrame>{(view) => <Terms view={view} />}</LicenseFrame>;
}

function Terms({ view }: { view: LicenseView }) {
  const { license } = view;
  const may = useMay();
  const read = useEndpoint(termsEndpoints.show, { params: { licenseId: license.id } });
  const terms = read.data?.data;
  if (read.isError && !terms) {
    return <NotLoaded title="The terms did not load" read={read} />;
  }
  if (!terms) return <PageContent record><Skeleton height={220} /></PageContent>;
  const edits = license.phase === 'draft' && may('license.update');
  return (
    <PageContent record>
      {edits ? <TermsForm key={license.id} terms={terms} license={license} /> : <TermsFacts terms={terms}
        license={license} />}
    </PageContent>
  );
}

function TermsForm({ terms, license }: { terms: TermsRow; license: LicenseRow }) {
  const client = useQueryClient();
  const { license_id: licenseId, report_scope: _computed, version, ...fields } = terms;
  const form = useResourceForm({
    initial: fields, draftKey: `license/${licenseId}/terms`,
    record: { entity: 'license', id: licenseId, version, read: termsEndpoints.show },
    submit: (values) => call(termsEndpoints.update, { params: { licenseId }, body: { ...values, version } }),
    onSaved: () => {
      toast('Terms saved');
      void client.invalidateQueries({ predicate: (query) =>
        String(query.queryKey[0]).includes(licenseEndpoints.list.path) });
    },
  });
  return (
    <FormFrame form={form} aria-label="Terms">
      <TermsFields form={form} currency={license.currency} />
      <FormActions>
        <Button type="submit" variant={form.dirty ? 'primary' : 'secondary'} pending={form.pending}
          reason={form.dirty ? undefined : 'Nothing has changed'}>Save terms</Button>
        {form.dirty && <Button variant="quiet" onClick={() => form.reset()}>Undo changes</Button>}
      </FormActions>
    </FormFrame>
  );
}

type BillingLine = TermsRow['billing'][number];
const billingColumns: readonly Column<BillingLine>[] = [
  { id: 'text', header: 'Line', kind: 'title', cell: (line) => line.text, width: 260 },
  { id: 'role', header: 'Role', kind: 'muted', cell: (line) => plainWords(line.role) },
  { id: 'size', header: 'Size', kind: 'number', width: 110,
    cell: (line) => `${percentText(BigInt(line.percent_of_title_ppm))}% of title` },
  { id: 'placement', header: 'Placement', cell: (line) => plainWords(line.placement), width: 120 },
];

const percent = (ppm: number) => `${percentText(BigInt(ppm))}%`;
const count = (value: number | null) => (value === null ? '' : value.toLocaleString('en-US'));

function rightsFacts(terms: TermsRow, currency: string): Fact[] {
  return [
    { label: 'Rights granted', value: terms.rights_granted.map((right) => RIGHT_WORDS[right] ?? right).join(', '),
      wide: true },
    { label: 'Language', value: terms.language }, { label: 'Territory', value: terms.territory },
    { label: 'Exclusive', value: !terms.exclusive ? 'No' : terms.exclusivity_radius_km
      ? `Yes, ${terms.exclusivity_radius_km} km` : 'Yes' },
    { label: 'Exclusive between', value: [formatDay(terms.exclusive_from),
      formatDay(terms.exclusive_to)].filter(Boolean).join(' and ') },
    { label: 'At most performances', value: count(terms.max_performances) },
    { label: 'Average seats at most', value: count(terms.average_seat_cap) },
    { label: 'Ticket price at most', value: formatAmount(terms.ticket_price_cap_minor,
      terms.ticket_price_cap_minor === null ? null : currency) },
    { label: 'Video', value: plainWords(terms.video_clause) }, { label: 'Logo', value: plainWords(terms.logo_usage) },
  ];
}

function reportFacts(terms: TermsRow): Fact[] {
  return [
    ...terms.report_scope === null
      ? [{ label: 'Box-office reports', value: 'None: no part of the price depends on sales' }]
      : [{ label: 'Box office reported per', value: plainWords(terms.report_scope) },
        { label: 'Reports due after', value: `${terms.report_due_days} days` }],
    { label: 'Interest when late', value: `${percent(terms.late_interest_ppm_per_month)} a month` },
    { label: 'Complimentary tickets', value: count(terms.comps) },
    { label: 'Right to audit', value: terms.audit_right ? 'Yes' : 'No' },
    { label: 'Cancellation', value: plainWords(terms.cancellation_policy) },
  ];
}

function textFacts(terms: TermsRow): Fact[] {
  return [
    { label: 'Presenter line', value: terms.presenter_line }, { label: spell`In the program`,
      value: terms.mandatory_program_text },
    { label: 'Changes to the work', value: terms.changes_clause }, { label: 'Merchandise', value: terms.merchandise },
    { label: 'Insurance', value: terms.insurance }, { label: 'Governing law', value: terms.governing_law },
    { label: 'Other terms', value: terms.other_terms },
  ].map((fact) => ({ ...fact, wide: true }));
}

const said = (facts: Fact[]) => facts.filter((fact) => fact.value !== '' && fact.value !== null);

function TermsFacts({ terms, license }: { terms: TermsRow; license: LicenseRow }) {
  return (
    <>
      <Section title="Rights"><KeyValue facts={said(rightsFacts(terms, license.currency))} /></Section>
      <Section title="Reporting and money"><KeyValue facts={reportFacts(terms)} /></Section>
      {terms.billing.length > 0 && (
        <Section title="Billing" count={terms.billing.length}
          right={`Licensee at ${percent(terms.licensee_billing_ppm)} of the title`}>
          <DataTable label="Billing" variant="record" columns={billingColumns} rows={terms.billing}
            rowKey={(line) => line.text} />
        </Section>
      )}
      {said(textFacts(terms)).length > 0 && <Section title="Wording"><KeyValue
        facts={said(textFacts(terms))} /></Section>}
    </>
  );
}
