/**
 * A list that has a trash: head with New and Trash, the living rows or those in the trash, each with Restore. Which of
 * the two is open stands in the address (`?view=trash`).
 */
import { useState, type ReactNode } from 'react';
import type { BulkList } from '#kit/bulk.ts';
import { call } from '#kit/client.ts';
import type { AnyEndpoint } from '#kit/endpoint.ts';
import { Button } from '../controls/button/button.tsx';
import { ConfirmDialog } from '../controls/button/confirm-dialog.tsx';
import type { Column } from '../data/column.ts';
import { DataTable } from '../data/data-table.tsx';
import { undoable } from '../data/toast.tsx';
import { ButtonLink } from '../navigation/button-link.tsx';
import { useNavigation, useQueryValues } from '../navigation/navigation.tsx';
import { useAction } from '../query/use-action.ts';
import { useList } from '../query/use-endpoint.ts';
import { PageHeader } from './page-header.tsx';
import type { TabItem } from './tabs.tsx';

/** The calls of a resource that the trash needs; their own types are checked where they are declared. */
export interface TrashEndpoints { trash: AnyEndpoint; restore: AnyEndpoint; remove: AnyEndpoint }
interface Named { id: number; name: string }

export interface TrashListProps<Row extends Named> {
  /** 'vendor', 'vendors': words of headings and buttons. */
  one: string;
  many: string;
  subtitle: string;
  tabs?: readonly TabItem[] | undefined;
  /** Address of the list; New leads to its `/create`. */
  href: string;
  /** Target of New, if not `/create` below the list. */
  createHref?: string;
  /** Words of that button, "New vendor" unless told. */
  createLabel?: string;
  /** Further buttons of the list, before New. */
  actions?: ReactNode;
  mayCreate: boolean;
  mayRemove: boolean;
  endpoints: TrashEndpoints;
  /** Columns of a row in the trash; Restore comes after them. */
  trashColumns: readonly Column<Row>[];
  /** Bulk actions on rows of the trash. */
  trashBulk?: BulkList | undefined;
  children: ReactNode;
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

export function TrashList<Row extends Named>(props: TrashListProps<Row>) {
  const { one, many, href, mayCreate, mayRemove } = props;
  const { values, set } = useQueryValues();
  const trash = values.get('view') === 'trash' && mayRemove;
  return (
    <>
      <PageHeader title={trash ? `${capital(many)} in the trash` : capital(many)}
        subtitle={trash ? 'Restored rows come back with everything they had' : props.subtitle}
        tabs={props.tabs ? [...props.tabs] : undefined}>
        {mayRemove && (
          <Button variant="quiet" onClick={() => set({ view: trash ? null : 'trash', page: null })}>
            {trash ? `Back to ${many}` : 'Trash'}
          </Button>
        )}
        {!trash && props.actions}
        {!trash && mayCreate && (
          <ButtonLink href={props.createHref ?? `${href}/create`} variant="primary">
            {props.createLabel ?? `New ${one}`}
          </ButtonLink>
        )}
      </PageHeader>
      {trash
        ? <TrashTable<Row> label={`${capital(many)} in the trash`} endpoints={props.endpoints}
          columns={props.trashColumns} bulk={props.trashBulk} />
        : props.children}
    </>
  );
}

interface TrashTableProps<Row> {
  label: string; endpoints: TrashEndpoints; columns: readonly Column<Row>[]; bulk: BulkList | undefined;
}

function TrashTable<Row extends Named>({ label, endpoints, columns, bulk }: TrashTableProps<Row>) {
  // Every trash takes the same arguments; which one it is, its page knows.
  const list = useList(endpoints.trash as never, {}, bulk ? { bulk } : {}) as unknown as {
    rows: readonly Row[] | undefined };
  const [asked, setAsked] = useState<number | null>(null);
  const restore = useAction(endpoints.restore, {
    done: (answer) => `${(answer as unknown as { data: Named }).data.name} is back` });
  const trashed: readonly Column<Row>[] = [...columns,
    { id: 'restore', header: 'Restore', kind: 'actions', cell: (row) => (
      <Button size="small" pending={restore.pending && asked === row.id}
        // Every trash takes the same arguments; which one it is, its page knows.
        onClick={() => { setAsked(row.id); void restore.run({ params: { id: row.id } } as never); }}>Restore</Button>
    ) }];
  return (
    <DataTable<Row> label={label} {...list} columns={trashed} rowKey={(row) => row.id}
      empty={{ title: 'The trash is empty' }} />
  );
}

export interface TrashButtonProps {
  row: Named;
  /** The list that opens afterwards. */
  list: string;
  endpoints: TrashEndpoints;
  /** Explanation of the consequences for records that reference this one. */
  text: string;
  /** Why it cannot be moved now. */
  reason?: string | undefined;
}

/** Moves the open record to the trash after a question, with Undo. */
export function TrashButton({ row, list, endpoints, text, reason }: TrashButtonProps) {
  const { go } = useNavigation();
  const [asking, setAsking] = useState(false);
  const remove = useAction(endpoints.remove, { onDone: () => {
    go(list);
    // Every trash takes the same arguments; which one it is, its page knows.
    undoable(`${row.name} moved to the trash`, () => call(endpoints.restore, { params: { id: row.id } } as never));
  } });
  return (
    <>
      <Button variant="quiet" pending={remove.pending} reason={reason} onClick={() => setAsking(true)}>
        Move to trash
      </Button>
      <ConfirmDialog open={asking} danger title={`Move ${row.name} to the trash?`} confirm="Move to trash"
        text={text} onCancel={() => setAsking(false)}
        // Every trash takes the same arguments; which one it is, its page knows.
        onConfirm={() => { setAsking(false); void remove.run({ params: { id: row.id } } as never); }} />
    </>
  );
}
