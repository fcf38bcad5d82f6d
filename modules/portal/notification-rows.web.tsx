/** Notifications of the signed-in person about this organization, newest first, as rows to open, mark and search. */
import { CheckCheck, ChevronRight, Mail, MailOpen } from 'lucide-react';
import type { NotificationRow } from '#modules/notifications/notification.contract.ts';
import { ago, iconOf, KIND_OPTIONS } from '#modules/notifications/notification-words.web.ts';
import { useCounts, useMarks, useNotificationList,
  type Marks } from '#modules/notifications/use-notifications.web.ts';
import { readerLanguage } from '#kernel/text/english.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button, IconButton } from '#web/controls/button/button.tsx';
import { SegmentedControl } from '#web/controls/field/radio-group.tsx';
import { SearchInput } from '#web/controls/field/search-input.tsx';
import { EmptyState } from '#web/data/empty-state.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { Card } from '#web/layout/portal-shell.tsx';
import { AppLink } from '#web/navigation/navigation.tsx';
import type { TableSearch } from '#web/data/use-table-search.ts';
import { LoadError, LinesSkeleton, Pager, usePortal } from './portal-parts.web.tsx';
import styles from './portal.module.css';
import rows from './notification-rows.module.css';

/** px: rows of two lines, in the geometry they will have. */
export const ROWS_WAITING = [56, 56, 56, 56, 56, 56];
const STATES = [{ value: 'all', label: 'All' }, { value: 'false', label: 'Unread' }, { value: 'true', label: 'Read' }];
const KINDS = KIND_OPTIONS('customer');

function Item({ row, marks }: { row: NotificationRow; marks: Marks }) {
  const words = (
    <>
      <span className={styles.tile}><Glyph icon={iconOf(row.kind)} size={18} /></span>
      <span className={styles.itemText}>
        <strong>{!row.read && <span className="gr-hidden">Unread: </span>}{row.title}</strong>
        {row.body && <span>{row.body}</span>}
      </span>
      <time dateTime={row.created_at} title={new Date(row.created_at).toLocaleString(readerLanguage())}>
        {ago(row.created_at)}</time>
      {row.href !== null && <Glyph icon={ChevronRight} size={18} />}
    </>
  );
  return (
    <li className={rows.line} data-unread={!row.read || undefined}>
      {row.href === null ? <div className={rows.words}>{words}</div> : (
        <AppLink href={row.href} className={rows.words}
          onClick={() => { if (!row.read) void marks.one(row.id, true); }}>{words}</AppLink>
      )}
      <IconButton size="large" label={row.read ? `Mark unread: ${row.title}` : `Mark read: ${row.title}`}
        icon={<Glyph icon={row.read ? Mail : MailOpen} size={17} />}
        onClick={() => void marks.one(row.id, !row.read)} />
    </li>
  );
}

function Filters({ search }: { search: TableSearch }) {
  return (
    <div className={styles.filters}>
      <SearchInput label="Search what you were told" value={search.search} shortcut="/" onChange={search.setSearch} />
      <SegmentedControl label="State" hideLabel value={search.filters.read ?? 'all'} choices={STATES}
        onChange={(value) => search.setFilter('read', value === 'all' ? null : value)} />
      <AsyncSelect label="About" hideLabel placeholder="About anything" clearable options={KINDS}
        value={search.filters.kind ?? null} onChange={(value) => search.setFilter('kind', value)} />
    </div>
  );
}

function Nothing({ search }: { search: TableSearch }) {
  return search.narrowed
    ? <EmptyState title="Nothing matches" text="Try another word, or look at everything you were told."
        action={<Button onClick={search.clear}>Show all</Button>} />
    : <EmptyState title="Nothing yet"
        text="Offers, invoices and replies appear here and under the bell." />;
}

export function NotificationRows() {
  const { customerId } = usePortal();
  const list = useNotificationList(customerId);
  const marks = useMarks(customerId);
  const counts = useCounts(customerId);
  const newest = counts?.newest_id ?? null;
  return (
    <>
      <Filters search={list.search} />
      <Card>
        {list.error !== null && <LoadError error={list.error} onRetry={list.onRetry} />}
        {list.error === null && list.rows === undefined && <LinesSkeleton lines={ROWS_WAITING} />}
        {list.rows?.length === 0 && <Nothing search={list.search} />}
        {list.rows && list.rows.length > 0 && (
          <>
            <div className={rows.head}>
              <span className={styles.muted} role="status">{counts && (counts.unread === 0 ? 'Everything is read'
                : `${counts.unread.toLocaleString('en-US')} unread`)}</span>
              {counts !== undefined && counts.unread > 0 && newest !== null && (
                <Button variant="quiet" icon={<Glyph icon={CheckCheck} size={16} />} pending={marks.pending}
                  onClick={() => void marks.all(newest)}>Mark all read</Button>
              )}
            </div>
            <ul className={styles.list}>
              {list.rows.map((row) => <Item key={row.id} row={row} marks={marks} />)}
            </ul>
            {list.page && <Pager meta={list.page} />}
          </>
        )}
      </Card>
    </>
  );
}
