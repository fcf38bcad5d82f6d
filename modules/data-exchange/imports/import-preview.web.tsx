/** Outcome of every row: counts at the side, the rows below, filtered by outcome. */
import { useMemo } from 'react';
import { countOf } from '#kernel/text/count.ts';
import { spell } from '#kernel/text/english.ts';
import { Button } from '#web/controls/button/button.tsx';
import { Badge } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { foundRows } from '#web/data/found-rows.ts';
import { EmptyState, Skeleton } from '#web/data/empty-state.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { useTableSearch } from '#web/data/use-table-search.ts';
import { Section } from '#web/layout/page-content.tsx';
import { PREVIEW_OUTCOMES, type ImportPreview } from './import.contract.ts';
import type { ImportKind } from './kinds/import-kind.contract.ts';
import { formatCount, reasonLabel, ROW_LOOK } from './import-words.web.tsx';
import styles from './import.module.css';

type Row = ImportPreview['rows'][number];

export function PreviewFacts({ preview, failure, onRetry }: {
  preview: ImportPreview | undefined; failure: string | undefined; onRetry: () => void;
}) {
  if (failure && !preview) {
    return <EmptyState role="alert" title="The rows could not be checked" text={failure}
      action={<Button onClick={onRetry}>Try again</Button>} />;
  }
  if (!preview) {
    return (
      <div aria-busy="true" className={styles.dialog}>
        <p className={styles.quiet}>Checking every row…</p>
        <Skeleton width="80%" /><Skeleton width="60%" /><Skeleton width="70%" />
      </div>
    );
  }
  if (preview.missing.length > 0) {
    return (
      <Callout tone="warn" title="Not ready yet">
        {preview.missing.map(({ field, text }) => <div key={field}>{text}</div>)}
      </Callout>
    );
  }
  const { ready, questioned, duplicate, changed, unchanged, refused } = preview.counts;
  return (
    <div className={styles.dialog}>
      <KeyValue layout="rows" facts={[
        { label: 'Rows in the file', value: formatCount(preview.rows_total) },
        { label: 'Would be imported', value: formatCount(ready) },
        ...(questioned > 0 ? [{ label: 'of these with a question', value: formatCount(questioned) }] : []),
        { label: 'Already there', value: formatCount(duplicate) },
        ...(changed > 0 ? [{ label: preview.mapping.changes === 'apply' ? 'of these to be changed'
          : 'of these different, left as they are', value: formatCount(changed) }] : []),
        ...(unchanged > 0 ? [{ label: 'of these unchanged', value: formatCount(unchanged) }] : []),
        { label: 'Left out', value: formatCount(refused) },
      ]} />
      {preview.repairs.length > 0 && (
        <Callout tone="info" title="Put right on the way in">
          {preview.repairs.map((one) => (
            <div key={one.reason_code}>{reasonLabel(one.reason_code)}: {formatCount(one.count)}</div>
          ))}
        </Callout>
      )}
      {preview.reasons.length > 0 && (
        <Callout tone="error" title={`${countOf(refused, 'row')} would be left out`}>
          {preview.reasons.map((one) => (
            <div key={one.reason_code}>{reasonLabel(one.reason_code)}: {formatCount(one.count)}</div>
          ))}
        </Callout>
      )}
      <p className={styles.quiet}>Nothing is written to the books before you import.</p>
    </div>
  );
}

/** Problem of the row, and the field it is in. */
const noteColumns: readonly Column<Row>[] = [
  { id: 'column', header: 'Column', kind: 'muted', width: 110, cell: (row) => row.column },
  { id: 'value', header: 'Cell', width: 140, cell: (row) => row.value },
  { id: 'reason', header: 'Note', kind: 'muted', width: 300, cell: (row) => row.reason },
];

const rowColumns: readonly Column<Row>[] = [
  { id: 'row_no', header: 'Row', kind: 'code', width: 64, cell: (row) => String(row.row_no) },
  { id: 'outcome', header: 'Becomes', kind: 'badge', width: 110, cell: (row) => {
    const look = ROW_LOOK[row.outcome];
    return <Badge tone={look.tone} icon={look.icon} small title={row.reason ?? undefined}>{look.label}</Badge>;
  } },
  { id: 'show', header: 'Show', width: 170, cell: (row) => row.show },
  { id: 'venue', header: 'Venue', kind: 'muted', width: 130, cell: (row) => row.venue },
  { id: 'to', header: 'Period to', kind: 'date', width: 120, cell: (row) => row.period_to },
  { id: 'gross', header: 'Gross', kind: 'money', width: 120,
    cell: (row) => row.gross_minor === null ? null : BigInt(row.gross_minor) },
  { id: 'performances', header: 'Perfs.', kind: 'number', width: 70, cell: (row) => row.performances },
  { id: 'licence', header: spell`License`, kind: 'code', width: 150, cell: (row) => row.license_number },
  ...noteColumns,
];

const changeColumns: readonly Column<ImportPreview['changes'][number]>[] = [
  { id: 'row_no', header: 'Row', kind: 'code', width: 64, cell: (row) => String(row.row_no) },
  { id: 'title', header: 'Record', kind: 'title', width: 240, cell: (row) => row.title },
  { id: 'text', header: 'There now → in the file', kind: 'text', width: 480, cell: (row) => row.text },
];

const recordColumns: readonly Column<Row>[] = [
  ...rowColumns.slice(0, 2),
  { id: 'title', header: 'Record', kind: 'title', width: 240, cell: (row) => row.title },
  { id: 'detail', header: 'Details', kind: 'muted', width: 260, cell: (row) => row.detail },
  ...noteColumns,
];

const filters = [{ name: 'outcome', label: 'Becomes',
  options: PREVIEW_OUTCOMES.map((value) => ({ value, label: ROW_LOOK[value].label })) }];

export function PreviewTables({ preview, kind }: { preview: ImportPreview | undefined; kind: ImportKind }) {
  const search = useTableSearch({ filters: ['outcome'] });
  const columns = kind.one === 'return' ? rowColumns : recordColumns;
  const rows = useMemo(() => {
    const wanted = preview?.rows.filter((row) => (search.filters['outcome'] ?? row.outcome) === row.outcome);
    return wanted && foundRows(wanted, columns, search.search);
  }, [preview, columns, search]);
  if (!preview || preview.missing.length > 0) return null;
  const { rows: { length: held }, rows_total: total } = preview;
  return (
    <>
      <ChangedRows preview={preview} />
      <Section title="Rows" record count={rows && rows.length < held
        ? `${formatCount(rows.length)} of ${formatCount(held)}` : formatCount(held)}>
        {held < total && (
          <p className={styles.quiet}>
            The file has {formatCount(total)} rows. All that need a look stand here, then the first of the others.
          </p>
        )}
        <DataTable label="Rows of the file" variant="record" rows={rows} columns={columns} search={search}
          filters={filters} searchPlaceholder="Find in these rows" rowKey={(row) => row.row_no} />
      </Section>
    </>
  );
}

function ChangedRows({ preview: { changes, counts: { changed }, mapping } }: { preview: ImportPreview }) {
  if (changes.length === 0) return null;
  return (
    <Section title="Records that differ" record count={changed > changes.length
      ? `first ${changes.length} of ${formatCount(changed)}` : countOf(changed, 'row')}
      description={mapping.changes === 'apply' ? 'These records are changed by the import.'
        : 'These records stay as they are. Choose “Are changed” above to take the file’s words over.'}>
      <DataTable label="Records that differ from the file" variant="record" columns={changeColumns}
        rows={changes} rowKey={(row) => row.row_no} />
    </Section>
  );
}
