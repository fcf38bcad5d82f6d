/** Tax of one customer: the facts that decide it, and the certificates that exempt from it. */
import { useState } from 'react';
import { approvalEndpoints } from '#modules/approvals/approval.contract.ts';
import { call } from '#kit/client.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { DeclineButton } from '#web/controls/button/decline-button.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { FileDrop } from '#web/controls/field/file-drop.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { ActionMenu } from '#web/data/action-menu.tsx';
import { Badge } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { AppLink } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import {
  CERTIFICATE_KIND_NAMES, CERTIFICATE_STATE_NAMES, CERTIFICATE_TONES, certificateEndpoints, type CertificateRow,
} from '#modules/taxation/exemption-certificates/exemption-certificate.contract.ts';
import { jurisdictionName } from '#modules/taxation/jurisdiction.contract.ts';
import { CustomerFrame, type CustomerRow } from './customer-frame.web.tsx';
import { choicesOf } from './customer-labels.web.ts';
import { VatNumberSection } from './customer-vat-number.web.tsx';


export default function CustomerTax() {
  return <CustomerFrame fullWidth>{(customer) => <TaxOf customer={customer} />}</CustomerFrame>;
}

function TaxOf({ customer }: { customer: CustomerRow }) {
  const may = useMay();
  const [open, setOpen] = useState<CertificateRow | 'new' | null>(null);
  const edit = may('customer.update');
  return (
    <PageContent record fullWidth>
      <Profile customer={customer} />
      <VatNumberSection key={customer.vat_number ?? ''} customerId={customer.id} />
      <Section title="Exemption certificates" right={edit && (
        <Button size="small" onClick={() => setOpen('new')}>Add certificate</Button>)}
        description="One that is valid on the tax date replaces the rate; quotes and invoices name it.">
        <Certificates customer={customer} edit={edit} onChange={setOpen} />
      </Section>
      {open !== null && (
        <CertificateForm customer={customer} row={open === 'new' ? null : open} onClose={() => setOpen(null)} />)}
    </PageContent>
  );
}

function Profile({ customer }: { customer: CustomerRow }) {
  return (
    <Section title="Tax status" right={(
      <AppLink className="gr-link" href={`/admin/customers/${customer.id}/information`}>Change</AppLink>)}>
      <KeyValue facts={[
        { label: 'Tax country', value: customer.tax_country ?? customer.billing_address?.country_code
          ?? 'Unknown: enter a billing address' },
        customer.billing_address?.administrative_area
          ? { label: 'State or region', value: customer.billing_address.administrative_area } : false,
        { label: 'Buys as', value: customer.is_business ? 'Business' : 'Consumer' },
      ]} />
    </Section>
  );
}

function Certificates({ customer, edit, onChange }: {
  customer: CustomerRow; edit: boolean; onChange: (row: CertificateRow) => void;
}) {
  const read = useEndpoint(certificateEndpoints.list, { params: { id: customer.id } });
  const [leaving, setLeaving] = useState<CertificateRow | null>(null);
  const withdraw = useAction(certificateEndpoints.remove, { done: 'Withdrawn' });
  const address = `/api/admin/staff/customers/${customer.id}/exemption_certificates`;
  const columns: readonly Column<CertificateRow>[] = [
    { id: 'jurisdiction', header: 'Valid in', kind: 'title', cell: (row) => jurisdictionName(row.jurisdiction),
      fixed: true, width: 140 },
    { id: 'kind', header: 'Kind', kind: 'muted', cell: (row) => CERTIFICATE_KIND_NAMES[row.kind], width: 120 },
    { id: 'number', header: 'Number', kind: 'code', cell: (row) => row.number, width: 180 },
    { id: 'state', header: 'Status', kind: 'badge', width: 130,
      cell: (row) => <Badge tone={CERTIFICATE_TONES[row.state]} small>{CERTIFICATE_STATE_NAMES[row.state]}</Badge> },
    { id: 'from', header: 'From', kind: 'date', cell: (row) => row.valid_from, width: 120 },
    { id: 'until', header: 'Until', kind: 'date', cell: (row) => row.expires_on, width: 120 },
    { id: 'file', header: 'File', width: 180, cell: (row) => row.file_name !== null && (
      <a className="gr-link" href={`${address}/${row.id}/document`} download="">{row.file_name}</a>) },
    ...(edit ? [{ id: 'actions', header: 'Actions', kind: 'actions' as const, width: 80,
      cell: (row: CertificateRow) => (
      <ActionMenu label={`Actions for ${row.number}`} actions={[
        { label: 'Change', onSelect: () => onChange(row) },
        { label: 'Withdraw', danger: true, onSelect: () => setLeaving(row) },
      ]} />) }] : []),
  ];
  return (
    <>
      {(read.data?.data ?? []).filter((row) => row.state === 'pending').map((row) => (
        <Uploaded key={row.id} row={row} edit={edit} />))}
      <DataTable label="Exemption certificates" variant="record" columns={columns} rows={read.data?.data}
        rowKey={(row) => row.id} error={read.isError ? read.error : null} onRetry={() => void read.refetch()}
        empty={{ title: 'No certificates', text: 'This customer is taxed by where it is and what it buys.' }} />
      <ConfirmDialog open={leaving !== null} danger confirm="Withdraw" title={`Withdraw ${leaving?.number ?? ''}?`}
        text="From now on tax is charged again. Invoices that were exempted by it stay as they are."
        onCancel={() => setLeaving(null)}
        onConfirm={() => {
          if (leaving) void withdraw.run({ params: { id: customer.id, certificateId: leaving.id } });
          setLeaving(null);
        }} />
    </>
  );
}

