/** Banks: the list with its trash, the page of one, the page that adds one. */
import { call } from '#kit/client.ts';
import { Button } from '#web/controls/button/button.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { bodyValues, fieldsOf, formValues, labelsOf } from '#web/controls/form/resource-fields.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { columnsFrom } from '#web/data/columns-from.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { toast } from '#web/data/toast.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { TrashButton, TrashList } from '#web/layout/trash-list.tsx';
import { useIdParam, useNavigation } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint, useList } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { accountColumns } from '../bank-account/bank-account-list.web.tsx';
import { bankAccountEndpoints } from '../bank-account/bank-account.contract.ts';
import { BANK_ACCOUNTS, BANKS, bankingTabs } from '../banking-tabs.ts';
import { bank, bankBulk, bankEndpoints, bankTrashBulk, type BankRow } from './bank.contract.ts';

const { fields } = bank;

const columns = columnsFrom<BankRow>(fields, [
  { id: 'name', header: 'Name', kind: 'title', cell: (row) => row.name, sort: true, fixed: true, width: 260 },
  { id: 'country', header: 'Country', kind: 'muted', cell: (row) => row.country, width: 90 },
  { id: 'bic', header: 'BIC', kind: 'code', cell: (row) => row.bic, width: 130 },
  { id: 'accounts', header: 'Accounts', kind: 'number', cell: (row) => row.account_count, width: 100 },
  { id: 'contact', header: 'Contact', kind: 'muted', cell: (row) => row.contact_name, width: 170,
    edit: { field: 'contact_name', as: 'text', value: (row) => row.contact_name, optional: true } },
  { id: 'phone', header: 'Phone', kind: 'muted', cell: (row) => row.phone, width: 150,
    edit: { field: 'phone', as: 'text', value: (row) => row.phone, optional: true } },
  { id: 'updated_at', header: 'Changed', kind: 'date', cell: (row) => row.updated_at, sort: true, width: 120 },
], []);

export default function BankList() {
  const may = useMay();
  const list = useList(bankEndpoints.list, {}, { bulk: bankBulk, edit: bankEndpoints.update });
  return (
    <TrashList<BankRow> one="bank" many="banks" subtitle="Banks that hold the company’s accounts" href={BANKS}
      mayCreate={may('bank.create')} mayRemove={may('bank.list_trash')} endpoints={bankEndpoints}
      tabs={bankingTabs(may)} trashColumns={columns.slice(0, 3)} trashBulk={bankTrashBulk}>
      <DataTable label="Banks" {...list} columns={columns} rowKey={(row) => row.id}
        rowHref={(row) => `${BANKS}/${row.id}`} searchPlaceholder="Name, BIC, contact or phone"
        empty={{ title: 'No banks yet', text: 'Add the bank first, then its accounts.' }} />
    </TrashList>
  );
}

export function BankCreate() {
  const { go } = useNavigation();
  return (
    <>
      <PageHeader title="New bank" back={BANKS} />
      <PageContent record>
        <BankForm row={null} mayWrite onSaved={(row) => {
          toast(`${row.name} was added`);
          go(`${BANKS}/${row.id}`, { replace: true });
        }} />
      </PageContent>
    </>
  );
}

export function BankPage() {
  const may = useMay();
  const id = useIdParam('bankId');
  const refresh = useRefresh([bankEndpoints.list]);
  const read = useEndpoint(bankEndpoints.show, { params: { id } });
  const row = read.data?.data;
  if (read.isError && !row) {
    return <RecordProblem noun="bank" list={BANKS} error={read.error} onRetry={() => void read.refetch()} />;
  }
  return (
    <>
      <PageHeader title={row?.name ?? 'Bank'} back={BANKS} activity={row && { entity: 'bank', id: row.id }}
        waiting={!row} subtitle={row && [row.country, row.bic && `BIC ${row.bic}`]}>
        {row && may('bank.delete') && (
          <TrashButton row={row} list={BANKS} endpoints={bankEndpoints}
            text="A bank with accounts stays. It can be restored from the trash." />
        )}
      </PageHeader>
      <PageContent record fullWidth>
        {row ? (
          <>
            {may('bank_account.list') && <Accounts bankId={row.id} />}
            <BankForm key={row.id} row={row} mayWrite={may('bank.update')}
              onSaved={() => { toast('Bank saved'); void refresh(); }} />
          </>
        ) : [240, 420, 360].map((width) => <p key={width}><Skeleton width={width} height={16} /></p>)}
      </PageContent>
    </>
  );
}

function Accounts({ bankId }: { bankId: number }) {
  const read = useEndpoint(bankAccountEndpoints.list, { query: { bank_id: bankId, per_page: 100 } });
  const rows = read.data?.data;
  return (
    <Section title="Accounts" {...(rows ? { count: rows.length } : {})}>
      <DataTable label="Accounts" variant="record" columns={accountColumns.filter(({ id }) => id !== 'bank')}
        rows={rows} error={read.error} onRetry={() => void read.refetch()} rowKey={(row) => row.id}
        rowHref={(row) => `${BANK_ACCOUNTS}/${row.id}`}
        empty={{ title: 'No accounts yet', text: 'Add one under Bank accounts.' }} />
    </Section>
  );
}

interface BankFormProps { row: BankRow | null; mayWrite: boolean; onSaved: (row: BankRow) => void }

function BankForm({ row, mayWrite, onSaved }: BankFormProps) {
  const form = useResourceForm<Record<string, unknown>, { data: BankRow }>({
    initial: formValues(fields, row),
    record: row && { entity: 'bank', id: row.id, version: row.version, read: bankEndpoints.show },
    submit: (values, sending) => {
      const body = bodyValues(fields, values);
      return row
        ? call(bankEndpoints.update, { params: { id: row.id }, body: { ...body, version: row.version } })
        : call(bankEndpoints.create, { body }, sending);
    },
    onSaved: ({ data }) => onSaved(data),
    draftKey: row ? `bank/${row.id}` : 'bank/new',
  });
  const show = fieldsOf(form, fields, { disabled: mayWrite ? [] : Object.keys(fields) });
  return (
    <FormFrame form={form} labels={labelsOf(fields)}>
      <Section title="The bank">
        <FormGrid>
          {show('name')}{show('country')}{show('bic')}{show('contact_name')}{show('email')}{show('phone')}
          {show('website')}{show.others('notes')}
        </FormGrid>
        {show('notes')}
      </Section>
      {mayWrite && (
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}>{row ? 'Save bank' : 'Add bank'}</Button>
        </FormActions>
      )}
    </FormFrame>
  );
}
