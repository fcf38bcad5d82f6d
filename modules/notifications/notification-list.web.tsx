/** The office's list of notifications. Opening one marks it as read; several are marked at once. */
import { readerLanguage } from '#kernel/text/english.ts';
import { Button } from '#web/controls/button/button.tsx';
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { useNavigation } from '#web/navigation/navigation.tsx';
import type { NotificationRow } from './notification.contract.ts';
import { labelOf } from './notification-kinds.ts';
import { ago, KIND_OPTIONS } from './notification-words.web.ts';
import { useCounts, useMarks, useNotificationList } from './use-notifications.web.ts';

const columns: readonly Column<NotificationRow>[] = [
  { id: 'title', header: 'What', kind: 'title', fixed: true, width: 430, cell: (row) => row.title },
  { id: 'state', header: 'Status', kind: 'badge', width: 90,
    cell: (row) => (row.read ? null : <Badge tone="garnet" small>New</Badge>) },
  { id: 'body', header: 'Details', kind: 'muted', width: 260, cell: (row) => row.body },
  { id: 'kind', header: 'About', kind: 'muted', width: 150, cell: (row) => labelOf(row.kind) },
  { id: 'created_at', header: 'When', kind: 'muted', sort: true, width: 120, cell: (row) => (
    <time dateTime={row.created_at} title={new Date(row.created_at).toLocaleString(readerLanguage())}>
      {ago(row.created_at)}</time>
  ) },
];

const STATES = [{ value: 'false', label: 'Unread' }, { value: 'true', label: 'Read' }];

/** Why nothing can be marked as read now. */
function whyNothing(counts: ReturnType<typeof useCounts>): string | undefined {
  if (!counts) return 'Not counted yet';
  return counts.unread === 0 ? 'Everything is read' : undefined;
}

export function NotificationList() {
  const { go } = useNavigation();
  const list = useNotificationList(null);
  const marks = useMarks(null);
  const counts = useCounts(null);
  const open = (row: NotificationRow): void => {
    if (!row.read) void marks.one(row.id, true);
    if (row.href !== null) go(row.href);
  };
  const filters = [{ name: 'read', label: 'Status', options: STATES },
    { name: 'kind', label: 'About', options: KIND_OPTIONS('staff') }];
  return (
    <DataTable label="Notifications" {...list} columns={columns} filters={filters} rowKey={(row) => row.id}
      onOpen={open} selectable searchPlaceholder="Search notifications"
      tools={(
        <Button size="small" pending={marks.pending} reason={whyNothing(counts)}
          onClick={() => void marks.all(counts?.newest_id ?? 0)}>Mark all read</Button>
      )}
      bulk={(keys, clear) => (
        <>
          <Button size="small" onClick={() => void marks.many(keys.map(Number), true).then(clear)}>Mark read</Button>
          <Button size="small" onClick={() => void marks.many(keys.map(Number), false).then(clear)}>
            Mark unread</Button>
        </>
      )}
      empty={{ title: 'Nothing yet', text: 'Offers, invoices and replies appear here and under the bell.' }} />
  );
}
