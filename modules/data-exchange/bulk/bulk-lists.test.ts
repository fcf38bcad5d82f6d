/** Bulk actions of lists are served, fit the rows they show, and ask for nothing that a job cannot answer. */
import { describe, expect, test } from 'vitest';
import { routes } from '#apps/server/src/routes.ts';
import { callName, type BulkAction, type BulkCall } from '#kit/bulk.ts';
import { BULK_LISTS } from './bulk-lists.contract.ts';
import { bodyFor, otherParams, routeOf } from './offered.server.ts';

type Shape = Record<string, { shape?: Shape; element?: { shape?: Shape } }>;
const shapeOf = (schema: unknown): Shape => (schema as { shape?: Shape } | null)?.shape ?? {};

const ANSWERS = { person: 7, text: 'Because' } as const;
const offers = BULK_LISTS.flatMap((list) => list.actions.map((action) => ({ list, action,
  title: `${list.list.path}: ${action.label}` })));

const asked = (action: BulkAction): Record<string, unknown> =>
  ({ ...action.body, ...(action.asks && { [action.asks.field]: ANSWERS[action.asks.kind] }) });

function checkCall(call: BulkCall, body: Record<string, unknown>, row: Record<string, number>): void {
  const route = routeOf(routes, call);
  const { endpoint } = route;
  expect(endpoint.auth.kind).toBe('staff');
  expect([endpoint.secret, endpoint.upload], callName(endpoint)).toEqual([undefined, undefined]);
  expect(() => bodyFor(route, body, 1)).not.toThrow();
  expect(Object.values(otherParams(endpoint.path, row)).every((id) => id === 1), callName(endpoint)).toBe(true);
}

describe('[X203] every offer of a list', () => {
  test('stands in one list of the server', () => {
    const paths = BULK_LISTS.map((one) => one.list.path);
    expect(new Set(paths).size).toBe(paths.length);
  });

  test.each(offers)('$title', ({ list, action }) => {
    const fields = Object.keys(shapeOf(shapeOf(list.list.response).data?.element));
    const row = Object.fromEntries(fields.map((field) => [field, 1]));
    expect(routes.some(({ endpoint }) => callName(endpoint) === callName(list.list))).toBe(true);
    expect(list.named.some((field) => fields.includes(field))).toBe(true);
    for (const [, field] of (list.href ?? '').matchAll(/\{(\w+)\}/g)) expect(fields).toContain(field);
    checkCall(action, asked(action), row);
    if (action.undo) checkCall(action.undo, { ...action.undo.body }, row);
    // A call that wants the version needs a list that shows it.
    if ('version' in shapeOf(action.endpoint.body)) expect(fields).toContain('version');
  });
});
