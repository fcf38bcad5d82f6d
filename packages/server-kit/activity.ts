/** The Activity of a record: its audit rows in words (who, what, before and after, when). */
import type { ListArgs } from '#kit/endpoint.ts';
import type { Queryable } from './db.ts';
import { listPage, type Page } from './list.ts';
import { sql } from './sql.ts';

export interface ActivityRow {
  id: number;
  created_at: string;
  actor: string | null;
  action: string;
  entity: string;
  entity_id: number | null;
  changes: { field: string; before: string; after: string }[];
}

interface AuditRow extends Omit<ActivityRow, 'changes'> {
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

/** Bookkeeping columns say nothing to people. */
const SILENT = new Set(['version', 'updated_at', 'created_at', 'search_text', 'bank_written_by_id',
  'bank_details_changed_at']);
const LONGEST = 200;

export async function activityOf(
  db: Queryable, record: { entity: string; entity_id: number }, args: ListArgs, path: string,
): Promise<Page<ActivityRow>> {
  const page = await listPage<AuditRow>(db, {
    base: sql`audit_events t`,
    columns: sql`t.id, t.created_at, t.action, t.entity, t.entity_id, t.before, t.after,
      u.first_name || ' ' || u.last_name as actor`,
    joins: sql`left join users u on u.id = t.actor_id`,
    conditions: [sql`t.entity = ${record.entity}`, sql`t.entity_id = ${record.entity_id}`],
    sorts: { id: sql`t.id` }, defaultSort: 'id', defaultDirection: 'desc',
  }, args, path);
  return {
    ...page,
    data: page.data.map(({ before, after, ...row }) => ({ ...row,
      changes: [...personOf(row.action, before, after), ...changesOf(before, after)] })),
  };
}

/** Events about a person joining, leaving or being invited: often one-sided, and the record is not the person. */
const ABOUT_PEOPLE = /_(user|user_role|invitation|join)$/;

export function personOf(
  action: string, before: Record<string, unknown> | null, after: Record<string, unknown> | null,
): ActivityRow['changes'] {
  const facts = after ?? before;
  if (!facts || !ABOUT_PEOPLE.test(action)) return [];
  const name = [facts.first_name, facts.last_name].filter(Boolean).join(' ') || textOf(facts.email ?? '');
  if (name === '') return [];
  const role = before && after ? '' : textOf(facts.role ?? '');
  return [{ field: 'person', before: after ? '' : name, after: after ? name : '' },
    ...(role === '' ? [] : [{ field: 'role', before: after ? '' : role, after: after ? role : '' }])];
}

/** The fields that differ, as text; nothing where one side is missing. */
export function changesOf(before: object | null, after: object | null) {
  if (!before || !after) return [];
  // A list set as a whole (venues of a customer): its places in the list say nothing.
  if (Array.isArray(after)) return [{ field: 'all', ...changeOf(Array.isArray(before) ? before : [], after) }];
  const [old, now] = [before, after] as Record<string, unknown>[];
  return Object.keys(after)
    .filter((key) => !SILENT.has(key) && JSON.stringify(old![key]) !== JSON.stringify(now![key]))
    .map((key) => ({ field: key, ...changeOf(old![key], now![key]) }));
}

/** Of a list only what went and what came: a group's rights fill a page, the change is two words. */
function changeOf(given: unknown, taken: unknown): { before: string; after: string } {
  const [before, after] = [named(given), named(taken)];
  if (!isPlainList(before) || !isPlainList(after)) return { before: textOf(before), after: textOf(after) };
  const without = (list: readonly unknown[], other: readonly unknown[]): string =>
    shortened(list.filter((item) => !other.includes(item)).join(', '));
  return { before: without(before, after), after: without(after, before) };
}

/** Of a record its name; its other fields are in the audit. A row with a label is no record: all of it is read. */
function named(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(named);
  if (typeof value !== 'object' || value === null) return value;
  const name = 'name' in value ? value.name : 'number' in value ? value.number : undefined;
  if (typeof name === 'string') return name;
  return 'label' in value && typeof value.label === 'string' ? labelled(value.label, value) : value;
}

/** {label: 'Stalls', price: 25, number_of_seats: 150} as 'Stalls (price 25, number of seats 150)'. */
function labelled(label: string, row: object): string {
  const rest = Object.entries(row).filter(([key, value]) => key !== 'label' && value !== null
    && typeof value !== 'object').map(([key, value]) => `${key.replaceAll('_', ' ')} ${value}`);
  return rest.length === 0 ? label : `${label} (${rest.join(', ')})`;
}

function isPlainList(value: unknown): value is readonly (string | number)[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string' || typeof item === 'number');
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return shortened(text);
}

const shortened = (text: string): string => text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
