/**
 * One call of the tax service's v2 API: a time limit, repetitions with growing pauses, and a breaker that stops asking
 * a service that is down. What was refused is told apart from what got no answer: only the second may be asked again.
 */
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

const TIME_LIMIT_MS = 5000;
const FIRST_PAUSE_MS = 200;
/** Failures in a row after which nothing is asked, and for how long. */
const BREAKS_AFTER = 5;
const OPEN_FOR_MS = 30_000;

const breakers = new Map<string, { failures: number; openUntil: number }>();

function breakerOf(url: string) {
  const known = breakers.get(url) ?? { failures: 0, openUntil: 0 };
  breakers.set(url, known);
  return known;
}

/** The answer, or {@link ServiceRefused} or {@link ServiceSilent}. `now` is in ms. */
export async function callService<T>(
  settings: ServiceSettings, call: ServiceCall, now: () => number = performance.now.bind(performance),
): Promise<T> {
  const breaker = breakerOf(settings.url);
  if (breaker.openUntil > now()) throw new ServiceSilent('The tax service did not answer lately');
  for (let attempt = 1; ; attempt += 1) {
    try {
      const answer = await once<T>(settings, call);
      breaker.failures = 0;
      return answer;
    } catch (error) {
      if (error instanceof ServiceRefused) {
        breaker.failures = 0;
        throw error;
      }
      breaker.failures += 1;
      if (breaker.failures >= BREAKS_AFTER) breaker.openUntil = now() + OPEN_FOR_MS;
      if (attempt >= call.tries || breaker.openUntil > now()) throw error;
      await new Promise((done) => { setTimeout(done, FIRST_PAUSE_MS * 2 ** (attempt - 1)); });
    }
  }
}

async function once<T>({ url, key }: ServiceSettings, { method, path, body }: ServiceCall): Promise<T> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  let answer: Response;
  let text: string;
  try {
    answer = await fetch(`${url}/v2/${path}`, { method, headers, redirect: 'error',
      signal: AbortSignal.timeout(TIME_LIMIT_MS), ...(body ? { body: JSON.stringify(body) } : {}) });
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
