/** Headers of the chart: the tree that accounts stand below, and that reports are made of. */
import { call } from '#kit/client.ts';
import type { ResponseOf } from '#kit/endpoint.ts';
import { useState } from 'react';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { NumberField } from '#web/controls/field/number-field.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Badge } from '#web/data/badge.tsx';
import { CodeText } from '#web/data/code-text.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { toast, undoable } from '#web/data/toast.tsx';
import { useDivision } from '#web/layout/division.ts';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { AppLink, useIdParam, useNavigation } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint, useList } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { accountingTabs } from '../accounting-tabs.ts';
import { CLASSES, classWord } from './account-class.web.ts';
import { ledgerAccountEndpoints, ledgerHeaderEndpoints } from './ledger-account.contract.ts';

type Header = ResponseOf<typeof ledgerHeaderEndpoints.show>['data'];
const HEADERS = '/admin/accounting/headers';
const CHART = '/admin/accounting/chart-of-accounts';

const columns: readonly Column<Header>[] = [
  { id: 'name', header: 'Name', kind: 'title', cell: (row) => row.name, sort: true, fixed: true, width: 260 },
  { id: 'code', header: 'Code', kind: 'code', cell: (row) => row.code, sort: true },
  { id: 'class', header: 'Class', kind: 'muted', cell: (row) => classWord(row.class) },
  { id: 'parent', header: 'Under', kind: 'muted', cell: (row) => row.parent_name, width: 200 },
  { id: 'accounts', header: 'Accounts', kind: 'number', cell: (row) => row.account_count },
];

export function Headers() {
  const may = useMay();
  const [division] = useDivision();
  const list = useList(ledgerHeaderEndpoints.list, { query: { division } }, { filters: ['class'], perPage: 50 });
  return (
    <>
      <PageHeader title="Ledger headers" division tabs={accountingTabs(may)}
        subtitle="Accounts are filed under headers; reports take their sections from them">
        {may('ledger_header.create')
          && <ButtonLink href={`${HEADERS}/create?division=${division}`} variant="primary">New header</ButtonLink>}
      </PageHeader>
      <DataTable label="Headers" {...list} columns={columns} rowKey={(row) => row.id}
        rowHref={may('ledger_header.view') ? (row) => `${HEADERS}/${row.id}?division=${row.division}` : undefined}
        filters={[{ name: 'class', label: 'Class', options: CLASSES }]} empty={{ title: 'No headers' }} />
    </>
  );
}

/** Class and section follow the header above, as the reports read them. */
export function HeaderCreate() {
  const [division] = useDivision();
  const { go } = useNavigation();
  const refresh = useRefresh([ledgerHeaderEndpoints.list]);
  const parents = useEndpoint(ledgerHeaderEndpoints.list, { query: { division, per_page: 100 } });
  const rows = parents.data?.data ?? [];
  const form = useResourceForm({
    initial: { parent_id: null as number | null, code: '', name: '', sort: 0 as number | null },
    draftKey: 'ledger_header/new',
    submit: (values, sending) => {
      const parent = rows.find((row) => row.id === values.parent_id);
      return call(ledgerHeaderEndpoints.create, { body: { division, code: values.code, name: values.name,
        parent_id: values.parent_id, class: parent?.class ?? 'expense', section: parent?.section ?? '',
        sort: values.sort ?? 0 } }, sending);
    },
    onSaved: ({ data }) => {
      toast('Header created');
      void refresh();
      go(`${HEADERS}/${data.id}?division=${division}`, { replace: true });
    },
  });
  return (
    <>
      <PageHeader title="New header" back={`${HEADERS}?division=${division}`} division />
      <PageContent record>
        <FormFrame form={form} aria-label="New header">
          <FormGrid>
            <AsyncSelect<number> label="Under" required {...form.field('parent_id')}
              options={rows.map((row) => ({ value: row.id, label: row.name, children: classWord(row.class) }))}
              caption="Class and section come from it." />
            <TextField label="Code" required {...form.field('code')} />
            <TextField label="Name" required {...form.field('name')} />
            <NumberField label="Order" {...form.field('sort')} caption="Lower numbers come first." />
          </FormGrid>
          <FormActions>
            <Button type="submit" variant="primary" pending={form.pending}
              reason={form.values.parent_id === null ? 'Choose the header above it' : undefined}>Create header</Button>
          </FormActions>
        </FormFrame>
      </PageContent>
    </>
  );
}

