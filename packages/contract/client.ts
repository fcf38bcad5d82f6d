/**
 * The typed client: `call(endpoint, {params, query, body})`. Cookies and the CSRF pair travel by themselves; a 419
 * rereads the cookie once and repeats; a 423 asks the person to confirm (`askToConfirm`) and repeats. Failures become
 * {@link ApiError} with the texts of SPEC.md section 8 ('Network Error', 'Request aborted', 'timeout of {n}ms
 * exceeded').
 *
 * Over the browser's own fetch; an upload that shows its progress goes over XMLHttpRequest, loaded when first needed
 * (docs/decisions/0003). Nothing here is imported from zod at run time, so that the sign-in page stays small.
 */
import type { AnyEndpoint, BodyIn, ParamsOf, QueryIn, ResponseOf } from './endpoint.ts';
import {
  ApiError, readContent, type IncomingAnswer, type OutgoingRequest, type Repeatable, type UploadProgress,
} from './transport.ts';

export { ApiError };

type Arg<K extends string, T> = [T] extends [undefined] ? { [P in K]?: undefined }
  : Record<string, never> extends T ? { [P in K]?: T } : { [P in K]: T };

export type CallArgs<E> = (keyof ParamsOf<E> extends never ? { params?: undefined } : { params: ParamsOf<E> })
  & Arg<'query', QueryIn<E>> & Arg<'body', BodyIn<E>>;

export interface CallOptions {
  signal?: AbortSignal;
  idempotencyKey?: string;
  /** Background refetches do not keep the session alive (reliability.md 1.5). */
  background?: boolean;
  /** Multipart instead of JSON: fields and files. */
  form?: FormData;
  onUploadProgress?: (event: UploadProgress) => void;
  /** ms until the call is given up; none unless given. */
  timeout?: number;
}

/** The endpoint's address with its parameters filled in. */
export function urlOf(endpoint: AnyEndpoint, params: Record<string, unknown> | undefined): string {
  return endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params?.[name])));
}

/**
 * An endpoint named by method and path alone, typed by its contract: `remote<typeof sessionEndpoints.login>('POST',
 * '/api/auth/login')` with `import type`. For the pages before sign-in, which carry no schemas.
 */
export function remote<E extends AnyEndpoint>(method: E['method'], path: E['path']): E {
  return { method, path } as E;
}

export async function call<E extends AnyEndpoint>(
  endpoint: E, args: CallArgs<E>, options: CallOptions = {},
): Promise<ResponseOf<E>> {
  const loose = args as LooseArgs;
  try {
    return await send(endpoint, loose, options) as ResponseOf<E>;
  } catch (error) {
    if (error instanceof ApiError && UNANSWERED.has(error.status)) {
      error.repeatable = repeatable(endpoint, loose.body, options);
    }
    throw error;
  }
}

interface LooseArgs { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown }

/** No connection, or a proxy without a server behind it. */
const UNANSWERED: ReadonlySet<number> = new Set([0, 502, 503, 504]);

/** Never money and documents (`idempotent`), nor what a person confirms or knows alone: those are asked for anew. */
function repeatable(endpoint: AnyEndpoint, body: unknown, { idempotencyKey, signal }: CallOptions): Repeatable {
  if (endpoint.idempotent || endpoint.confirm || endpoint.secret || signal?.aborted) return null;
  if (idempotencyKey !== undefined) return 'key';
  return typeof body === 'object' && body !== null && 'version' in body ? 'version' : null;
}

