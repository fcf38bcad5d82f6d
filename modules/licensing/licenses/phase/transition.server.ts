/**
 * The one place where a licence changes its phase: the machine decides, the row moves under its lock, event and audit
 * are written in the same transaction (domain.md 1.1, I9).
 */
import { decide, type Facts } from '#kernel/licensing/machine.ts';
import { LICENSE_MACHINE, type LicenseEvent, type LicensePhase } from '#kernel/licensing/license-machine.ts';
import { conflict, refuse } from '#kit/errors.ts';
import { spell } from '#kernel/text/english.ts';
import type { WorkContext } from '#server/context.ts';
import { join, sql, type Sql } from '#server/sql.ts';
import { licenseFacts } from './license-facts.server.ts';
import { writeLicenseEvent } from './license-event.server.ts';
import { findLicense, type License } from '../license-record.server.ts';
import { moverProblem, type Mover } from './mover.server.ts';

export interface Move {
  license: License;
  event: LicenseEvent;
  by: Mover;
  /** Facts that only the request knows: the version read, a reason given. */
  facts?: Facts;
  reason?: string | undefined;
  /** Columns that change with the phase. */
  set?: readonly Sql[];
  details?: Record<string, unknown>;
}

/** 409 `license.phase_conflict` with the allowed events, `license.precondition` with what is missing; 403. */
export async function assertMove(ctx: WorkContext, move: Move): Promise<LicensePhase> {
  const { license, event } = move;
  const facts = { ...await licenseFacts(ctx, license.id), reason_given: Boolean(move.reason?.trim()), ...move.facts };
  const decision = decide(LICENSE_MACHINE, license.phase, event, facts);
  if (decision.refused) {
    const { code, message, allowed, unmet } = decision.refused;
    throw conflict(code, message, { phase: license.phase, allowed, unmet });
  }
  const problem = moverProblem(decision.edge, move.by);
  if (problem !== null) throw refuse('forbidden', problem);
  const extra = await extraUnmet(ctx, license, decision.next, facts, event);
  if (extra.length > 0) {
    throw conflict('license.precondition', extra.map((item) => item.message).join(' '),
      { phase: license.phase, allowed: [event], unmet: extra });
  }
  return decision.next;
}

/** Decides and moves. Answers the licence after the move. */
export async function moveLicense(ctx: WorkContext, move: Move): Promise<License> {
  const { license, event } = move;
  const next = await assertMove(ctx, move);
  const sets = [sql`phase = ${next}`, ...move.set ?? [], sql`version = version + 1`];
  const { version } = await ctx.db.one<{ version: number }>(sql`
    update licenses set ${join(sets)} where id = ${license.id} returning version`);
  await writeLicenseEvent(ctx, { license_id: license.id, event, from_phase: license.phase, to_phase: next,
    reason: move.reason, version, ...(move.details ? { details: move.details } : {}) });
  await ctx.audit({ action: event, entity: 'license', entity_id: license.id, before: { phase: license.phase },
    after: { phase: next, reason: move.reason } });
  return findLicense(ctx.db, license.id);
}

interface Unmet { guard: string; message: string }

/** Conditions the machine does not know: a discount that waits for its second person, items that people must tick. */
export async function extraUnmet(
  ctx: WorkContext, license: License, next: LicensePhase, facts: Facts, event: LicenseEvent,
): Promise<Unmet[]> {
  const unmet: Unmet[] = [];
  if (event === 'send_offer' && facts.discount_approved !== true) {
    unmet.push({ guard: 'discount_approved', message: 'A second person has to approve the discount.' });
  }
  if (event === 'send_offer' && facts.first_performance_reached === true) {
    unmet.push({ guard: 'first_performance_ahead', message: 'The first performance has been reached already.' });
  }
  if (event === 'execute' && license.on_hold && facts.staff_override_with_reason !== true) {
    unmet.push({ guard: 'not_on_hold',
      message: spell`The license is on hold: ${license.hold_reason ?? 'no reason given'}.` });
  }
  if (license.phase === next) return unmet;
  const open = await ctx.db.query<{ key: string; label: string }>(sql`
    select key, label from license_checklist_items
    where license_id = ${license.id} and status = 'open' and not automatic and blocks_phase = ${next}`);
  return [...unmet, ...open.map((item) => ({ guard: item.key, message: `Open on the checklist: ${item.label}.` }))];
}
