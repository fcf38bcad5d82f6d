/** The chart of accounts and its headers: list, add, one account with its journals. */
import { useMemo, type ReactNode } from 'react';
import { call } from '#kit/client.ts';
import type { ResponseOf } from '#kit/endpoint.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Badge } from '#web/data/badge.tsx';
import { CodeText } from '#web/data/code-text.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { toast } from '#web/data/toast.tsx';
import { DIVISION_CURRENCY, useDivision } from '#web/layout/division.ts';
import { PageContent } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useIdParam, useNavigation } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint, useList } from '#web/query/use-endpoint.ts';
import { transactionEndpoints } from '../transaction/transaction.contract.ts';
import { debitCredit } from '../debit-credit.web.ts';
import { accountingTabs } from '../accounting-tabs.ts';
import { CLASSES, classWord } from './account-class.web.ts';
import { ACTIVITIES, ledgerAccountEndpoints, ledgerHeaderEndpoints } from './ledger-account.contract.ts';

type Account = ResponseOf<typeof ledgerAccountEndpoints.show>['data'];
const CHART = '/admin/accounting/chart-of-accounts';

const accountColumns: readonly Column<Account>[] = [
  { id: 'code', header: 'Code', kind: 'code', cell: (row) => row.code, sort: true, width: 90 },
  { id: 'name', header: 'Name', kind: 'title', cell: (row) => row.name, sort: true, fixed: true, width: 280,
    edit: { field: 'name', as: 'text', value: (row) => row.name } },
  { id: 'class', header: 'Class', kind: 'muted', cell: (row) => classWord(row.class), width: 110 },
  { id: 'header', header: 'Header', kind: 'muted', cell: (row) => row.header_name, width: 180 },
  { id: 'party', header: 'Party', kind: 'muted', hidden: true, cell: (row) => row.party_types?.join(', ') },
  { id: 'state', header: 'Status', kind: 'badge', width: 100,
    cell: (row) => row.active ? null : <Badge small>Inactive</Badge> },
  { id: 'balance', header: 'Balance', kind: 'money', cell: (row) => BigInt(row.balance_minor) },
];

export function ChartOfAccounts() {
  const [division] = useDivision();
  const may = useMay();
  const list = useList(ledgerAccountEndpoints.list, { query: { division } }, { filters: ['class'], perPage: 100,
    edit: ledgerAccountEndpoints.update });
  return (
    <>
      <PageHeader title="Chart of accounts" division tabs={accountingTabs(may)}
        subtitle={`${DIVISION_CURRENCY[division]}, debits positive`}>
        {may('ledger_account.create')
          && <ButtonLink href={`${CHART}/create?division=${division}`} variant="primary">New account</ButtonLink>}
      </PageHeader>
      <DataTable label="Accounts" variant="ledger" {...list} columns={accountColumns} rowKey={(row) => row.id}
        filters={[{ name: 'class', label: 'Class', options: CLASSES }]} searchPlaceholder="Code or name"
        rowHref={(row) => `${CHART}/${row.id}/information?division=${row.division}`}
        empty={{ title: 'No accounts' }} />
    </>
  );
}

export function AccountCreate() {
  const [division] = useDivision();
  const { go } = useNavigation();
  const form = useResourceForm({
    initial: { ledger_header_id: null as number | null, code: '', name: '', class: 'expense' as string | null },
    draftKey: 'ledger_account/new',
    submit: (values, sending) =>
      call(ledgerAccountEndpoints.create, {
        body: {
          division,
          code: values.code,
          name: values.name,
          ledger_header_id: values.ledger_header_id as number,
          class: values.class as Account['class'],
          currency: null,
          is_monetary: false,
          cash_flow_class: null,
          allow_manual: true,
          active: true,
        },
      }, sending),
    onSaved: ({ data }) => {
      toast('Account created');
      go(`${CHART}/${data.id}/information?division=${division}`);
    },
  });
  return (
    <>
      <PageHeader title="New account" back={`${CHART}?division=${division}`} division />
      <PageContent record>
        <FormFrame form={form} aria-label="New account">
          <FormGrid>
            <TextField label="Code" required {...form.field('code')} />
            <TextField label="Name" required {...form.field('name')} />
            <AsyncSelect label="Class" required options={CLASSES} {...form.field('class')} />
            <AsyncSelect<number> label="Header" required {...form.field('ledger_header_id')}
              source={async (search, page, signal) => {
                const answer = await call(ledgerHeaderEndpoints.list, { query: { division, page, per_page: 50,
                  ...(search ? { search } : {}) } }, { signal });
                return { meta: answer.meta, data: answer.data.filter((row) => row.parent_id !== null)
                  .map((row) => ({ value: row.id, label: row.name, children: classWord(row.class) })) };
              }} />
          </FormGrid>
          <FormActions>
            <Button type="submit" variant="primary" pending={form.pending}>Create account</Button>
          </FormActions>
        </FormFrame>
      </PageContent>
    </>
  );
}

