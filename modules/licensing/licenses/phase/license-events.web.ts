/** Events a license's header offers: one primary per phase, the rest behind it, each with its reason when held. */
import { LICENSE_MACHINE } from '#kernel/licensing/license-machine.ts';
import type { LicenseRow, PhaseAnswer } from '../license.contract.ts';

type EventAnswer = PhaseAnswer['events'][number];

export interface OfferedEvent {
  event: string;
  label: string;
  /** Why it is not possible now; absent when it is. */
  reason?: string | undefined;
  danger?: boolean | undefined;
}

/** Events the clock fires by itself; they have no button. */
const BY_THE_CLOCK: readonly string[] = ['expire', 'open', 'close_run'];
const DANGEROUS: readonly string[] = ['cancel', 'cancel_remaining', 'decline', 'void_signature'];
const LABELS: Readonly<Record<string, string>> = {
  send_offer: 'Send offer', revise: 'Revise', sign: 'Record signature', decline: 'Record refusal', reopen: 'Reopen',
  execute: 'Execute', void_signature: 'Void signature', amend: 'Amend', close: 'Close', cancel: 'Cancel',
  cancel_remaining: 'Cancel remaining performances', price: 'Price', price_again: 'Recalculate price',
};
const PRIMARY: Readonly<Record<string, string>> = {
  draft: 'send_offer', sent: 'sign', accepted: 'execute', expired: 'reopen', declined: 'reopen', licensed: 'amend',
  in_production: 'amend', settlement: 'close',
};

function reasonOf(answer: EventAnswer): string | undefined {
  if (answer.allowed) return undefined;
  const unmet = answer.unmet.map((guard) => guard.message).join(' ');
  return unmet || answer.reason || 'Not possible now';
}

/** A draft without a price. */
export function needsPrice(license: Pick<LicenseRow, 'phase' | 'priced_at'>): boolean {
  return license.phase === 'draft' && license.priced_at === null;
}

/** The stored price is not the one that would be computed now (guard `price_current`). */
function priceIsOld(events: readonly EventAnswer[]): boolean {
  return events.some((answer) => answer.unmet.some((one) => one.guard === 'price_current'));
}

export interface HeaderEvents { primary: OfferedEvent | null; others: OfferedEvent[] }

/** Events that leave the licence's phase and that a person can press, the primary one apart. */
export function headerEvents(license: Pick<LicenseRow, 'phase' | 'priced_at'>,
  events: readonly EventAnswer[]): HeaderEvents {
  const leaving = new Set<string>(LICENSE_MACHINE.edges.filter((edge) => edge.from === license.phase)
    .map((edge) => edge.event));
  const offered = events
    .filter((answer) => leaving.has(answer.event) && !BY_THE_CLOCK.includes(answer.event))
    .map((answer): OfferedEvent => ({
      event: answer.event, label: LABELS[answer.event] ?? answer.label, reason: reasonOf(answer),
      danger: DANGEROUS.includes(answer.event),
    }));
  if (license.phase === 'draft') {
    const price = { event: 'price', label: LABELS[needsPrice(license) ? 'price' : 'price_again'] ?? 'Price' };
    if (needsPrice(license) || priceIsOld(events)) return { primary: price, others: offered };
    offered.unshift(price);
  }
  const wanted = PRIMARY[license.phase];
  const primary = offered.find((one) => one.event === wanted) ?? null;
  return { primary, others: offered.filter((one) => one !== primary) };
}
