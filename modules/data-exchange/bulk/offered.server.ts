/** Bulk actions of a list, looked up by their names in the API; and the call behind each. */
import { callName, type BulkAction, type BulkCall, type BulkList } from '#kit/bulk.ts';
import { invalid, invalidField, type FieldErrors } from '#kit/errors.ts';
import { fieldErrors } from '#server/error-answer.ts';
import type { Route } from '#server/routes.ts';
import type { BulkBody } from './bulk.contract.ts';
import { BULK_LISTS } from './bulk-lists.contract.ts';

export interface Offered { list: BulkList; action: BulkAction }

/** Whether the body is what the offer sends, with an answer where it asks for one. */
function fits(action: BulkAction, body: BulkBody['body']): boolean {
  const fixed = action.body ?? {};
  const names = new Set([...Object.keys(fixed), ...Object.keys(body)]);
  if (action.asks) names.delete(action.asks.field);
  return [...names].every((name) => fixed[name] === body[name]);
}

/** @throws 422 at `endpoint` where no list, or not the one that was named, offers this. */
export function offeredBy(listPath: string | null, endpoint: string, body: BulkBody['body']): Offered {
  for (const list of BULK_LISTS) {
    if (listPath !== null && list.list.path !== listPath) continue;
    const action = list.actions.find((one) => callName(one.endpoint) === endpoint && fits(one, body));
    if (action) return { list, action };
  }
  throw invalidField('endpoint', 'This list does not offer that for many rows');
}

export function routeOf(routes: readonly Route[], call: Pick<BulkCall, 'endpoint'>): Route {
  const wanted = callName(call.endpoint);
  const route = routes.find(({ endpoint }) => callName(endpoint) === wanted);
  if (!route) throw new Error(`${wanted} is offered but not served`);
  return route;
}

/** Body of the call for one record. A record whose version nobody saw is sent without, and refused where it matters. */
export function bodyFor(route: Route, body: Readonly<Record<string, unknown>>, version: number | null): unknown {
  const schema = route.endpoint.body;
  if (!schema) return {};
  const versioned = 'version' in ((schema as { shape?: object }).shape ?? {});
  const sent = versioned && version !== null ? { ...body, version } : body;
  const result = schema.safeParse(sent);
  if (result.success) return result.data;
  const errors = Object.entries(fieldErrors(result.error)).map(([key, texts]) => [`body.${key}`, texts] as const);
  throw invalid(Object.fromEntries(errors) as FieldErrors);
}

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export function paramsOf(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
}

/** Numbers of the record's address beside its own: `{licenseId}` is the row's `license_id`. */
export function otherParams(path: string, row: Readonly<Record<string, unknown>>): Record<string, number> {
  const others = paramsOf(path).slice(0, -1);
  return Object.fromEntries(others.map((name) => [name, Number(row[snake(name)])]));
}
