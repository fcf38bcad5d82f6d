/**
 * VIES, the register of the EU's member states and Northern Ireland, by its REST call `check-vat-number`. An answer
 * with status 200 can still be none: then it lists errors, of the service as a whole or of one member state.
 */
import * as z from 'zod';
import { CALL_LIMIT_MS, guardedCall } from '#server/guarded-call.ts';
import { refuseInTransaction } from '#server/outside.ts';
import { RegisterRefused, RegisterSilent, NOT_KNOWN, type RegisterAnswer, type VatRegister }
  from './vat-register.server.ts';

const text = z.string().max(2000).nullish();
const found = z.object({ valid: z.boolean(), name: text, address: text, requestIdentifier: text });
const failed = z.object({ errorWrappers: z.array(z.object({ error: z.string().max(100) })).min(1) });

/** Faults of the question or a ban; everything else passes by itself. */
const REFUSALS = new Set(['INVALID_INPUT', 'INVALID_REQUESTER_INFO', 'VAT_BLOCKED', 'IP_BLOCKED']);
const TRIES = 3;

interface Question { countryCode: string; vatNumber: string; requesterMemberStateCode?: string;
  requesterNumber?: string }

export function viesRegister(url: string): VatRegister {
  return {
    name: 'vies',
    async lookUp({ number }, requester) {
      refuseInTransaction('A look-up of a VAT number');
      const asked: Question = { countryCode: number.slice(0, 2), vatNumber: bare(number) };
      // Our own number buys a consultation number. If VIES does not take it, the answer comes without one.
      const named = requester === null ? asked : { ...asked, requesterMemberStateCode: requester.slice(0, 2),
        requesterNumber: bare(requester) };
      try {
        return await ask(url, named);
      } catch (error) {
        if (!(error instanceof RegisterRefused) || error.code !== 'INVALID_REQUESTER_INFO') throw error;
        return ask(url, asked);
      }
    },
  };
}

/** Belgium's numbers of nine digits have a zero in front at VIES. */
const bare = (number: string): string => (/^BE\d{9}$/.test(number) ? `0${number.slice(2)}` : number.slice(2));

/** One member state may be down while the others answer: each has a breaker of its own. */
function ask(url: string, question: Question): Promise<RegisterAnswer> {
  return guardedCall({ place: `${url} ${question.countryCode}`, tries: TRIES, once: () => once(url, question),
    isRefusal: (error) => error instanceof RegisterRefused,
    silent: () => new RegisterSilent('NOT_ASKED_AGAIN') });
}

async function once(url: string, question: Question): Promise<RegisterAnswer> {
  let answer: unknown;
  let status = 0;
  try {
    const response = await fetch(`${url}/check-vat-number`, { method: 'POST', redirect: 'error',
      headers: { 'content-type': 'application/json', accept: 'application/json' }, body: JSON.stringify(question),
      signal: AbortSignal.timeout(CALL_LIMIT_MS) });
    ({ status } = response);
    answer = await response.json();
  } catch (error) {
    throw new RegisterSilent(status === 0 ? 'NO_ANSWER' : `STATUS_${status}`, { cause: error });
  }
  const fault = failed.safeParse(answer).data?.errorWrappers[0]?.error;
  if (fault !== undefined) throw REFUSALS.has(fault) ? new RegisterRefused(fault) : new RegisterSilent(fault);
  const read = found.safeParse(answer);
  if (!read.success || status !== 200) throw new RegisterSilent(`STATUS_${status}`);
  const { valid, name, address, requestIdentifier } = read.data;
  if (!valid) return { ...NOT_KNOWN, reference: published(requestIdentifier) };
  return { answer: 'valid', name: published(name), address: published(address),
    reference: published(requestIdentifier), problem: '' };
}

/** Member states that keep name and address to themselves answer three hyphens. */
function published(value: string | null | undefined): string | null {
  const text = (value ?? '').trim();
  return text === '' || /^-+$/.test(text) ? null : text;
}
