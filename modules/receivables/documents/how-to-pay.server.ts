/**
 * Ways to pay a document that asks for money: the account of its division and the address for checks, or whom to ask
 * where there is neither.
 */
import { documentLanguage } from '#kernel/money/division.ts';
import { grouped, routingInWords, routingName } from '#kernel/receivables/bank-numbers.ts';
import { contactOf } from '#modules/identity/identity.public.server.ts';
import { spellIn } from '#kernel/text/english.ts';
import type { WorkContext } from '#server/context.ts';
import type { PdfBlock } from '#server/pdf.ts';
import { transferTo, waysToPay } from './ways-to-pay.server.ts';

/** `number`: what the payer names as reference; null on a draft, which asks nobody yet. */
export async function howToPay(
  ctx: WorkContext, of: { division: string; currency: string; number: string | null; license_rep_id: number | null },
): Promise<PdfBlock[]> {
  if (of.number === null) return [];
  const ways = await waysToPay(ctx, of);
  const account = transferTo(ways, of.number);
  const { check } = ways;
  const byCheck = check && checkWords(check, { division: of.division, number: of.number });
  if (!account && byCheck) return [{ kind: 'heading', text: 'How to pay' }, { kind: 'text', text: byCheck }];
  if (!account) {
    const person = await contactOf(ctx.db, of.license_rep_id, of.division);
    return [{ kind: 'heading', text: 'How to pay' }, { kind: 'text', text: `Ask us how to pay and name ${of.number}${
      person ? `: ${[person.name, person.phone, person.email].filter(Boolean).join(', ')}` : ''}. Your page of this `
      + 'document shows the ways to pay that are open now.' }];
  }
  const { routing_number: routing } = account;
  const rows: (readonly [string, string | null])[] = [
    ['Payee', account.payee], ['Bank', account.bank_name], ['IBAN', account.iban && grouped(account.iban)],
    ['BIC', account.bic], [routingName(routing ?? ''), routing && routingInWords(routing)],
    ['Account number', account.account_number], ['Reference', account.reference]];
  return [{ kind: 'heading', text: 'Paying by bank transfer' },
    { kind: 'facts', rows: rows.flatMap(([label, value]) => (value ? [[label, value] as const] : [])) },
  ...(byCheck ? [{ kind: 'text' as const, text: byCheck }] : [])];
}

function checkWords([payee, ...address]: readonly string[], of: { division: string; number: string }): string {
  return `${spellIn(documentLanguage(of.division))`Paying by check`}: make it out to ${payee}, write ${of.number
  } on it, and send it to ${address.join(', ')}.`;
}
