/** Notifications in words: the icon of a kind, how long ago. */
import {
  AtSign, Banknote, Bell, BookOpen, Building2, CircleCheckBig, ClipboardCheck, FileDown, FileText, FileUp, Inbox,
  Package, PenLine, Receipt, ShieldAlert, Theater, Ticket, UserRound,
} from 'lucide-react';
import type { Icon } from '#web/layout/icons.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { KINDS, type NotificationKind } from './notification-kinds.ts';

const ICONS: Readonly<Record<string, Icon>> = {
  application: Inbox, offer: PenLine, change: ClipboardCheck, document: FileText, production: Theater, report: Ticket,
  money: Banknote, payment: Banknote, statement: FileText, import: FileUp,
  export: FileDown, people: UserRound, customer: Building2,
  system: ShieldAlert, license: Theater, addendum: PenLine, invoice: Receipt, deposit: Banknote, memo: AtSign,
  approval: CircleCheckBig, perusal: BookOpen, order: Package,
};

export function iconOf(kind: string): Icon {
  return ICONS[kind.split('.')[0] ?? ''] ?? Bell;
}

export const KIND_OPTIONS = (area: 'staff' | 'customer') =>
  (Object.keys(KINDS) as NotificationKind[]).filter((kind) => KINDS[kind].area === area)
    .map((kind) => ({ value: kind, label: KINDS[kind].label }));

const MINUTE = 60_000, HOUR = 3_600_000, DAY = 86_400_000;

/** 'now', '5 min ago', '3 h ago', 'yesterday', then the day. */
export function ago(instant: string, now = Date.now()): string {
  const passed = now - Date.parse(instant);
  if (passed < MINUTE) return 'now';
  if (passed < HOUR) return `${Math.floor(passed / MINUTE)} min ago`;
  if (passed < DAY) return `${Math.floor(passed / HOUR)} h ago`;
  if (passed < 2 * DAY) return 'yesterday';
  return formatDay(instant);
}
