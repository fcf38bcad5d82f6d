/** Vendors: the list with its trash, the page of one, the page that adds one. */
import { isSuggested, type BackupReason } from '#kernel/tax/backup-withholding.ts';
import { spell } from '#kernel/text/english.ts';
import { approvalEndpoints } from '#modules/approvals/approval.contract.ts';
import { call } from '#kit/client.ts';
import { DIVISION_LABELS, type Address } from '#kit/field.ts';
import { AddressSection, addressOf, NO_ADDRESS } from '#web/controls/address/address-section.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { bodyValues, fieldsOf, formValues, labelsOf, optionsOf } from '#web/controls/form/resource-fields.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Badge } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import { columnsFrom } from '#web/data/columns-from.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { toast } from '#web/data/toast.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { Approvers } from '#web/data/approvers.tsx';
import { SealedSection } from '#web/layout/sealed-section.tsx';
import { TrashButton, TrashList } from '#web/layout/trash-list.tsx';
import { useNavigation } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { COUNTRIES, territoriesOf } from '#modules/reference/places/place.contract.ts';
import { payablesTabs } from '#modules/payables/payables-tabs.ts';
import { MergeButton } from './merge-vendor.web.tsx';
import { VendorFrame, VENDORS } from './vendor-frame.web.tsx';
import { vendor, vendorBulk, vendorEndpoints, vendorTrashBulk, type VendorRow } from './vendor.contract.ts';

const { fields } = vendor;
const LIST = VENDORS;
const METHOD_LABELS = { ach: 'ACH', wire: 'Wire', check: spell`Check`, bacs: 'BACS', sepa: 'SEPA' };

const FORM_LABELS = { none: 'None', w9: 'W-9', w8ben: 'W-8BEN', w8bene: 'W-8BEN-E' };
const CATEGORY_LABELS = { none: 'Not reported', nec: '1099-NEC, services', misc_rents: '1099-MISC, rents',
  misc_royalties: '1099-MISC, royalties', misc_other_income: '1099-MISC, other income',
  misc_legal: '1099-MISC, paid to attorneys' };

const BACKUP_LABELS: Readonly<Record<BackupReason, string>> = { none: 'Not withheld', no_tin: 'No taxpayer number',
  b_notice: 'Notice of the IRS (B notice)' };

const columns = columnsFrom<VendorRow>(fields, [
  { id: 'name', header: 'Name', kind: 'title', cell: (row) => row.name, sort: true, fixed: true, width: 260 },
  { id: 'number', header: 'Number', kind: 'code', cell: (row) => row.number, sort: true, width: 110 },
  { id: 'contact', header: 'Contact', kind: 'muted', cell: (row) => row.contact_name, width: 170,
    edit: { field: 'contact_name', as: 'text', value: (row) => row.contact_name, optional: true } },
  { id: 'city', header: 'City', kind: 'muted', cell: (row) => row.address?.locality, width: 150 },
  { id: 'divisions', header: 'Divisions', kind: 'muted', width: 150,
    cell: (row) => row.divisions.map((code) => DIVISION_LABELS[code]).join(', ') },
  { id: 'method', header: 'Paid by', kind: 'muted', cell: (row) => METHOD_LABELS[row.payment_method], width: 90,
    edit: { field: 'payment_method', as: 'select', value: (row) => row.payment_method,
      options: optionsOf(METHOD_LABELS) } },
  { id: 'terms', header: 'Days to pay', kind: 'number', cell: (row) => row.payment_terms_days, width: 110,
    edit: { field: 'payment_terms_days', as: 'number', value: (row) => row.payment_terms_days } },
  { id: 'state', header: 'Status', kind: 'badge', width: 100,
    cell: (row) => <Badge tone={row.active ? 'ok' : 'neutral'} small>{row.active ? 'Active' : 'Inactive'}</Badge> },
  { id: 'updated_at', header: 'Changed', kind: 'date', cell: (row) => row.updated_at, sort: true, width: 120 },
], ['active']);

const filters = [
  { name: 'active', label: 'Status', options: optionsOf({ true: 'Active', false: 'Inactive' }) },
  { name: 'division', label: 'Division', options: optionsOf(DIVISION_LABELS) },
];

export default function VendorList() {
  const may = useMay();
  const list = useList(vendorEndpoints.list, {}, { filters: ['active', 'division'], bulk: vendorBulk,
    edit: vendorEndpoints.update });
  return (
    <TrashList<VendorRow> one="vendor" many="vendors" subtitle="Printers, binders, carriers and others we buy from"
      href={LIST} mayCreate={may('vendor.create')} mayRemove={may('vendor.delete')} endpoints={vendorEndpoints}
      tabs={payablesTabs(may)} trashColumns={columns.slice(0, 4)} trashBulk={vendorTrashBulk}>
      <DataTable label="Vendors" {...list} columns={columns} filters={filters} rowKey={(row) => row.id}
        rowHref={(row) => `${LIST}/${row.id}`} searchPlaceholder="Name, number, contact or email"
        empty={{ title: 'No vendors yet', text: 'Add the vendors who bill you, or import a list under Imports.' }} />
    </TrashList>
  );
}

