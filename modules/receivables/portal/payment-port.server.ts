/**
 * Payment methods of this installation. Bank transfer and, if the customer's orders are accepted, a purchase order are
 * always available. Cards and bank debits need an account of the division with the processor (STRIPE_KEYS); with a test
 * key, it says that no money moves.
 */
import { documentLanguage } from '#kernel/money/division.ts';
import { spellIn } from '#kernel/text/english.ts';
import { onlineMethods, type OnlineMethod } from '#kernel/receivables/online-payment.ts';
import type { Settings } from '#server/settings.ts';
import { isTest, takesOnline } from '../online/processor.server.ts';

export type PortalMethod = OnlineMethod | 'bank_transfer' | 'purchase_order';
export interface OfferedMethod { method: PortalMethod; label: string; test: boolean }

/**
 * The ways to pay that a paper or page gives what is needed for, in the English of the division: 'by card, by bank
 * transfer or by check'; null where there is none. `transfers`: the paper names an account.
 */
export function waysInWords(settings: Settings, of: {
  division: string; currency: string; purchaseOrders: boolean; transfers: boolean; checks: boolean;
}): string | null {
  const spell = spellIn(documentLanguage(of.division));
  const offered = offeredMethods(settings, of).filter(({ method }) => of.transfers || method !== 'bank_transfer');
  const ways = [...offered.map(({ method }) => WAYS[method]), ...(of.checks ? [spell`by check`] : [])];
  return ways.length < 2 ? ways[0] ?? null : `${ways.slice(0, -1).join(', ')} or ${ways.at(-1)!}`;
}

const WAYS: Record<PortalMethod, string> = {
  card: 'by card', ach: 'by bank debit (ACH)', sepa: 'by SEPA direct debit', bacs: 'by Direct Debit (BACS)',
  bank_transfer: 'by bank transfer', purchase_order: 'by purchase order',
};

const LABELS: Record<OnlineMethod, string> = {
  card: 'Card', ach: 'Bank debit (ACH)', sepa: 'SEPA direct debit', bacs: 'Direct Debit (BACS)',
};

export function offeredMethods(
  settings: Settings, of: { division: string; currency: string; purchaseOrders: boolean },
): OfferedMethod[] {
  const test = isTest(settings, of.division);
  const online = takesOnline(settings, of.division) ? onlineMethods(of.division, of.currency) : [];
  return [
    ...online.map((method) => ({ method, test, label: `${LABELS[method]}${test ? ', test' : ''}` })),
    { method: 'bank_transfer', label: 'Bank transfer', test: false },
    ...(of.purchaseOrders ? [{ method: 'purchase_order' as const, label: 'Purchase order', test: false }] : []),
  ];
}
