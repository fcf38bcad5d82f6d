/**
 * One call of the tax service's v2 API: a time limit, repetitions with growing pauses, and a breaker that stops asking
 * a service that is down. What was refused is told apart from what got no answer: only the second may be asked again.
 */
import { CALL_LIMIT_MS, guardedCall } from '#server/guarded-call.ts';

export class ServiceRefused extends Error {
  readonly status: number;
  constructor(status: number, detail: string) {
    super(detail);
    this.status = status;
  }
}
export class ServiceSilent extends Error {}

export interface ServiceSettings { url: string; key: string }
export interface ServiceCall { method: 'GET' | 'POST' | 'PUT' | 'DELETE'; path: string; body?: object | undefined;
  /** Number of tries; a call that changes something is retried by its job, which asks first. */
  tries: number }

/** The answer, or {@link ServiceRefused} or {@link ServiceSilent}. `now` is in ms. */
export function callService<T>(settings: ServiceSettings, call: ServiceCall, now?: () => number): Promise<T> {
  return guardedCall({ place: settings.url, tries: call.tries, once: () => once<T>(settings, call),
    isRefusal: (error) => error instanceof ServiceRefused,
    silent: () => new ServiceSilent('The tax service did not answer lately'), ...(now ? { now } : {}) });
}

async function once<T>({ url, key }: ServiceSettings, { method, path, body }: ServiceCall): Promise<T> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  let answer: Response;
  let text: string;
  try {
    answer = await fetch(`${url}/v2/${path}`, { method, headers, redirect: 'error',
      signal: AbortSignal.timeout(CALL_LIMIT_MS), ...(body ? { body: JSON.stringify(body) } : {}) });
    text = await answer.text();
  } catch (error) {
    throw new ServiceSilent(`The tax service did not answer: ${(error as Error).name}`, { cause: error });
  }
  const read = parsed(text);
  if (answer.ok && read !== null) return read as T;
  const detail = typeof read?.detail === 'string' ? read.detail : `status ${answer.status}`;
  if (answer.status >= 400 && answer.status < 500 && answer.status !== 408 && answer.status !== 429) {
    throw new ServiceRefused(answer.status, detail.slice(0, 400));
  }
  throw new ServiceSilent(`The tax service answered ${answer.status}`);
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value as Record<string, unknown> : null;
  } catch {
    return null;
  }
}
