/**
 * Payment methods that the portal offers, and their names in mails: the ways to pay of the division, and a purchase
 * order if the customer's orders are accepted. With a test key of the processor, it says that no money moves.
 */
import { documentLanguage } from '#kernel/money/division.ts';
import { spellIn } from '#kernel/text/english.ts';
import type { OnlineMethod } from '#kernel/receivables/online-payment.ts';
import type { Settings } from '#server/settings.ts';
import { canBePaid, type WaysToPay } from '../documents/ways-to-pay.server.ts';
import { isTest } from '../online/processor.server.ts';

export type PortalMethod = OnlineMethod | 'bank_transfer' | 'purchase_order';
export interface OfferedMethod { method: PortalMethod; label: string; test: boolean }
interface Payable { division: string; ways: WaysToPay; purchaseOrders: boolean }

/** In the English of the division: 'by card, by bank transfer or by check'; null where there is no way to pay. */
export function waysInWords(settings: Settings, of: Payable): string | null {
  if (!canBePaid(of.ways)) return null;
  const spell = spellIn(documentLanguage(of.division));
  const ways = [...offeredMethods(settings, of).map(({ method }) => WAYS[method]),
    ...(of.ways.check === null ? [] : [spell`by check`])];
  return ways.length < 2 ? ways[0] ?? null : `${ways.slice(0, -1).join(', ')} or ${ways.at(-1)!}`;
}

const WAYS: Record<PortalMethod, string> = {
  card: 'by card', ach: 'by bank debit (ACH)', sepa: 'by SEPA direct debit', bacs: 'by Direct Debit (BACS)',
  bank_transfer: 'by bank transfer', purchase_order: 'by purchase order',
};

const LABELS: Record<OnlineMethod, string> = {
  card: 'Card', ach: 'Bank debit (ACH)', sepa: 'SEPA direct debit', bacs: 'Direct Debit (BACS)',
};

export function offeredMethods(settings: Settings, { division, ways, purchaseOrders }: Payable): OfferedMethod[] {
  const test = isTest(settings, division);
  return [
    ...ways.online.map((method) => ({ method, test, label: `${LABELS[method]}${test ? ', test' : ''}` })),
    ...(ways.transfer === null ? [] : [{ method: 'bank_transfer' as const, label: 'Bank transfer', test: false }]),
    ...(purchaseOrders ? [{ method: 'purchase_order' as const, label: 'Purchase order', test: false }] : []),
  ];
}
