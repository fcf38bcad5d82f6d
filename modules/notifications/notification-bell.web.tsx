/** The bell of both areas: how many are unread, the latest five, the way to all of them. */
import { Bell, CheckCheck } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { Button } from '#web/controls/button/button.tsx';
import { Callout } from '#web/data/callout.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { CountedButton, countText } from '#web/layout/counted-button.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { AppLink, useAddress, useNavigation } from '#web/navigation/navigation.tsx';
import type { NotificationRow } from './notification.contract.ts';
import { ago, iconOf } from './notification-words.web.ts';
import { useCounts, useMarks, useRecent, type Marks, type Place } from './use-notifications.web.ts';
import styles from './notification-bell.module.css';

export interface BellProps {
  /** The customer of a portal; null in the office. */
  place: Place;
  /** Address of the list of all. */
  all: string;
}

export function NotificationBell({ place, all }: BellProps) {
  const counts = useCounts(place);
  const unread = counts?.unread ?? 0;
  const [open, setOpen] = useState(false);
  const { path } = useAddress();
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => setOpen(false), [path]);
  useEffect(() => {
    if (!open) return undefined;
    const outside = (event: Event): void => {
      if (event.target instanceof Node && !box.current?.contains(event.target)) setOpen(false);
    };
    document.addEventListener('pointerdown', outside);
    document.addEventListener('focusin', outside);
    return () => {
      document.removeEventListener('pointerdown', outside);
      document.removeEventListener('focusin', outside);
    };
  }, [open]);
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  const words = unread === 0 ? 'Notifications' : `Notifications, ${countText(unread)} unread`;
  return (
    <div className={styles.box} ref={box}>
      <CountedButton words={words} icon={Bell} count={unread} open={open} controls={id} ref={button}
        onToggle={() => setOpen(!open)} />
      <span className="gr-hidden" role="status">{unread === 0 ? '' : `${unread} unread notifications`}</span>
      {open && <Panel id={id} place={place} all={all} unread={unread} newest={counts?.newest_id ?? null}
        onClose={close} />}
    </div>
  );
}

function Panel({ id, place, all, unread, newest, onClose }: BellProps & {
  id: string; unread: number; newest: number | null; onClose: () => void;
}) {
  const read = useRecent(place, true);
  const marks = useMarks(place);
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.focus({ preventScroll: true }), []);
  const rows = read.data?.data;
  return (
    <section id={id} className={styles.panel} aria-label="Notifications" tabIndex={-1} ref={panel}
      onKeyDown={(event) => { if (event.key === 'Escape') { event.stopPropagation(); onClose(); } }}>
      <header className={styles.head}>
        <h2>Notifications</h2>
        {unread > 0 && newest !== null && (
          <Button size="small" variant="quiet" icon={<Glyph icon={CheckCheck} size={15} />} pending={marks.pending}
            onClick={() => void marks.all(newest)}>Mark all read</Button>
        )}
      </header>
      {read.isError && !rows && <Callout tone="error" title="They could not be loaded">{read.error.message}</Callout>}
      {!rows && !read.isError && (
        <div className={styles.waiting} aria-busy="true">
          {[240, 200, 260].map((width) => <Skeleton key={width} width={width} height={14} />)}
        </div>
      )}
      {rows?.length === 0 && <p className={styles.nothing}>Nothing yet. Your notifications appear here.</p>}
      {rows && rows.length > 0 && (
        <ul className={styles.list}>
          {rows.map((row) => <Entry key={row.id} row={row} marks={marks} onClose={onClose} />)}
        </ul>
      )}
      <footer className={styles.foot}>
        <AppLink href={all} className="gr-link" onClick={onClose}>All notifications</AppLink>
      </footer>
    </section>
  );
}

function Entry({ row, marks, onClose }: { row: NotificationRow; marks: Marks; onClose: () => void }) {
  const { go } = useNavigation();
  const open = (): void => {
    if (!row.read) void marks.one(row.id, true);
    if (row.href === null) return;
    onClose();
    go(row.href);
  };
  return (
    <li>
      <button type="button" className={styles.entry} data-unread={!row.read || undefined} onClick={open}>
        <span className={styles.icon}><Glyph icon={iconOf(row.kind)} size={16} /></span>
        <span className={styles.text}>
          <span className={styles.title}>{row.title}</span>
          {row.body && <span className={styles.body}>{row.body}</span>}
          <span className={styles.when}>{!row.read && <span className="gr-hidden">Unread, </span>}
            {ago(row.created_at)}</span>
        </span>
      </button>
    </li>
  );
}