export function HeaderDetail() {
  const id = useIdParam('ledgerHeaderId');
  const read = useEndpoint(ledgerHeaderEndpoints.show, { params: { id } });
  const row = read.data?.data;
  if (read.isError && !row) {
    return <RecordProblem noun="header" list={HEADERS} error={read.error} onRetry={() => void read.refetch()} />;
  }
  return (
    <>
      <PageHeader title={row?.name ?? 'Header'} back={row ? `${HEADERS}?division=${row.division}` : HEADERS}
        activity={row && { entity: 'ledger_header', id: row.id }}
        badges={row?.is_system && <Badge>Shipped with the chart</Badge>}
        waiting={!row}
        subtitle={row && [<CodeText key="code">{row.code}</CodeText>, row.division, classWord(row.class),
          row.parent_name]}>
        {row && <RemoveButton row={row} />}
      </PageHeader>
      {!row && <PageContent record><Skeleton width={360} height={18} /></PageContent>}
      {row && <HeaderForm key={row.id} row={row} />}
    </>
  );
}

function HeaderForm({ row }: { row: Header }) {
  const may = useMay();
  const refresh = useRefresh([ledgerHeaderEndpoints.list]);
  const accounts = useEndpoint(ledgerAccountEndpoints.list,
    { query: { division: row.division, ledger_header_id: row.id, per_page: 100 } });
  const form = useResourceForm({
    initial: { name: row.name, sort: row.sort as number | null },
    record: { entity: 'ledger_header', id: row.id, version: row.version, read: ledgerHeaderEndpoints.show },
    submit: (values) => call(ledgerHeaderEndpoints.update, { params: { id: row.id },
      body: { name: values.name, sort: values.sort ?? 0, version: row.version } }),
    onSaved: () => { toast('Header saved'); void refresh(); },
  });
  return (
    <PageContent record>
      <FormFrame form={form} aria-label="Header">
        <FormGrid>
          <TextField label="Name" required {...form.field('name')} />
          <NumberField label="Order" {...form.field('sort')} caption="Lower numbers come first." />
        </FormGrid>
        {may('ledger_header.update') && (
          <FormActions>
            <Button type="submit" variant="primary" pending={form.pending}>Save header</Button>
          </FormActions>
        )}
      </FormFrame>
      <Section title="Accounts under it" count={accounts.data?.meta.total}>
        <DataTable label="Accounts below the header" variant="record" rows={accounts.data?.data}
          rowKey={(account) => account.id} empty={{ title: 'No accounts yet',
            text: 'An account is filed under a header when it is made.' }} columns={[
            { id: 'code', header: 'Code', kind: 'code', cell: (account) => account.code, width: 100 },
            { id: 'name', header: 'Name', width: 300, cell: (account) => (
              <AppLink className="gr-link" href={`${CHART}/${account.id}/information?division=${account.division}`}>
                {account.name}
              </AppLink>) },
            { id: 'balance', header: 'Balance', kind: 'money', cell: (account) => BigInt(account.balance_minor) },
          ]} />
      </Section>
    </PageContent>
  );
}

function RemoveButton({ row }: { row: Header }) {
  const may = useMay();
  const { go } = useNavigation();
  const refresh = useRefresh([ledgerHeaderEndpoints.list]);
  const [asking, setAsking] = useState(false);
  if (!may('ledger_header.delete') || row.is_system) return null;
  const remove = async (): Promise<void> => {
    setAsking(false);
    try {
      await call(ledgerHeaderEndpoints.remove, { params: { id: row.id } });
    } catch (error) {
      toast((error as Error).message, { tone: 'error' });
      return;
    }
    undoable('Moved to the trash', async () => {
      await call(ledgerHeaderEndpoints.restore, { params: { id: row.id } });
      void refresh();
    });
    void refresh();
    go(`${HEADERS}?division=${row.division}`);
  };
  return (
    <>
      <Button reason={row.account_count > 0 ? 'Accounts are under it' : undefined} onClick={() => setAsking(true)}>
        Move to trash
      </Button>
      <ConfirmDialog open={asking} danger confirm="Move to trash" title={`Move ${row.name} to the trash?`}
        text="No account is filed under it. It can be restored." onCancel={() => setAsking(false)}
        onConfirm={() => void remove()} />
    </>
  );
}
