/** Customer classifications: list, create and edit. Open to all staff; the data calls need their own permission. */
import { call } from '#kit/client.ts';
import type { ResponseOf } from '#kit/endpoint.ts';
import { Button } from '#web/controls/button/button.tsx';
import { FormActions, FormFrame } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { toast } from '#web/data/toast.tsx';
import { PageContent } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useIdParam, useNavigation } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint, useList } from '#web/query/use-endpoint.ts';
import { classificationBulk, classificationEndpoints } from './classification.contract.ts';

type Row = ResponseOf<typeof classificationEndpoints.show>['data'];
const LIST = '/admin/customers/customer-classifications';

const columns: readonly Column<Row>[] = [
  { id: 'name', header: 'Name', kind: 'title', cell: (row) => row.name, sort: true, fixed: true, width: 240,
    edit: { field: 'name', as: 'text', value: (row) => row.name } },
  { id: 'key', header: 'Key', kind: 'code', cell: (row) => row.key },
  { id: 'description', header: 'Description', kind: 'muted', cell: (row) => row.description, width: 360 },
  { id: 'customers', header: 'Customers', kind: 'number', cell: (row) => row.customer_count },
];

export function ClassificationList() {
  const may = useMay();
  const list = useList(classificationEndpoints.list, {}, { perPage: 20, bulk: classificationBulk,
    edit: classificationEndpoints.update });
  return (
    <>
      <PageHeader title="Customer classifications" back="/admin/customers"
        subtitle="Used by rate cards, royalty terms and templates">
        {may('customer_classification.create')
          && <ButtonLink href={`${LIST}/create`} variant="primary">New classification</ButtonLink>}
      </PageHeader>
      <DataTable label="Customer classifications" {...list} columns={columns} rowKey={(row) => row.id}
        rowHref={(row) => `${LIST}/edit/${row.id}`}
        empty={{ title: 'No classifications yet', text: 'Name the kinds of customers your rates tell apart.' }} />
    </>
  );
}

function ClassificationForm({ row }: { row: Row | null }) {
  const { go } = useNavigation();
  const form = useResourceForm({
    initial: { name: row?.name ?? '', key: row?.key ?? '', description: row?.description ?? '' },
    draftKey: row ? undefined : 'customer_classification/new',
    record: row && { entity: 'customer_classification', id: row.id, version: row.version,
      read: classificationEndpoints.show },
    submit: ({ name, key, description }, sending) => row
      ? call(classificationEndpoints.update, { params: { id: row.id },
        body: { name, description, version: row.version } })
      : call(classificationEndpoints.create, { body: { name, key, description } }, sending),
    onSaved: () => { toast('Classification saved'); go(LIST, { replace: true }); },
  });
  return (
    <FormFrame form={form} aria-label="Classification">
      <TextField label="Name" required {...form.field('name')} />
      <TextField label="Key" required readOnly={row !== null} {...form.field('key')}
        caption={row ? 'The key cannot be changed.'
          : 'Lowercase letters, digits and underscores. It cannot be changed later.'} />
      <TextField label="Description" rows={3} {...form.field('description')} />
      <FormActions>
        <Button type="submit" variant="primary" pending={form.pending}>Save classification</Button>
      </FormActions>
    </FormFrame>
  );
}

export function ClassificationCreate() {
  return (
    <>
      <PageHeader title="New classification" back={LIST} />
      <PageContent record><ClassificationForm row={null} /></PageContent>
    </>
  );
}

export function ClassificationEdit() {
  const id = useIdParam('classificationId');
  const read = useEndpoint(classificationEndpoints.show, { params: { id } });
  if (read.isError && !read.data) {
    return <RecordProblem noun="classification" list={LIST} error={read.error} onRetry={() => void read.refetch()} />;
  }
  return (
    <>
      <PageHeader title={read.data?.data.name ?? 'Classification'} back={LIST}
        activity={{ entity: 'customer_classification', id }} />
      <PageContent record>
        {read.isPending && <Skeleton width={320} height={34} />}
        {read.data && <ClassificationForm row={read.data.data} />}
      </PageContent>
    </>
  );
}
