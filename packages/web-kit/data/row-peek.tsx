/**
 * A row read beside its list (U5): everything the list knows of it, hidden columns too, and the way to the record.
 * Scroll, selection and filters stay; j and k lead on with the panel open.
 */
import { Button } from '#web/controls/button.tsx';
import { Drawer } from '#web/layout/overlay.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import type { Column } from './column.ts';
import { KeyValue } from './key-value.tsx';
import { linkColumn, shownCell } from './table-body.tsx';

export interface RowPeekProps<Row> {
  row: Row;
  columns: readonly Column<Row>[];
  href: string | undefined;
  onOpen: ((row: Row) => void) | undefined;
  onClose: () => void;
}

export function RowPeek<Row>({ row, columns, href, onOpen, onClose }: RowPeekProps<Row>) {
  const named = linkColumn(columns.map((column) => ({ column })));
  const words = (column: Column<Row>) => shownCell(column, column.cell(row));
  const title = columns.find((column) => column.id === named);
  const facts = columns.filter((column) => column !== title && column.kind !== 'actions')
    .map((column) => ({ label: column.header, value: words(column) }))
    .filter(({ value }) => value !== null && value !== undefined && value !== '');
  const open = href ? <ButtonLink href={href} variant="primary">Open</ButtonLink>
    : onOpen && <Button variant="primary" onClick={() => onOpen(row)}>Open</Button>;
  return (
    <Drawer open floating width={360} title={title && words(title)} onClose={onClose} footer={open}>
      <KeyValue layout="rows" facts={facts} />
    </Drawer>
  );
}
