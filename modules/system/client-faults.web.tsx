/** Faults that browsers reported: what broke and on which screen, never whose. */
import type { ResponseOf } from '#kit/endpoint.ts';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { Section } from '#web/layout/page-content.tsx';
import { useList } from '#web/query/use-endpoint.ts';
import { systemEndpoints } from './system.contract.ts';

type Row = ResponseOf<typeof systemEndpoints.clientFaults>['data'][number];

const columns: readonly Column<Row>[] = [
  { id: 'message', header: 'Error', kind: 'title', fixed: true, width: 380, cell: (row) => row.message },
  { id: 'page', header: 'Screen', kind: 'code', width: 240, cell: (row) => row.page },
  { id: 'seen', header: 'Times', kind: 'number', width: 80, cell: (row) => row.seen.toLocaleString('en-US') },
  { id: 'last_at', header: 'Last', kind: 'date', width: 180, cell: (row) => row.last_at },
];

export function ClientFaults() {
  const { rows, error, onRetry, page } = useList(systemEndpoints.clientFaults, {}, { prefix: 'fault' });
  return (
    <Section title="Faults of browsers" count={page?.total || undefined}
      description="Errors in the browser, without personal data." flush>
      <DataTable label="Faults of browsers" variant="record" columns={columns} rows={rows} error={error}
        onRetry={onRetry} rowKey={(row) => row.id} empty={{ title: 'No fault was reported' }} />
    </Section>
  );
}
