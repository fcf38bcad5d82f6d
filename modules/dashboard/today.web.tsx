/** The column of what needs a person: late, today, this week, then what waits without a day; and what opens. */
import type { ReactNode } from 'react';
import { SegmentedControl } from '#web/controls/field/radio-group.tsx';
import { DateText } from '#web/data/date-text.tsx';
import { EmptyState } from '#web/data/empty-state.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { diffDays } from '#kernel/calendar/calendar.ts';
import { Glyph } from '#web/layout/icons.tsx';
import { AppLink, useQueryValues } from '#web/navigation/navigation.tsx';
import { groupsOf, recordHref, todoHref, TODO_ICONS, type TodoGroup } from './dashboard-words.web.ts';
import type { Dashboard, TodoRow } from './dashboard.contract.ts';
import styles from './dashboard.module.css';

export function Today({ board }: { board: Dashboard }) {
  const { values, set } = useQueryValues();
  const mine = values.get('list') === 'mine';
  const todo = board.todo;
  const total = todo?.counts.reduce((all, one) => all + (mine ? one.mine : one.total), 0) ?? 0;
  const rows = todo?.rows.filter((row) => !mine || row.mine) ?? [];
  return (
    <>
      {todo && (
        <div className={styles.todayHead}>
          <h2>Today</h2><span>{total}</span>
          <SegmentedControl label="Assigned to" hideLabel value={mine ? 'mine' : 'team'}
            onChange={(value) => set({ list: value === 'mine' ? 'mine' : null })}
            choices={[{ value: 'mine', label: 'Mine' }, { value: 'team', label: 'Team' }]} />
        </div>
      )}
      {todo && rows.length === 0 && (
        <EmptyState title="All clear" text={mine ? 'Nothing waits for you; the team’s list may hold more.'
          : 'No task, application, perusal, offer, return or report waits in this division.'} />
      )}
      {groupsOf(rows, board.today).map((group) => <Group key={group.label} group={group} today={board.today} />)}
      {total > rows.length && <More board={board} shown={rows.length} total={total} />}
      {board.openings && <Openings openings={board.openings} division={board.division} />}
    </>
  );
}

function Group({ group, today }: { group: TodoGroup; today: string }) {
  return (
    <>
      <h3 className={styles.todoHead} data-late={group.late || undefined}>{group.label}</h3>
      <ul className={styles.todo}>
        {group.rows.map((row) => (
          <Item key={`${row.kind} ${row.entity} ${row.id} ${row.title}`} row={row} today={today} />))}
      </ul>
    </>
  );
}

function whenOf(row: TodoRow, today: string): ReactNode {
  if (row.due_on === null || row.due_on === today) return null;
  const days = diffDays(row.due_on, today);
  return days > 0 ? `${days} d late` : <DateText value={row.due_on} style="short" />;
}

function Item({ row, today }: { row: TodoRow; today: string }) {
  const href = todoHref(row);
  const detail = [row.detail, row.minor !== null && row.minor > 0 && formatAmount(row.minor, row.currency)]
    .filter(Boolean).join(' · ');
  const inside = (
    <>
      <i className={styles.todoIcon} data-late={row.late || undefined} data-kind={row.kind}>
        <Glyph icon={TODO_ICONS[row.kind]} size={15} />
      </i>
      <span className={styles.todoText}><strong>{row.title}</strong><small>{detail}</small></span>
      <span className={styles.when} data-late={row.late || undefined}>{whenOf(row, today)}</span>
    </>
  );
  return <li>{href ? <AppLink href={href}>{inside}</AppLink> : <div>{inside}</div>}</li>;
}

/** Links to the rest of each kind: the list that the count is taken from. */
function More({ board, shown, total }: { board: Dashboard; shown: number; total: number }) {
  const { values } = useQueryValues();
  const all = values.get('all') === '1';
  const mine = values.get('list') === 'mine' ? '&list=mine' : '';
  const list = `?division=${board.division}`;
  const links = [
    { kind: 'application', text: 'Applications', href: `/admin/applications${list}` },
    { kind: 'perusal', text: 'Perusals', href: '/admin/perusals?status=requested' },
    { kind: 'offer', text: 'Expiring offers', href: `/admin/quotes${list}&view=expiring` },
  ].filter((link) => (board.todo?.counts.find((one) => one.kind === link.kind)?.total ?? 0) > 0);
  return (
    <p className={styles.aside}>
      {all ? `Showing ${shown} of ${total}.` : `Showing the ${shown} most urgent.`}
      {!all && <AppLink className="gr-link" href={`/admin${list}&all=1${mine}`}>View all {total}</AppLink>}
      {links.map((link) => <AppLink key={link.kind} className="gr-link" href={link.href}>{link.text}</AppLink>)}
    </p>
  );
}

function Openings({ openings, division }: { openings: NonNullable<Dashboard['openings']>; division: string }) {
  if (openings.total === 0) return null;
  return (
    <>
      <h3 className={styles.todoHead}>Opening this week</h3>
      <ul className={styles.openings}>
        {openings.rows.map((row) => (
          <li key={row.license_id}>
            <AppLink href={recordHref(row) ?? ''}>
              <span className={styles.show}>{row.title}</span>
              <span className={styles.opens}>{row.customer_name}, <DateText value={row.opens_on} style="short" /></span>
            </AppLink>
          </li>
        ))}
      </ul>
      {openings.total > openings.rows.length && (
        <p className={styles.aside}>
          <AppLink className="gr-link" href={`/admin/bookings?division=${division}`}>All {openings.total}</AppLink>
        </p>
      )}
    </>
  );
}