async function send(endpoint: AnyEndpoint, loose: LooseArgs, options: CallOptions): Promise<unknown> {
  const json = options.form === undefined && loose.body !== undefined;
  const request: OutgoingRequest = {
    method: endpoint.method,
    url: urlOf(endpoint, loose.params) + queryText(loose.query),
    headers: {
      'X-API-Version': '1', Accept: 'application/json',
      ...(json ? { 'Content-Type': 'application/json' } : {}),
      ...(options.idempotencyKey ? { 'Idempotency-Key': options.idempotencyKey } : {}),
      ...(options.background ? { 'X-Background': '1' } : {}),
    },
    body: options.form ?? (json ? JSON.stringify(loose.body) : undefined),
    signal: options.signal, blob: endpoint.response === 'file', timeout: options.timeout ?? 0,
  };
  const way = options.onUploadProgress
    ? (await import('./upload-progress.ts')).sendWithProgress(options.onUploadProgress) : sendByFetch;
  let answer = await way(withCsrf(request));
  if (answer.status === 419) {
    await prepareCsrf();
    answer = await way(withCsrf(request));
  }
  if (demandsConfirmation(answer) && confirmIdentity !== null) {
    if (!(await confirmIdentity())) throw new ApiError(423, NOT_CONFIRMED, { code: 'confirmation_declined' });
    answer = await way(withCsrf(request));
  }
  if (answer.status >= 200 && answer.status < 300) return answer.data;
  throw failureOf(answer);
}

const NOT_CONFIRMED = 'Nothing was changed, because you did not confirm that it is you.';
let confirmIdentity: (() => Promise<boolean>) | null = null;

/**
 * Hands in who asks the person to confirm who they are, when an endpoint with `confirm` demands it; true repeats the
 * call. One dialog serves every screen: no screen knows which of its calls demand it. Answers the way to take it back.
 */
export function askToConfirm(ask: () => Promise<boolean>): () => void {
  confirmIdentity = ask;
  return () => { if (confirmIdentity === ask) confirmIdentity = null; };
}

function demandsConfirmation({ status, data }: IncomingAnswer): boolean {
  return status === 423 && (data as { code?: unknown } | null | undefined)?.code === 'confirmation_required';
}

/** Makes sure the CSRF cookie is there before the first unsafe call of a visit. */
export async function prepareCsrf(): Promise<void> {
  const answer = await sendByFetch({ method: 'GET', url: '/sanctum/csrf-cookie', headers: {}, body: undefined,
    signal: undefined, blob: false, timeout: 0 });
  if (answer.status >= 400) throw failureOf(answer);
}

/** `{page: 2, ids: [1, 2]}` as '?page=2&ids=1&ids=2'; absent values are left out. */
export function queryText(query: Record<string, unknown> | undefined): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const one of Array.isArray(value) ? value as unknown[] : [value]) {
      if (one !== undefined && one !== null) search.append(name, String(one as string | number | boolean));
    }
  }
  const text = search.toString();
  return text && `?${text}`;
}

/** The token of the cookie goes back as a header; read anew for every try. */
function withCsrf(request: OutgoingRequest): OutgoingRequest {
  const cookies = (globalThis as { document?: { cookie: string } }).document?.cookie ?? '';
  const token = /(?:^|; )XSRF-TOKEN=([^;]*)/.exec(cookies)?.[1];
  if (token === undefined) return request;
  return { ...request, headers: { ...request.headers, 'X-XSRF-TOKEN': decodeURIComponent(token) } };
}

async function sendByFetch(request: OutgoingRequest): Promise<IncomingAnswer> {
  const { signal, timeout, method, headers, body } = request;
  const clock = timeout > 0 ? AbortSignal.timeout(timeout) : undefined;
  const signals = [signal, clock].filter((one) => one !== undefined);
  try {
    const response = await fetch(request.url, { method, headers, credentials: 'same-origin',
      ...(body === undefined ? {} : { body }), ...(signals.length > 0 ? { signal: AbortSignal.any(signals) } : {}) });
    return { status: response.status, data: await contentOf(response, request.blob) };
  } catch {
    if (clock?.aborted) throw new ApiError(0, `timeout of ${timeout}ms exceeded`);
    throw new ApiError(0, signal?.aborted ? 'Request aborted' : 'Network Error');
  }
}

async function contentOf(response: Response, blob: boolean): Promise<unknown> {
  if (blob && response.ok) return response.blob();
  return readContent(await response.text());
}

function failureOf(answer: IncomingAnswer): ApiError {
  const { data, status } = answer;
  const record = typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {};
  const message = typeof record.message === 'string' ? record.message : `Request failed with status code ${status}`;
  return new ApiError(status, message, record);
}
