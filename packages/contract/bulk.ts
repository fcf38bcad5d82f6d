/**
 * Bulk actions of a list (X203): each action is the call of one record, done for every selected row, so that rights,
 * versions, rules and audit are the same as by hand. Declared beside the endpoints, read by the list's screen and by
 * the job that runs it (modules/data-exchange/bulk).
 *
 * @example
 * export const venueBulk = bulk(venueEndpoints.list, { noun: ['venue', 'venues'], href: '/admin/venues/{id}' }, [
 *   trashing(venueEndpoints),
 * ]);
 */
import type { AnyEndpoint } from './endpoint.ts';

/** A call of one record, with what is sent beside the record's version. */
export interface BulkCall {
  label: string;
  /** The last parameter of its path is the row's id; others are fields of the row: `{licenseId}` is `license_id`. */
  endpoint: AnyEndpoint;
  body?: Readonly<Record<string, unknown>>;
}

/** Question a person answers once for all rows: a field of the call's body. */
export interface BulkQuestion {
  field: string;
  label: string;
  /** people: one of the staff, by id; text: words, at most `max`. */
  kind: 'person' | 'text';
  max?: number;
}

export interface BulkAction extends BulkCall {
  /** Takes things away: many at once are confirmed by typing their number (U12). */
  danger?: boolean;
  asks?: BulkQuestion;
  /** Takes it back, row by row. */
  undo?: BulkCall;
}

export interface BulkList {
  list: AnyEndpoint;
  /** One row, many rows. */
  noun: readonly [string, string];
  /** Address of a record, with fields of its row: '/admin/venues/{id}'; null where it has no page. */
  href: string | null;
  /** Fields of a row that name it in a report; the first that is filled counts. */
  named: readonly string[];
  actions: readonly BulkAction[];
}

/** Rows of one run. A list counts no further either (packages/server-kit/list.ts). */
export const BULK_LIMIT = 10_000;

const NAMES = ['name', 'title', 'number', 'email'] as const;

export function bulk(
  list: AnyEndpoint, words: { noun: readonly [string, string]; href: string | null; named?: readonly string[] },
  actions: readonly BulkAction[],
): BulkList {
  return { list, noun: words.noun, href: words.href, named: words.named ?? NAMES, actions };
}

/** 'DELETE /api/admin/staff/venues/{id}': how a call is named on the wire. */
export function callName(endpoint: AnyEndpoint): string {
  return `${endpoint.method} ${endpoint.path}`;
}

/** Moves rows to the trash, and back. */
export function trashing(endpoints: { remove: AnyEndpoint; restore: AnyEndpoint }): BulkAction {
  return { label: 'Move to trash', endpoint: endpoints.remove, danger: true,
    undo: { label: 'Restore', endpoint: endpoints.restore } };
}

/** Bulk action that restores rows from the trash. */
export function restoring(endpoints: { restore: AnyEndpoint }): BulkAction {
  return { label: 'Restore', endpoint: endpoints.restore };
}

/** A switch of the record, on and off, by its own update. */
export function switching(
  update: AnyEndpoint, field: string, [on, off]: readonly [string, string],
): [BulkAction, BulkAction] {
  const turnedOn = { label: on, endpoint: update, body: { [field]: true } };
  const turnedOff = { label: off, endpoint: update, body: { [field]: false } };
  return [{ ...turnedOn, undo: turnedOff }, { ...turnedOff, undo: turnedOn }];
}
