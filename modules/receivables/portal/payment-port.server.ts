/**
 * How this installation takes money from customers. Bank transfer and, where the customer's orders are accepted, a
 * purchase order are always there. Cards and direct debit need a processor: none is configured in the product itself,
 * so a demonstration installation (DEMO=1) has a test processor that says what it is, and every other one has none.
 */
import { randomUUID } from 'node:crypto';
import type { Settings } from '#server/settings.ts';

export type PortalMethod = 'card' | 'ach' | 'bank_transfer' | 'purchase_order';
export interface OfferedMethod { method: PortalMethod; label: string; test: boolean }

export interface Charge {
  provider: string;
  provider_id: string;
}

export function offeredMethods(settings: Settings, purchaseOrders: boolean): OfferedMethod[] {
  const test: OfferedMethod[] = settings.demo ? [
    { method: 'card', label: 'Card (test, no money moves)', test: true },
    { method: 'ach', label: 'Bank debit (test, no money moves)', test: true },
  ] : [];
  return [
    ...test, { method: 'bank_transfer', label: 'Bank transfer', test: false },
    ...(purchaseOrders ? [{ method: 'purchase_order' as const, label: 'Purchase order', test: false }] : []),
  ];
}

/** The test processor: takes every charge at once. */
export function testCharge(): Charge {
  return { provider: 'test', provider_id: `test_${randomUUID()}` };
}
