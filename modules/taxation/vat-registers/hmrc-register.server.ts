/**
 * HMRC's API "Check a UK VAT number" 2.0, restricted to registered applications: a token by client credentials, then a
 * look-up that answers 404 for a number that is not registered.
 */
import * as z from 'zod';
import { CALL_LIMIT_MS, guardedCall } from '#server/guarded-call.ts';
import { refuseInTransaction } from '#server/outside.ts';
import type { HmrcSettings } from '#server/settings.ts';
import { NOT_KNOWN, RegisterRefused, RegisterSilent, type RegisterAnswer, type VatRegister }
  from './vat-register.server.ts';

const line = z.string().max(500).optional();
const found = z.object({
  target: z.object({ name: z.string().max(500), vatNumber: z.string(),
    address: z.object({ line1: line, line2: line, line3: line, line4: line, line5: line, postcode: line,
      countryCode: line }) }),
  consultationNumber: z.string().max(100).optional(),
});
const refusal = z.object({ code: z.string().max(100), message: z.string().max(500).default('') });
const granted = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });

const TRIES = 3;
/** Seconds before its end from which a token is not used any more. */
const MARGIN_S = 60;
const tokens = new Map<string, { token: string; until: number }>();

/** Nine digits, or twelve of a branch; the numbers of government departments are in no public register. */
export const isListed = (number: string): boolean => /^(GB|XI)(\d{9}|\d{12})$/.test(number);

export function hmrcRegister(hmrc: HmrcSettings): VatRegister {
  const ask = (path: string): Promise<RegisterAnswer> => guardedCall({ place: `${hmrc.url} check-vat-number`,
    tries: TRIES, once: () => once(hmrc, path), isRefusal: (error) => error instanceof RegisterRefused,
    silent: () => new RegisterSilent('NOT_ASKED_AGAIN') });
  return {
    name: 'hmrc',
    async lookUp({ number }, requester) {
      refuseInTransaction('A look-up of a VAT number');
      const target = number.slice(2);
      if (requester === null) return ask(target);
      try {
        return await ask(`${target}/${requester}`);
      } catch (error) {
        // A number of ours that HMRC does not take costs the consultation number, not the answer.
        if (!(error instanceof RegisterRefused) || !/requesterVrn/.test(error.message)) throw error;
        return ask(target);
      }
    },
  };
}

async function once(hmrc: HmrcSettings, path: string): Promise<RegisterAnswer> {
  const { status, body } = await call(`${hmrc.url}/organisations/vat/check-vat-number/lookup/${path}`, { headers: {
    accept: 'application/vnd.hmrc.2.0+json', authorization: `Bearer ${await tokenOf(hmrc)}` } });
  if (status === 200) return read(body);
  const { code = `STATUS_${status}`, message = '' } = refusal.safeParse(body).data ?? {};
  if (status === 404 && code === 'NOT_FOUND') return NOT_KNOWN;
  // A token that HMRC withdrew: the next attempt asks for another.
  if (status === 401) tokens.delete(keyOf(hmrc));
  if (status === 400 || status === 403) throw new RegisterRefused(message === '' ? code : `${code}: ${message}`);
  throw new RegisterSilent(code);
}

function read(body: unknown): RegisterAnswer {
  const answer = found.safeParse(body);
  if (!answer.success) throw new RegisterSilent('UNREADABLE');
  const { target, consultationNumber } = answer.data;
  const { line1, line2, line3, line4, line5, postcode, countryCode } = target.address;
  const address = [line1, line2, line3, line4, line5, postcode, countryCode].filter(Boolean).join('\n');
  return { answer: 'valid', name: target.name, address: address === '' ? null : address,
    reference: consultationNumber ?? null, problem: '' };
}

const keyOf = (hmrc: HmrcSettings): string => `${hmrc.url} ${hmrc.client_id}`;

async function tokenOf(hmrc: HmrcSettings): Promise<string> {
  const known = tokens.get(keyOf(hmrc));
  if (known && known.until > performance.now()) return known.token;
  const { status, body } = await call(`${hmrc.url}/oauth/token`, { method: 'POST', body: new URLSearchParams({
    grant_type: 'client_credentials', client_id: hmrc.client_id, client_secret: hmrc.client_secret }) });
  if (status >= 400 && status < 500) throw new RegisterRefused('CREDENTIALS_REFUSED');
  const answer = granted.safeParse(body);
  if (status !== 200 || !answer.success) throw new RegisterSilent(`STATUS_${status}`);
  const { access_token: token, expires_in } = answer.data;
  tokens.set(keyOf(hmrc), { token, until: performance.now() + (expires_in - MARGIN_S) * 1000 });
  return token;
}

async function call(url: string, init: RequestInit): Promise<{ status: number; body: unknown }> {
  try {
    const response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(CALL_LIMIT_MS) });
    const text = await response.text();
    return { status: response.status, body: parsed(text) };
  } catch (error) {
    throw new RegisterSilent('NO_ANSWER', { cause: error });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
