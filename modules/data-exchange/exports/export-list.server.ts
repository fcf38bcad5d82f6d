/**
 * The lists that can be exported are the lists themselves: every paged GET of the staff area, and of the
 * utilities that staff alone may read. An export asks the list's
 * own handler with the requester's own rights, so filters, scope and columns are never told a second time.
 */
import type { Endpoint, PageMeta } from '#kit/endpoint.ts';
import { invalid, invalidField, refuse, type FieldErrors } from '#kit/errors.ts';
import type { AuditActor } from '#server/audit.ts';
import { workContext, type Ctx, type Ports } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { fieldErrors } from '#server/error-answer.ts';
import { checkGates } from '#server/gates.ts';
import type { Principal } from '#server/principal.ts';
import type { Route } from '#server/routes.ts';

/** Export request, as it is stored. */
export interface ExportRequest {
  model_name: string;
  columns: readonly string[];
  filter: Readonly<Record<string, unknown>>;
}

export type ListRow = Readonly<Record<string, unknown>>;

/** A list found by its address, with what its handler takes. */
export interface ExportList {
  route: Route;
  params: Record<string, number>;
  query: Record<string, unknown>;
}

/** Rows of one read: ten times what a screen may ask for. */
export const EXPORT_PAGE = 1000;

const NO_GATE_OFF: ReadonlySet<never> = new Set();

type Shape = Record<string, unknown>;

/** The fields of a list's rows by the contract; null for what is no paged list. */
function fieldsOf({ response }: Endpoint): Shape | null {
  const shape = shapeOf(response);
  const rows = shape?.data as { element?: unknown } | undefined;
  const row = shapeOf(rows?.element);
  return shape?.meta && row ? row : null;
}

function shapeOf(schema: unknown): Shape | undefined {
  const given = schema as { shape?: Shape; unwrap?: () => unknown } | null | undefined;
  return given?.shape ?? (given?.unwrap ? shapeOf(given.unwrap()) : undefined);
}

/** A field of the row, or a part of one: `address.locality`. */
function holds(fields: Shape, column: string): boolean {
  const [field = '', part] = column.split('.');
  if (!Object.hasOwn(fields, field)) return false;
  return part === undefined || Object.hasOwn(shapeOf(fields[field]) ?? {}, part);
}

/** The value of a column in a row; a part of what is not there is nothing. */
export function valueIn(row: ListRow, column: string): unknown {
  const [field = '', part] = column.split('.');
  const value = row[field];
  return part === undefined ? value : (value as ListRow | null | undefined)?.[part];
}

function paramsOf(pattern: string, address: string): Record<string, number> | null {
  const wanted = pattern.split('/');
  const given = address.split('/');
  if (wanted.length !== given.length) return null;
  const params: Record<string, number> = {};
  for (const [at, part] of wanted.entries()) {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    const text = given[at] ?? '';
    if (name === undefined ? part !== text : !/^\d{1,15}$/.test(text)) return null;
    if (name !== undefined) params[name] = Number(text);
  }
  return params;
}

/**
 * The list of a request, its query read by the list's own rules.
 *
 * @throws 422 at model_name, columns or filter.x; 403 and 404 as the list itself would answer.
 */
export function listOf(routes: readonly Route[], principal: Principal, request: ExportRequest): ExportList {
  const address = request.model_name.startsWith('utilities/') ? `/api/${request.model_name}`
    : `/api/admin/${request.model_name}`;
  for (const route of routes) {
    const { endpoint } = route;
    const fields = endpoint.method === 'GET' && endpoint.auth.kind === 'staff' ? fieldsOf(endpoint) : null;
    const params = fields === null ? null : paramsOf(endpoint.path, address);
    if (fields === null || params === null) continue;
    checkGates(endpoint.auth, principal, params.id ?? null, NO_GATE_OFF);
    const wrong = request.columns.find((column) => !holds(fields, column));
    if (wrong !== undefined) throw invalidField('columns', `This list has no column "${wrong}"`);
    return { route, params, query: queryOf(endpoint, request.filter) };
  }
  throw invalidField('model_name', 'There is no such list');
}

function queryOf(endpoint: Endpoint, filter: ExportRequest['filter']): Record<string, unknown> {
  const { page: _page, per_page: _size, ...rest } = filter;
  const result = endpoint.query?.safeParse(rest);
  if (!result) return {};
  if (result.success) return result.data as Record<string, unknown>;
  const errors = Object.entries(fieldErrors(result.error)).map(([key, texts]) => [`filter.${key}`, texts] as const);
  throw invalid(Object.fromEntries(errors) as FieldErrors);
}

/** A context for a handler outside a request: it works as the person who asked, `actor` says from where. */
export function asPerson(ports: Ports, db: Queryable, principal: Principal, actor: AuditActor): Ctx {
  const work = workContext(ports, db, actor);
  const nowhere = (): never => { throw new Error('there is no answer to write to'); };
  return { ...work, principal, user: principal, session: null, ip: actor.ip ?? '', port: null,
    origin: '', user_agent: null,
    file: null, ifMatch: null, lastEventId: null, setCookie: nowhere, header: () => {} };
}

export interface ListPart { rows: ListRow[]; meta: PageMeta }

/** One page of a list, as its contract lets it out. */
export async function pageOfList(ctx: Ctx, list: ExportList, page: number, size: number): Promise<ListPart> {
  const { endpoint, handler } = list.route;
  if (endpoint.response === null || typeof endpoint.response === 'string') throw refuse('not_found');
  const answer = await handler(ctx, { params: list.params, body: undefined,
    query: { ...list.query, page, per_page: size } });
  const { data, meta } = endpoint.response.parse(answer) as { data: ListRow[]; meta: PageMeta };
  return { rows: data, meta };
}

/** Pages of a list, one after the other. */
export async function* pagesOf(ctx: Ctx, list: ExportList): AsyncGenerator<ListPart> {
  for (let page = 1; ; page += 1) {
    const part = await pageOfList(ctx, list, page, EXPORT_PAGE);
    yield part;
    if (part.rows.length < EXPORT_PAGE) return;
  }
}