/** Uploaded by the customer: no tax changes before it is verified here or in the approvals inbox. */
function Uploaded({ row, edit }: { row: CertificateRow; edit: boolean }) {
  const refresh = [certificateEndpoints.list, certificateEndpoints.every, approvalEndpoints.list];
  const verify = useAction(certificateEndpoints.verify, { done: 'Certificate verified', refresh });
  const params = { id: row.customer_id, certificateId: row.id };
  return (
    <Callout tone="warn" title={`${row.uploaded_by_name ?? 'The customer'} uploaded ${row.number}`} action={edit && (
      <>
        <Button variant="primary" size="small" pending={verify.pending}
          onClick={() => void verify.run({ params, body: { version: row.version } })}>Verify</Button>
        <DeclineButton endpoint={certificateEndpoints.refuse} params={params} body={{ version: row.version }}
          title={`certificate ${row.number}`}
          text="Tax is charged as before. The customer’s admins get the reason by email."
          refresh={refresh} />
      </>
    )}>
      Compare it with its file below. It changes no tax before it is verified.
    </Callout>
  );
}

/** Text fields and the file travel together; the file is kept until the form is sent. */
function CertificateForm({ customer, row, onClose }: {
  customer: CustomerRow; row: CertificateRow | null; onClose: () => void;
}) {
  const refresh = useRefresh([certificateEndpoints.list, certificateEndpoints.every]);
  const [file, setFile] = useState<File | null>(null);
  const form = useResourceForm({
    initial: {
      jurisdiction: row?.jurisdiction ?? placeOf(customer), number: row?.number ?? '',
      kind: (row?.kind ?? 'school') as CertificateRow['kind'] | null,
      valid_from: row?.valid_from ?? null, expires_on: row?.expires_on ?? null,
    },
    submit: (values) => save(customer.id, row, values, file),
    onSaved: () => { toast(row ? 'Certificate saved' : 'Certificate added'); void refresh(); onClose(); },
  });
  return (
    <Modal open onClose={onClose} title={row ? `Certificate ${row.number}` : 'Add certificate'} width={600}>
      <FormFrame form={form} aria-label="Exemption certificate">
        <FormGrid>
          <TextField label="Valid in" required disabled={row !== null} {...form.field('jurisdiction')}
            caption="US-NY for a state, US for all of them" />
          <AsyncSelect label="Kind" required options={choicesOf(CERTIFICATE_KIND_NAMES)} {...form.field('kind')} />
          <TextField label="Number" required {...form.field('number')} />
          <DateField label="From" {...form.field('valid_from')} caption="Defaults to today." />
          <DateField label="Last day" {...form.field('expires_on')} caption="Empty: it does not run out." />
        </FormGrid>
        {row?.used && (
          <Callout tone="info" title="Invoices were exempted by it">Only its last day and its file change.</Callout>)}
        <FileDrop label={row?.file_name ? `Replace ${row.file_name}` : 'The certificate as received'} taken="chosen"
          types={['.pdf', '.png', '.jpg', '.jpeg']} onUpload={async (chosen) => { setFile(chosen); }} />
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}>
            {row ? 'Save certificate' : 'Add certificate'}
          </Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}

type Values = { jurisdiction: string; number: string; kind: CertificateRow['kind'] | null; valid_from: string | null;
  expires_on: string | null };

function save(customerId: number, row: CertificateRow | null, values: Values, file: File | null) {
  const kind = values.kind ?? 'school';
  const own = { number: values.number, kind, ...(values.valid_from === null ? {} : { valid_from: values.valid_from }) };
  if (row === null) {
    const body = { ...own, jurisdiction: values.jurisdiction,
      ...(values.expires_on === null ? {} : { expires_on: values.expires_on }) };
    return call(certificateEndpoints.create, { params: { id: customerId }, body }, { form: formOf(body, file) });
  }
  const body = { ...own, expires_on: values.expires_on ?? '', version: row.version };
  return call(certificateEndpoints.update, { params: { id: customerId, certificateId: row.id }, body },
    { form: formOf(body, file) });
}

function formOf(body: Record<string, string | number>, file: File | null): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(body)) data.set(name, String(value));
  if (file) data.set('file', file);
  return data;
}

/** Jurisdiction in which this customer's certificate will be valid, as far as the address tells. */
function placeOf(customer: CustomerRow): string {
  const country = customer.tax_country ?? customer.billing_address?.country_code ?? '';
  const state = customer.billing_address?.administrative_area ?? '';
  return country === 'US' && /^[A-Z]{2}$/.test(state) ? `US-${state}` : country;
}
