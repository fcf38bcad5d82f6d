/**
 * Moves of shared lines: income earned, invoice issued, receipt applied, licence closed. One call takes any number of
 * them in their order, so that an import of thousands and a single report run through the same code: read, compute by
 * the kernel, post in one call, store in one statement per table (domain.md 2.10, 3.3, 3.4; accounting.md 2.2, rows 1n
 * and 11 to 11d). Idempotent by the source of every posting.
 */
import { INCOME } from '#kernel/ledger/income-accounts.ts';
import type { JournalDraft, JournalLine } from '#kernel/ledger/journal.ts';
import type { AccrualBasis, Presentation } from '#kernel/royalties/entitlement.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { postJournals } from '#modules/accounting/accounting.public.server.ts';
import { agreementsOf, type ShowAgreements } from './agreements.server.ts';
import { Carries, lockShows } from './carries.server.ts';
import { shareLine, storedLines, type SharedLine } from './shared-lines.server.ts';
import { lineFacts, showsOf, type LineFacts } from './line-facts.server.ts';
import { dueBack, moveParts, partsOf, takenBack, type MovedPart, type PartKind } from './parts.server.ts';
import { PoolWeeks } from './pool-weeks.server.ts';
import type { LineEvent, Step } from './sharing-types.ts';
import { storeMoves } from './store-moves.server.ts';

/** Runs the events; answers how many postings were made. Repeated events change nothing. */
export async function moveLines(ctx: WorkContext, events: readonly LineEvent[]): Promise<{ posted: number }> {
  if (events.length === 0) return { posted: 0 };
  const itemIds = [...new Set(events.map((event) => event.invoice_item_id))];
  const showIds = await showsOf(ctx.db, itemIds);
  const agreements = await agreementsOf(ctx.db, showIds);
  if (agreements.size === 0) return { posted: 0 };
  await lockShows(ctx.db, showIds);
  // Under the lock: a credit note that was first has changed what the line bears.
  const facts = await lineFacts(ctx.db, itemIds);
  const wanted = events.filter((event) => agreements.has(facts.get(event.invoice_item_id)?.show_id ?? -1));
  if (wanted.length === 0) return { posted: 0 };
  const carries = await Carries.load(ctx.db, showIds);
  const weeks = await PoolWeeks.load(ctx.db, facts, agreements);
  const sharedLines = await storedLines(ctx.db, facts);
  const before = await cumulativeBases(ctx, facts, agreements);
  const done = await postedSources(ctx, wanted);
  const steps: Step[] = [];
  for (const event of wanted) {
    const line = facts.get(event.invoice_item_id)!;
    const show = agreements.get(line.show_id)!;
    const plan = planOf(event, line, show).filter((step) => !done.has(sourceKey(event, step.kind, step.basis)));
    // A line that was never shared has nothing to take back.
    if (plan.length === 0 || (event.kind === 'income_back' && !sharedLines.has(line.invoice_item_id))) continue;
    const sharedLine = sharedLines.get(line.invoice_item_id)
      ?? shareLine(line, show, carries, weeks, event.kind === 'receipt' ? event.on : null,
        before.get(line.license_id) ?? 0n);
    if (!sharedLine) continue;
    if (!sharedLines.has(line.invoice_item_id)) {
      sharedLines.set(line.invoice_item_id, sharedLine);
      before.set(line.license_id, (before.get(line.license_id) ?? 0n) + sharedLine.amount_minor);
    }
    for (const step of plan) steps.push(take(event, sharedLine, step, show.presentation));
  }
  return await finish(ctx, steps, carries);
}

type Plan = { kind: PartKind; amount: bigint | null; basis: AccrualBasis | null; back?: boolean };

function planOf(event: LineEvent, line: LineFacts, show: ShowAgreements): Plan[] {
  const net = show.presentation === 'net' && line.source_account === '2100';
  const has = (basis: AccrualBasis): boolean => show.parties.some((party) => party.accrual_basis === basis);
  const due = (basis: AccrualBasis, amount: bigint | null): Plan[] =>
    (has(basis) ? [{ kind: 'due', amount, basis }] : []);
  switch (event.kind) {
    case 'income': return [{ kind: net ? 'release' : 'cost', amount: event.amount_minor, basis: null }];
    case 'invoice': return [...(net ? [{ kind: 'cost' as const, amount: null, basis: null }] : []),
      ...due('on_invoice', null)];
    case 'receipt': return due('on_receipt', event.amount_minor);
    case 'close': return due('on_close', null);
    case 'income_back': return backPlans(event, net, [...due('on_invoice', null), ...due('on_close', null)]);
  }
}

/**
 * Net presentation accrued the whole at the invoice: the whole credit goes back, and the released part with it, at what
 * the cost that is left then stands for. A credit of what was not yet income moves cents, too, where it was the last.
 */
function backPlans(event: LineEvent, net: boolean, due: readonly Plan[]): Plan[] {
  const cost: Plan = { kind: 'cost', amount: net ? event.net_minor ?? 0n : event.amount_minor, basis: null };
  const released: Plan[] = net ? [{ kind: 'release', amount: event.amount_minor, basis: null }] : [];
  return [cost, ...released, ...due].map((plan) => ({ ...plan, back: true }));
}

