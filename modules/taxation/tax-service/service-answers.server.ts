/**
 * Answers of the tax service where a key is set up: categories and rates are kept for a while, and whatever it does not
 * answer comes from our own tables, which the answer says (`source`).
 */
import type Taxjar from 'taxjar';
import type { WorkContext } from '#server/context.ts';
import { AppError, refuse } from '#kit/errors.ts';
import { callService, ServiceRefused, type ServiceCall } from './service-call.server.ts';

type AnswerOf<K extends keyof Taxjar> = Taxjar[K] extends (...args: never[]) => Promise<infer R> ? R : never;
export type ServiceCategories = AnswerOf<'categories'>;
export type ServiceRates = AnswerOf<'ratesForLocation'>;
export type ServiceTax = AnswerOf<'taxForOrder'>;
export type ServiceRegions = AnswerOf<'nexusRegions'>;
export type ServiceAddresses = AnswerOf<'validateAddress'>;
export type ServiceVat = AnswerOf<'validate'>;
export type ServiceSummary = AnswerOf<'summaryRates'>;

const KEPT_MS = 60 * 60 * 1000;
const MOST_KEPT = 2000;
const kept = new Map<string, { at: number; answer: unknown }>();

type Asking = Pick<WorkContext, 'ports' | 'now'>;
interface Question { path: string; body?: object; /** The same for everybody for an hour. */ keep?: boolean }

/**
 * Returns the service's answer, converted by `read`, or the answer of `own` if there is no service or it does not
 * respond. A refusal of the question itself is passed on.
 */
export async function serviceOrOwn<Answer, T>(
  ctx: Asking, { path, body, keep = false }: Question, read: (answer: Answer) => T, own: () => Promise<T> | T,
): Promise<T> {
  const settings = ctx.ports.settings.tax_service;
  if (settings === null) return own();
  const place = `${settings.url} ${path}`;
  const known = keep ? kept.get(place) : undefined;
  const now = ctx.now().getTime();
  if (known && now - known.at < KEPT_MS) return read(known.answer as Answer);
  const call: ServiceCall = { method: body ? 'POST' : 'GET', path, body, tries: 3 };
  try {
    const answer = await callService<Answer>(settings, call);
    const said = read(answer);
    if (keep) {
      if (kept.size >= MOST_KEPT) kept.clear();
      kept.set(place, { at: now, answer });
    }
    return said;
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (error instanceof ServiceRefused && [400, 404, 422].includes(error.status)) {
      throw refuse(error.status === 404 ? 'not_found' : 'invalid', error.message);
    }
    ctx.ports.log('warn', 'tax service not used', { path: path.split('?')[0], error: (error as Error).message });
    return own();
  }
}
