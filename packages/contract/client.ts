/**
 * The typed client: `call(endpoint, {params, query, body})`. Cookies and the CSRF pair travel by themselves; a 419
 * rereads the cookie once and repeats. Failures become {@link ApiError} with the texts of SPEC.md section 8
 * ('Network Error', 'Request aborted', 'timeout of {n}ms exceeded' are axios' own).
 */
import axios, { isAxiosError, type AxiosProgressEvent, type AxiosRequestConfig } from 'axios';
import type { AnyEndpoint, BodyIn, ParamsOf, QueryIn, ResponseOf } from './endpoint.ts';
import type { FieldErrors } from './errors.ts';

export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly errors: FieldErrors;
  readonly body: Record<string, unknown>;
  constructor(status: number, message: string, body: Record<string, unknown> = {}) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.body = body;
    this.code = typeof body.code === 'string' ? body.code : '';
    this.errors = (body.errors as FieldErrors | undefined) ?? {};
  }
}

const http = axios.create({
  withCredentials: true,
  withXSRFToken: true,
  headers: { 'X-API-Version': '1', Accept: 'application/json' },
  paramsSerializer: { indexes: null },
});

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
  onUploadProgress?: (event: AxiosProgressEvent) => void;
}

/** The endpoint's address with its parameters filled in. */
export function urlOf(endpoint: AnyEndpoint, params: Record<string, unknown> | undefined): string {
  return endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params?.[name])));
}

export async function call<E extends AnyEndpoint>(
  endpoint: E, args: CallArgs<E>, options: CallOptions = {},
): Promise<ResponseOf<E>> {
  const loose = args as { params?: Record<string, unknown>; query?: unknown; body?: unknown };
  const config: AxiosRequestConfig = {
    method: endpoint.method,
    url: urlOf(endpoint, loose.params),
    params: loose.query,
    data: options.form ?? loose.body,
    headers: {
      ...(options.idempotencyKey ? { 'Idempotency-Key': options.idempotencyKey } : {}),
      ...(options.background ? { 'X-Background': '1' } : {}),
    },
    ...(endpoint.response === 'file' ? { responseType: 'blob' as const } : {}),
    ...(options.signal ? { signal: options.signal } : {}),
    ...(options.onUploadProgress ? { onUploadProgress: options.onUploadProgress } : {}),
  };
  try {
    return (await request(config)) as ResponseOf<E>;
  } catch (error) {
    throw toApiError(error);
  }
}

async function request(config: AxiosRequestConfig): Promise<unknown> {
  try {
    return (await http.request(config)).data;
  } catch (error) {
    if (!isAxiosError(error) || error.response?.status !== 419) throw error;
    await http.get('/sanctum/csrf-cookie');
    return (await http.request(config)).data;
  }
}

/** Makes sure the CSRF cookie is there before the first unsafe call of a visit. */
export async function prepareCsrf(): Promise<void> {
  await http.get('/sanctum/csrf-cookie');
}

function toApiError(error: unknown): unknown {
  if (!isAxiosError(error)) return error;
  const body: unknown = error.response?.data;
  const record = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const message = typeof record.message === 'string' ? record.message : error.message;
  return new ApiError(error.response?.status ?? 0, message, record);
}
