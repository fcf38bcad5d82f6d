/**
 * Moves of shared lines: income earned, invoice issued, receipt applied, licence closed. One call takes any number of
 * them in their order, so that an import of thousands and a single report run through the same code: read, compute by
 * the kernel, post in one call, store in one statement per table (domain.md 2.10, 3.3, 3.4; accounting.md 2.2, rows 1n
 * and 11 to 11d). Idempotent by the source of every posting.
 */
import { convert, type JournalDraft, type JournalLine } from '#kernel/ledger/journal.ts';
import { moveEntitlement, type AccrualBasis, type Presentation } from '#kernel/royalties/entitlement.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { postJournals } from '#modules/accounting/accounting.public.server.ts';
import { agreementsOf, type ShowAgreements } from './agreements.server.ts';
import { Carries, lockShows } from './carries.server.ts';
import { shareLine, storedFamilies, type Family } from './families.server.ts';
import { lineFacts, type LineFacts } from './line-facts.server.ts';
import { book, partsOf, takenBack, type PartKind } from './parts.server.ts';
import type { LineEvent, Step } from './sharing-types.ts';
import { storeMoves } from './store-moves.server.ts';

/** Runs the events; answers how many postings were made. Repeated events change nothing. */
export async function moveLines(ctx: WorkContext, events: readonly LineEvent[]): Promise<{ posted: number }> {
  if (events.length === 0) return { posted: 0 };
  const facts = await lineFacts(ctx.db, [...new Set(events.map((event) => event.invoice_item_id))]);
  const showIds = [...new Set([...facts.values()].map((line) => line.show_id))];
  const agreements = await agreementsOf(ctx.db, showIds);
  const wanted = events.filter((event) => agreements.has(facts.get(event.invoice_item_id)?.show_id ?? -1));
  if (wanted.length === 0) return { posted: 0 };
  await lockShows(ctx.db, showIds);
  const carries = await Carries.load(ctx.db, showIds);
  const families = await storedFamilies(ctx.db, facts);
  const before = await cumulativeBases(ctx, facts, agreements);
  const done = await postedSources(ctx, wanted);
  const steps: Step[] = [];
  for (const event of wanted) {
    const line = facts.get(event.invoice_item_id)!;
    const show = agreements.get(line.show_id)!;
    const plan = planOf(event, line, show).filter((step) => !done.has(sourceKey(event, step.kind, step.basis)));
    if (plan.length === 0) continue;
    const family = families.get(line.invoice_item_id)
      ?? shareLine(line, show, carries, event.kind === 'receipt' ? event.on : null, before.get(line.license_id) ?? 0n);
    if (!family) continue;
    if (!families.has(line.invoice_item_id)) {
      families.set(line.invoice_item_id, family);
      before.set(line.license_id, (before.get(line.license_id) ?? 0n) + family.amount_minor);
    }
    for (const step of plan) steps.push(take(event, family, step, show.presentation));
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
    case 'income_back': return backPlans(event, net, due('on_invoice', event.net_minor ?? 0n));
  }
}

/** Net presentation accrued the whole at the invoice: the whole credit goes back, and the released part with it. */
function backPlans(event: LineEvent, net: boolean, due: readonly Plan[]): Plan[] {
  const cost: Plan = { kind: 'cost', amount: net ? event.net_minor ?? 0n : event.amount_minor, basis: null };
  const released: Plan[] = net ? [{ kind: 'release', amount: event.amount_minor, basis: null }] : [];
  return [...released, cost, ...due].filter((plan) => plan.amount !== 0n).map((plan) => ({ ...plan, back: true }));
}

function take(event: LineEvent, family: Family, plan: Plan, presentation: Presentation): Step {
  const whole = plan.kind === 'cost' && plan.back !== true && family.allocation_id === null
    && (plan.amount === null || plan.amount === family.amount_minor)
    && family.shares.every((share) => share.cost_minor === 0n && share.due_minor === 0n);
  const parts = plan.back === true
    ? takenBack(family, plan.kind, plan.amount ?? 0n, plan.basis)
    : partsOf(family, plan.kind, plan.amount, plan.basis);
  const step: Step = { event, family, kind: plan.kind, basis: plan.basis, presentation, parts, whole,
    back: plan.back === true, lines: [], transaction_id: null };
  step.lines = journalLines(step);
  book(family, plan.kind, parts, plan.kind !== 'due' || plan.basis === 'on_receipt');
  return step;
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

/** What royaltors of a licence shared before, where a term of its show has tiers. */
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

/** Differences of the accounts of every party, as one journal; parties without a movement have no line. */
function journalLines(step: Step): JournalLine[] {
  const { facts } = step.family;
  const totals = new Map<string, { account: string; party: number | null; amount: bigint }>();
  const add = (account: string, party: number | null, amount: bigint): void => {
    const key = `${account} ${party ?? ''}`;
    const known = totals.get(key);
    if (known) known.amount += amount;
    else totals.set(key, { account, party, amount });
  };
  for (const { share, amount_minor } of step.parts.parts) {
    if (amount_minor === 0n) continue;
    if (step.kind === 'release') {
      add(step.event.income_account ?? '4000', null, amount_minor);
      add('2100', facts.customer_id, -amount_minor);
      continue;
    }
    const { legs } = moveEntitlement(share, step.kind, amount_minor, share.show_royaltor_id, step.presentation);
    for (const leg of legs) {
      const account = leg.account === 'source' ? facts.source_account : leg.account;
      const party = account === '5000' || account === '4010' ? null
        : account === '2100' ? facts.customer_id : share.royaltor_id;
      add(account, party, leg.amount_minor);
    }
  }
  const refs = { invoice_id: facts.invoice_id, license_id: facts.license_id, show_id: facts.show_id };
  const lines = [...totals.values()].filter((line) => line.amount !== 0n).map((line) => ({
    account: line.account, currency: facts.currency, amount: line.amount, refs,
    ...(line.party === null ? {} : { party: {
      type: line.account === '2100' ? 'customer' as const : 'royaltor' as const, id: line.party } }),
  }));
  return convert(lines, facts.division, facts.rate);
}

function draftOf(step: Step): JournalDraft {
  const { facts } = step.family;
  const text = { cost: 'Royalty cost', due: 'Royalty due', release: 'Royalty share of released income' }[step.kind];
  return {
    division: facts.division, kind: step.kind === 'due' ? 'royalty_due' : 'royalty_cost',
    transaction_at: step.event.on, lines: step.lines,
    description: `${text}${step.back ? ', taken back' : ''}, licence ${facts.license_id}`,
    source: { type: step.event.source.type, id: step.event.source.id,
      event: eventName(step.event, step.kind, step.basis), attempt: 1 },
  };
}