function take(event: LineEvent, sharedLine: SharedLine, plan: Plan, presentation: Presentation): Step {
  const whole = plan.kind === 'cost' && plan.back !== true && sharedLine.allocation_id === null
    && (plan.amount === null || plan.amount === sharedLine.amount_minor) && sharedLine.facts.credited.length === 0
    && sharedLine.shares.every((share) => share.cost_minor === 0n && share.due_minor === 0n);
  const parts = plan.back !== true ? partsOf(sharedLine, plan.kind, plan.amount, plan.basis)
    : plan.kind === 'due' ? dueBack(sharedLine, plan.basis!) : takenBack(sharedLine, plan.kind, plan.amount ?? 0n);
  const moved = moveParts(parts.parts, plan.kind, event.rate ?? sharedLine.facts.rate, presentation);
  if (plan.kind !== 'due' || plan.basis === 'on_receipt') sharedLine.rest[plan.kind] += parts.rest_minor;
  return { event, sharedLine, kind: plan.kind, basis: plan.basis, parts: moved, rest_minor: parts.rest_minor, whole,
    back: plan.back === true, lines: journalLines(sharedLine.facts, moved, plan.kind, event.income_account),
    transaction_id: null };
}

async function finish(ctx: WorkContext, steps: readonly Step[], carries: Carries): Promise<{ posted: number }> {
  const posting = steps.filter((step) => step.lines.length > 0);
  const posted = await postJournals(ctx.db, posting.map(draftOf), ctx.actor.actor_id);
  posting.forEach((step, k) => { step.transaction_id = posted[k]!.transaction_id; });
  await storeMoves(ctx.db, steps);
  await carries.store(ctx.db);
  return { posted: posted.length };
}

/** Names of the step in the ledger's own guard against repeats. */
function eventName(event: LineEvent, kind: PartKind, basis: AccrualBasis | null): string {
  const what = { cost: 'royalty_cost', due: `royalty_due_${basis ?? 'all'}`, release: 'royalty_release' }[kind];
  return event.source.key === undefined ? what : `${what}:${event.source.key}`;
}

function sourceKey(event: LineEvent, kind: PartKind, basis: AccrualBasis | null): string {
  return `${event.source.type}|${event.source.id}|${eventName(event, kind, basis)}`;
}

async function postedSources(ctx: WorkContext, events: readonly LineEvent[]): Promise<ReadonlySet<string>> {
  const rows = await ctx.db.query<{ source_type: string; source_id: number; source_event: string }>(sql`
    select t.source_type, t.source_id, t.source_event
    from unnest(${events.map((event) => event.source.type)}::text[], ${events.map((e) => e.source.id)}::bigint[])
      u (type, id) join transactions t on t.source_type = u.type and t.source_id = u.id
    where t.source_event like 'royalty%' and t.status = 'posted'`);
  return new Set(rows.map((row) => `${row.source_type}|${row.source_id}|${row.source_event}`));
}

/** Bases that royaltors of a license shared before, if a term of its show has tiers. */
async function cumulativeBases(
  ctx: WorkContext, facts: ReadonlyMap<number, LineFacts>, agreements: ReadonlyMap<number, ShowAgreements>,
): Promise<Map<number, bigint>> {
  const licenses = new Set([...facts.values()].filter((line) => agreements.get(line.show_id)?.parties
    .some((party) => party.terms.some((term) => term.tiers.length > 0))).map((line) => line.license_id));
  if (licenses.size === 0) return new Map();
  const rows = await ctx.db.query<{ license_id: number; amount: number }>(sql`
    select license_id, sum(amount_minor)::bigint as amount from royalty_allocations
    where license_id = any(${[...licenses]}::bigint[]) and part_of_id is null group by license_id`);
  return new Map(rows.map((row) => [row.license_id, BigInt(row.amount)]));
}

/** Movements of every party's accounts as one journal; parties without a movement have no line. */
export function journalLines(
  facts: LineFacts, parts: readonly MovedPart[], kind: PartKind, incomeAccount: string = INCOME.fees,
): JournalLine[] {
  const totals = new Map<string, { account: string; party: JournalLine['party']; amount: bigint; base: bigint }>();
  const add = (account: string, royaltorId: number, amount: bigint, base: bigint): void => {
    const party = partyOf(account, facts, royaltorId);
    const known = totals.get(`${account} ${party?.id ?? ''}`) ?? { account, party, amount: 0n, base: 0n };
    totals.set(`${account} ${party?.id ?? ''}`, { ...known, amount: known.amount + amount, base: known.base + base });
  };
  for (const { share, amount_minor, functional_minor, legs } of parts) {
    if (kind === 'release') {
      add(incomeAccount, share.royaltor_id, amount_minor, functional_minor);
      add('2100', share.royaltor_id, -amount_minor, -functional_minor);
    }
    for (const leg of legs) {
      add(leg.account === 'source' ? facts.source_account : leg.account, share.royaltor_id, leg.amount_minor,
        leg.functional_minor);
    }
  }
  const refs = { invoice_id: facts.invoice_id, license_id: facts.license_id, show_id: facts.show_id };
  return [...totals.values()].filter((line) => line.amount !== 0n || line.base !== 0n).map(({ party, ...line }) => ({
    ...line, currency: facts.currency, refs, ...(party ? { party } : {}),
  }));
}

/** Deferred income is the customer's, the royalty accounts the royaltor's; income and cost are nobody's. */
function partyOf(account: string, facts: LineFacts, royaltorId: number): JournalLine['party'] {
  if (account === '2100') return { type: 'customer', id: facts.customer_id };
  return ['1140', '2200', '2210'].includes(account) ? { type: 'royaltor', id: royaltorId } : undefined;
}

function draftOf(step: Step): JournalDraft {
  const { facts } = step.sharedLine;
  const text = { cost: 'Royalty cost', due: 'Royalty due', release: 'Royalty share of released income' }[step.kind];
  return {
    division: facts.division, kind: step.kind === 'due' ? 'royalty_due' : 'royalty_cost',
    transaction_at: step.event.on, lines: step.lines,
    description: `${text}${step.back ? ', taken back' : ''}, ${facts.license_number}`,
    source: { type: step.event.source.type, id: step.event.source.id,
      event: eventName(step.event, step.kind, step.basis), attempt: 1 },
  };
}