export function VendorCreate() {
  const { go } = useNavigation();
  return (
    <>
      <PageHeader title="New vendor" back={LIST} />
      <PageContent record>
        <VendorForm row={null} mayWrite onSaved={(row) => {
          toast(`${row.name} was added`);
          go(`${LIST}/${row.id}`, { replace: true });
        }} />
      </PageContent>
    </>
  );
}

export function VendorPage() {
  const may = useMay();
  const refresh = useRefresh([vendorEndpoints.list]);
  return (
    <VendorFrame tab="information" actions={(row) => (
      <>
        {may('vendor.update') && <MergeButton row={row} />}
        {may('vendor.delete') && (
          <TrashButton row={row} list={LIST} endpoints={vendorEndpoints}
            text="Its bills keep its name. It can be restored from the trash." />
        )}
      </>
    )}>
      {(row) => (
        <>
          <SealedSection row={row} endpoints={vendorEndpoints} mayWrite={may('vendor.update')}
            approvers={<Approvers endpoint={approvalEndpoints.approvers} kind="vendor_bank"
              askedById={row.bank_written_by_id} />} />
          {isSuggested(row) && (
            <Callout tone="warn" title="Backup withholding required">
              Payments to this vendor are reported on a 1099, and {row.tax_form_type === 'none' ? 'no W-9 is on file'
                : 'no tax ID is on file'}. Enter the reason and the first day below, so that tax is withheld from them.
            </Callout>)}
          <VendorForm key={row.id} row={row} mayWrite={may('vendor.update')}
            onSaved={() => { toast('Vendor saved'); void refresh(); }} />
        </>
      )}
    </VendorFrame>
  );
}

interface VendorFormProps { row: VendorRow | null; mayWrite: boolean; onSaved: (row: VendorRow) => void }

function VendorForm({ row, mayWrite, onSaved }: VendorFormProps) {
  const form = useResourceForm<Record<string, unknown>, { data: VendorRow }>({
    initial: { ...formValues(fields, row), address: row?.address ?? NO_ADDRESS,
      remit_to_address: row?.remit_to_address ?? NO_ADDRESS },
    record: row && { entity: 'vendor', id: row.id, version: row.version, read: vendorEndpoints.show },
    submit: (values, sending) => {
      const body = { ...bodyValues(fields, values), address: addressOf(values.address as Address),
        remit_to_address: addressOf(values.remit_to_address as Address) };
      return row
        ? call(vendorEndpoints.update, { params: { id: row.id }, body: { ...body, version: row.version } })
        : call(vendorEndpoints.create, { body }, sending);
    },
    onSaved: ({ data }) => onSaved(data),
    draftKey: row ? `vendor/${row.id}` : 'vendor/new',
  });
  const show = fieldsOf(form, fields, { disabled: mayWrite ? [] : Object.keys(fields),
    choices: { payment_method: METHOD_LABELS, default_currency: { USD: 'USD', EUR: 'EUR', GBP: 'GBP' },
      tax_form_type: FORM_LABELS, tax_1099_category: CATEGORY_LABELS, backup_withholding_reason: BACKUP_LABELS } });
  const places = { form, countries: COUNTRIES, territoriesOf, disabled: !mayWrite };
  return (
    <FormFrame form={form} labels={labelsOf(fields)}>
      <Section title="The vendor">
        <FormGrid>
          {show('name')}{show('legal_name')}{show('contact_name')}{show('email')}{show('phone')}{show('website')}
          {show('divisions')}
        </FormGrid>
        {show('active')}
      </Section>
      <Section title="Payment">
        <FormGrid>
          {show('default_currency')}{show('payment_method')}{show('payment_terms_days')}{show('vat_number')}
        </FormGrid>
      </Section>
      <Section title="Tax form">
        <FormGrid>
          {show('tax_form_type')}{show('tax_form_received_on')}{show('tax_1099_category')}
          {show('backup_withholding_reason')}{show('backup_withholding_from')}
        </FormGrid>
      </Section>
      <AddressSection {...places} name="address" title="Address" />
      <AddressSection {...places} name="remit_to_address" title="Payments go to"
        description="Only where that is another place." />
      <Section title="Notes">{show('notes')}{show.others()}</Section>
      {mayWrite && (
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}>{row ? 'Save vendor' : 'Add vendor'}</Button>
        </FormActions>
      )}
    </FormFrame>
  );
}
