/** Possible actions on a license now and, if blocked, the reasons: the buttons read this (X1). */
import { decide, type Facts } from '#kernel/licensing/machine.ts';
import {
  LICENSE_EVENTS, LICENSE_MACHINE, PHASE_LABELS, type LicenseEvent,
} from '#kernel/licensing/license-machine.ts';
import { displayStatus } from '#kernel/licensing/status.ts';
import { withCounterRole, type WorkContext } from '#server/context.ts';
import { licenseFacts } from './license-facts.server.ts';
import { findLicense, type License } from '../license-record.server.ts';
import type { PhaseAnswer } from '../license.contract.ts';
import { moverProblem, type Mover } from './mover.server.ts';
import { extraUnmet } from './transition.server.ts';

/** Brought along by the request itself: the button is not refused for a reason nobody could have typed yet. */
const FROM_REQUEST: Facts = { reason_given: true, same_version: true, repriced: true, reported_within_policy: true };

export async function phaseAnswer(ctx: WorkContext, licenseId: number, by: Mover): Promise<PhaseAnswer> {
  const license = await findLicense(ctx.db, licenseId);
  const facts = { ...await licenseFacts(ctx, licenseId), ...FROM_REQUEST,
    // Staff execute these two policies with a reason; the paid ones execute when the payment posts.
    staff_override_with_reason: ['purchase_order', 'signature_only'].includes(license.execution_policy) };
  const events: PhaseAnswer['events'] = [];
  for (const event of LICENSE_EVENTS) events.push(await eventAnswer(ctx, license, event, facts, by));
  return {
    license_id: license.id, phase: license.phase, phase_label: PHASE_LABELS[license.phase],
    status: displayStatus(license, await ctx.today(license.division)), version: license.version, events,
  };
}

async function eventAnswer(
  ctx: WorkContext, license: License, event: LicenseEvent, facts: Facts, by: Mover,
): Promise<PhaseAnswer['events'][number]> {
  const label = LICENSE_MACHINE.event_labels[event];
  const decision = decide(LICENSE_MACHINE, license.phase, event, facts);
  const edge = LICENSE_MACHINE.edges.find((row) => row.from === license.phase && row.event === event);
  const automatic = edge !== undefined && edge.who.every((who) => who === 'system');
  if (decision.refused) {
    return { event, label, to: edge?.to ?? null, allowed: false, reason: decision.refused.message, automatic,
      unmet: [...decision.refused.unmet] };
  }
  const unmet = await extraUnmet(ctx, license, decision.next, facts, event);
  const reason = moverProblem(decision.edge, by) ?? (unmet.map((item) => item.message).join(' ') || null);
  return { event, label, to: decision.next, allowed: reason === null, reason, automatic, unmet };
}

/** Events a customer's person may start now. */
export async function customerEvents(ctx: WorkContext, license: License): Promise<string[]> {
  const facts = { ...await withCounterRole(ctx, (house) => licenseFacts(house, license.id)), ...FROM_REQUEST };
  return (['sign', 'decline'] as const)
    .filter((event) => decide(LICENSE_MACHINE, license.phase, event, facts).refused === undefined);
}