function AccountFrame({ children }: { children: (row: Account) => ReactNode }) {
  const id = useIdParam('ledgerAccountId');
  const read = useEndpoint(ledgerAccountEndpoints.show, { params: { id } });
  const row = read.data?.data;
  if (read.isError && !row) {
    return <RecordProblem noun="account" list={CHART} error={read.error} onRetry={() => void read.refetch()} />;
  }
  return (
    <>
      <PageHeader
        title={row?.name ?? 'Account'}
        crumbs={row && [{ label: `${row.code} ${row.name}` }]}
        activity={row && { entity: 'ledger_account', id: row.id }}
        back={row ? `${CHART}?division=${row.division}` : CHART}
        badges={row && !row.active && <Badge>Inactive</Badge>}
        tabs={[
          { id: 'information', text: 'Information', href: `${CHART}/${id}/information` },
          { id: 'journals', text: 'Journals', href: `${CHART}/${id}/journals` },
        ]}
        waiting={!row && 'facts'}
        subtitle={row && [<CodeText key="c">{row.code}</CodeText>, row.division, classWord(row.class), row.header_name]}
      />
      {!row && (
        <PageContent record>
          <Skeleton width={360} />
        </PageContent>
      )}
      {row && children(row)}
    </>
  );
}

export function AccountInformation() {
  return <AccountFrame>{(row) => <AccountForm key={row.id} row={row} />}</AccountFrame>;
}

const ACTIVITY_OPTIONS = ACTIVITIES.map((value) => ({ value, label: value[0]!.toUpperCase() + value.slice(1) }));

function AccountForm({ row }: { row: Account }) {
  const may = useMay();
  const chosen = row.cash_flow_class === 'cash' ? null : row.cash_flow_class;
  const form = useResourceForm({
    initial: { name: row.name, allow_manual: row.allow_manual, active: row.active, is_monetary: row.is_monetary,
      cash_flow_class: chosen as string | null },
    record: { entity: 'ledger_account', id: row.id, version: row.version, read: ledgerAccountEndpoints.show },
    submit: (values) => call(ledgerAccountEndpoints.update, { params: { id: row.id },
      body: { ...values, cash_flow_class: values.cash_flow_class as typeof chosen, version: row.version } }),
    onSaved: () => toast('Account saved'),
  });
  return (
    <PageContent record>
      <FormFrame form={form} aria-label="Account">
        <TextField label="Name" required {...form.field('name')} />
        {(row.class === 'asset' || row.class === 'liability') && !row.is_cash && (
          <AsyncSelect label="Cash flow" required options={ACTIVITY_OPTIONS} {...form.field('cash_flow_class')} />
        )}
        <Checkbox label="Allow manual entries" {...form.field('allow_manual')} />
        <Checkbox label="Takes part in revaluation" {...form.field('is_monetary')} />
        <Checkbox label="Active" {...form.field('active')} />
        {may('ledger_account.update') && (
          <FormActions>
            <Button type="submit" variant="primary" pending={form.pending}>Save account</Button>
          </FormActions>
        )}
      </FormFrame>
    </PageContent>
  );
}

type Entry = ResponseOf<typeof transactionEndpoints.accountJournals>['data'][number];
const entryColumns = (currency: string): readonly Column<Entry>[] => [
  { id: 'transaction_at', header: 'Date', kind: 'date', cell: (row) => row.transaction_at, sort: true, width: 110 },
  { id: 'description', header: 'Description', kind: 'title', cell: (row) => row.description, width: 280 },
  { id: 'number', header: 'Number', kind: 'code', cell: (row) => row.number ?? row.transaction_id, width: 190 },
  { id: 'party', header: 'Party', kind: 'muted', cell: (row) => row.party_name, width: 220 },
  { id: 'memo', header: 'Memo', kind: 'muted', cell: (row) => row.memo, width: 220 },
  ...debitCredit<Entry>(currency),
];

export function AccountJournals() {
  return <AccountFrame>{(row) => <Journals row={row} />}</AccountFrame>;
}

function Journals({ row }: { row: Account }) {
  const list = useList(transactionEndpoints.accountJournals, { params: { id: row.id } },
    { filters: ['status'], perPage: 50 });
  const columns = useMemo(() => entryColumns(DIVISION_CURRENCY[row.division]), [row.division]);
  return (
    <DataTable label="Journals" variant="ledger" {...list} columns={columns} rowKey={(entry) => entry.id}
      filters={[{ name: 'status', label: 'Status', options: [{ value: 'posted', label: 'Posted' },
        { value: 'reversed', label: 'Reversed' }, { value: 'draft', label: 'Draft' },
        { value: 'void', label: 'Void' }] }]}
      rowHref={(entry) => `/admin/accounting/transactions/${entry.transaction_id}/journal-entries?${
        new URLSearchParams({ division: row.division, account: row.code })}`}
      empty={{ title: 'No lines on this account yet' }} />
  );
}
