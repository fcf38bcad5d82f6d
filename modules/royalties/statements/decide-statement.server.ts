/** Approve, issue, void: by the kernel's machine, by a second person, posted once (domain.md 1.4, 3.5; X59-X66). */
import { conflict, refuse } from '#kit/errors.ts';
import { convert, type JournalLine } from '#kernel/ledger/journal.ts';
import type { Division } from '#kernel/money/division.ts';
import { decide } from '#kernel/licensing/machine.ts';
import { STATEMENT_MACHINE, type StatementEvent, type StatementStatus } from '#kernel/licensing/small-machines.ts';
import type { Currency } from '#kernel/money/money.ts';
import type { WorkContext } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import { sha256 } from '#server/files.ts';
import { queueMail } from '#server/mail.ts';
import { sql } from '#server/sql.ts';
import { nextNumber, postJournal } from '#modules/accounting/accounting.public.server.ts';
import { taxAuthority } from '#modules/taxation/taxation.public.server.ts';
import { rateFor } from '../ledger-rate.server.ts';
import { setFree } from './calculate-run.server.ts';
import { statementPdf } from './statement-pdf.server.ts';

export interface StatementRecord {
  id: number; royalty_statement_run_id: number | null; royaltor_id: number; show_royaltor_id: number | null;
  cross_collateral_group_id: number | null; division: Division; currency: Currency; period_from: string;
  period_to: string; status: StatementStatus; version: number; updated_at: string; calculated_by_id: number | null;
  net_minor: number; vat_minor: number; payable_minor: number; snapshot: StoredStatement;
  agent_royaltor_id: number | null;
  home_country: string; email: string | null; delivery: string; royaltor_name: string;
}

/** The kernel's statement as stored: bigint became a number. */
export interface StoredStatement {
  steps: { step: string; label: string; amount_minor: number; formula: string }[];
  postings: { event: string; when: 'issue' | 'payment'; show_royaltor_id: number | null;
    legs: { account: string; party: 'royaltor' | 'agent' | 'tax_authority' | null; amount_minor: number }[] }[];
  reserves_taken: { show_royaltor_id: number; amount_minor: number; release_parts: number[] }[];
  reserves_released: { reserve_id: number; part: number; amount_minor: number }[];
  recoupments: { advance_id: number; amount_minor: number }[];
  vat_minor: number;
  vat_paid_minor: number;
  agent_commission_minor: number;
  payee: 'royaltor' | 'agent';
}

export async function lockStatements(
  ctx: WorkContext, where: { id: number } | { run_id: number },
): Promise<StatementRecord[]> {
  const condition = 'id' in where ? sql`m.id = ${where.id}` : sql`m.royalty_statement_run_id = ${where.run_id}`;
  return ctx.db.query<StatementRecord>(sql`
    select m.id, m.royalty_statement_run_id, m.royaltor_id, m.show_royaltor_id, m.cross_collateral_group_id, m.division,
      m.currency, m.period_from, m.period_to, m.status, m.version, m.updated_at, m.calculated_by_id, m.net_minor,
      m.vat_minor, m.payable_minor, m.snapshot, d.home_country, r.email, r.delivery, r.name as royaltor_name,
      coalesce((select agent_royaltor_id from show_royaltors where id = m.show_royaltor_id),
        (select agent_royaltor_id from show_royaltors where cross_collateral_group_id = m.cross_collateral_group_id
          order by id limit 1)) as agent_royaltor_id
    from royalty_statements m join divisions d on d.code = m.division join royaltors r on r.id = m.royaltor_id
    where ${condition} order by m.id for update of m`);
}

export function refuseStatementEvent(statement: { status: StatementStatus }, event: StatementEvent,
  facts: Record<string, boolean> = { another_person: true }): void {
  const decision = decide(STATEMENT_MACHINE, statement.status, event, facts);
  if (!decision.refused) return;
  if (decision.refused.unmet.some((item) => item.guard === 'another_person')) {
    throw refuse('four_eyes', decision.refused.message);
  }
  throw conflict(decision.refused.code, decision.refused.message, { allowed: decision.refused.allowed });
}

async function only(ctx: WorkContext, id: number, version: number): Promise<StatementRecord> {
  const [statement] = await lockStatements(ctx, { id });
  if (!statement) throw refuse('not_found');
  if (statement.version !== version) throw stale(statement);
  return statement;
}

export async function approveStatement(ctx: WorkContext, id: number, version: number): Promise<void> {
  const statement = await only(ctx, id, version);
  await approve(ctx, statement);
  await settleRun(ctx, statement.royalty_statement_run_id);
}

async function approve(ctx: WorkContext, statement: StatementRecord): Promise<void> {
  refuseStatementEvent(statement, 'approve', { another_person: ctx.actor.actor_id === null
    || statement.calculated_by_id !== ctx.actor.actor_id });
  await ctx.db.exec(sql`
    update royalty_statements set status = 'approved', approved_by_id = ${ctx.actor.actor_id},
      approved_at = ${ctx.now().toISOString()}, version = version + 1 where id = ${statement.id}`);
  await ctx.audit({ action: 'approve', entity: 'royalty_statement', entity_id: statement.id });
}

export async function voidStatement(ctx: WorkContext, id: number, version: number, reason: string): Promise<void> {
  const statement = await only(ctx, id, version);
  refuseStatementEvent(statement, 'void');
  await setFree(ctx, [id]);
  await ctx.db.exec(sql`
    update royalty_statements set status = 'void', voided_at = ${ctx.now().toISOString()}, void_reason = ${reason},
      version = version + 1 where id = ${id}`);
  await settleRun(ctx, statement.royalty_statement_run_id);
  await ctx.audit({ action: 'void', entity: 'royalty_statement', entity_id: id, after: { reason } });
}

export async function issueStatement(ctx: WorkContext, id: number, version: number): Promise<void> {
  const statement = await only(ctx, id, version);
  await issue(ctx, statement, await ctx.today(statement.division));
  await settleRun(ctx, statement.royalty_statement_run_id);
}

interface Run { id: number; status: string; version: number; updated_at: string; calculated_by_id: number | null }

async function lockRun(ctx: WorkContext, id: number, version: number): Promise<Run> {
  const run = await ctx.db.maybeOne<Run>(sql`
    select id, status, version, updated_at, calculated_by_id from royalty_statement_runs where id = ${id} for update`);
  if (!run) throw refuse('not_found');
  if (run.version !== version) throw stale(run);
  return run;
}

/** All calculated statements of a run. 409 where none is left to approve. */
export async function approveRun(ctx: WorkContext, id: number, version: number): Promise<void> {
  const run = await lockRun(ctx, id, version);
  if (run.status !== 'calculated') throw runConflict(run, 'approved');
  const statements = (await lockStatements(ctx, { run_id: id })).filter((one) => one.status === 'calculated');
  for (const statement of statements) await approve(ctx, statement);
  if (statements.length === 0 && run.calculated_by_id === ctx.actor.actor_id) throw refuse('four_eyes');
  await settleRun(ctx, id);
}

/** All approved statements of a run: numbers, documents, postings. */
export async function issueRun(ctx: WorkContext, id: number, version: number, on?: string): Promise<void> {
  const run = await lockRun(ctx, id, version);
  if (run.status !== 'approved') throw runConflict(run, 'issued');
  const statements = (await lockStatements(ctx, { run_id: id })).filter((one) => one.status === 'approved');
  for (const statement of statements) await issue(ctx, statement, on ?? await ctx.today(statement.division));
  await settleRun(ctx, id);
}

function runConflict(run: Run, wanted: string): Error {
  const allowed = { draft: ['calculate'], calculated: ['calculate', 'approve'], approved: ['issue'] }[run.status] ?? [];
  return conflict('royalty_statement_run.status_conflict', `A run that is ${run.status} cannot be ${wanted}.`,
    { allowed });
}

/** The run's state follows its statements: the least advanced one that is not void. */
async function settleRun(ctx: WorkContext, runId: number | null): Promise<void> {
  if (runId === null) return;
  await ctx.db.exec(sql`
    update royalty_statement_runs r set version = r.version + 1, statement_count = m.n, net_minor = m.net,
      pay_minor = m.pay, status = case when m.open > 0 then r.status when m.approved > 0 then 'approved'
        when m.issued > 0 then 'issued' else r.status end,
      approved_by_id = case when m.open = 0 and r.approved_by_id is null then m.approver else r.approved_by_id end,
      approved_at = case when m.open = 0 and m.n > 0 then coalesce(r.approved_at, ${ctx.now().toISOString()})
        else r.approved_at end,
      issued_at = case when m.open + m.approved = 0 and m.issued > 0
        then coalesce(r.issued_at, ${ctx.now().toISOString()}) else r.issued_at end
    from (select count(*) filter (where status <> 'void') as n,
        count(*) filter (where status in ('draft', 'calculated')) as open,
        count(*) filter (where status = 'approved') as approved,
        count(*) filter (where issued_at is not null) as issued,
        coalesce(sum(net_minor) filter (where status <> 'void'), 0) as net,
        coalesce(sum(payable_minor) filter (where status <> 'void'), 0) as pay,
        (array_agg(approved_by_id order by approved_at desc nulls last))[1] as approver
      from royalty_statements where royalty_statement_run_id = ${runId}) m
    where r.id = ${runId}`);
}

async function issue(ctx: WorkContext, statement: StatementRecord, on: string): Promise<void> {
  refuseStatementEvent(statement, 'issue');
  const lines = await journalOf(ctx, statement, on);
  const posted = lines.length === 0 ? null : await postJournal(ctx.db, {
    division: statement.division, kind: 'royalty_statement', transaction_at: on, lines,
    description: `Royalty statement, ${statement.royaltor_name}, to ${statement.period_to}`.slice(0, 500),
    source: { type: 'royalty_statement', id: statement.id, event: 'issued', attempt: 1 },
  }, ctx.actor.actor_id);
  await keepRecoupments(ctx, statement);
  await keepReserves(ctx, statement);
  await ctx.db.exec(sql`
    update royalty_adjustments set transaction_id = ${posted?.transaction_id ?? null}
    where statement_id = ${statement.id} and transaction_id is null`);
  const { number } = await ctx.db.one<{ number: string }>(sql`
    select next_number('statement', ${statement.division}, ${on}::date) as number`);
  const selfBilling = statement.snapshot.vat_paid_minor > 0 ? (await nextNumber(ctx.db, {
    division: statement.division, kind: 'self_billing', scope: String(statement.royaltor_id),
    prefix: `SB-${statement.division}-${statement.royaltor_id}-` })).number : null;
  await ctx.db.exec(sql`
    update royalty_statements set status = 'issued', number = ${number}, self_billing_number = ${selfBilling},
      issued_at = ${ctx.now().toISOString()}, transaction_id = ${posted?.transaction_id ?? null},
      sha256 = ${sha256(JSON.stringify(statement.snapshot))}, version = version + 1 where id = ${statement.id}`);
  await document(ctx, statement.id, number);
  if (statement.delivery === 'email' && statement.email !== null) {
    await queueMail(ctx.db, { template: 'royalty.statement', to: [statement.email],
      subject: `Your royalty statement ${number}`, entity: 'royalty_statement', entity_id: statement.id,
      text: `Dear ${statement.royaltor_name},\n\nYour royalty statement ${number} for the period to `
        + `${statement.period_to} has been issued.\n` });
  }
  await ctx.audit({ action: 'issue', entity: 'royalty_statement', entity_id: statement.id, after: { number } });
}

/** The PDF is stored under its hash; the same statement gives the same bytes (I12). */
async function document(ctx: WorkContext, id: number, number: string): Promise<void> {
  const content = await statementPdf(ctx, id);
  const put = await ctx.ports.files.put(content);
  const file = await ctx.db.one<{ id: number }>(sql`
    insert into files (storage_key, sha256, mime_type, size_bytes, original_name, created_by_id)
    values (${put.storage_key}, ${put.sha256}, 'application/pdf', ${put.size}, ${`${number}.pdf`},
      ${ctx.actor.actor_id}) returning id`);
  await ctx.db.exec(sql`
    update royalty_statements set document_id = ${file.id}, sha256 = ${put.sha256} where id = ${id}`);
}

/** Events 13, 13b to 13e, 14b and adjustments as one journal; legs of one account and party add up. */
async function journalOf(ctx: WorkContext, statement: StatementRecord, on: string): Promise<JournalLine[]> {
  const totals = new Map<string, { account: string; party: string | null; amount: bigint }>();
  for (const leg of statement.snapshot.postings.filter((one) => one.when === 'issue').flatMap((one) => one.legs)) {
    const party = ['2200', '2205', '1150'].includes(leg.account) && leg.party === null ? 'royaltor' : leg.party;
    const key = `${leg.account} ${party ?? ''}`;
    const known = totals.get(key) ?? { account: leg.account, party, amount: 0n };
    totals.set(key, { ...known, amount: known.amount + BigInt(leg.amount_minor) });
  }
  const legs = [...totals.values()].filter((leg) => leg.amount !== 0n);
  const authority = legs.some((leg) => leg.party === 'tax_authority')
    ? await taxAuthority(ctx, statement.home_country) : 0;
  const rate = await rateFor(ctx.db, statement.division, statement.currency, on);
  return convert(legs.map((leg) => ({
    account: leg.account, currency: statement.currency, amount: leg.amount,
    ...(leg.party === 'royaltor' ? { party: { type: 'royaltor' as const, id: statement.royaltor_id } }
      : leg.party === 'agent' ? { party: { type: 'royaltor' as const, id: statement.agent_royaltor_id! } }
        : leg.party === 'tax_authority' ? { party: { type: 'tax_authority' as const, id: authority } } : {}),
  })), statement.division, rate);
}

async function keepRecoupments(ctx: WorkContext, statement: StatementRecord): Promise<void> {
  for (const one of statement.snapshot.recoupments) {
    const touched = await ctx.db.exec(sql`
      update royalty_advances set recouped_minor = recouped_minor + ${one.amount_minor}, version = version + 1
      where id = ${one.advance_id} and status = 'paid' and amount_minor - recouped_minor >= ${one.amount_minor}`);
    if (touched !== 1) throw recalculate();
    await ctx.db.exec(sql`
      insert into royalty_recoupments (royalty_advance_id, statement_id, amount_minor)
      values (${one.advance_id}, ${statement.id}, ${one.amount_minor})`);
  }
}

async function keepReserves(ctx: WorkContext, statement: StatementRecord): Promise<void> {
  for (const one of statement.snapshot.reserves_released) {
    const touched = await ctx.db.exec(sql`
      update royalty_reserve_releases set released_statement_id = ${statement.id}
      where royalty_reserve_id = ${one.reserve_id} and periods_later = ${one.part}
        and released_statement_id is null and amount_minor = ${one.amount_minor}`);
    if (touched !== 1) throw recalculate();
    await ctx.db.exec(sql`
      update royalty_reserves set released_minor = released_minor + ${one.amount_minor} where id = ${one.reserve_id}`);
  }
  for (const one of statement.snapshot.reserves_taken) {
    const { id } = await ctx.db.one<{ id: number }>(sql`
      insert into royalty_reserves (show_royaltor_id, statement_id, division, currency, taken_minor)
      values (${one.show_royaltor_id}, ${statement.id}, ${statement.division}, ${statement.currency},
        ${one.amount_minor}) returning id`);
    await ctx.db.exec(sql`
      insert into royalty_reserve_releases (royalty_reserve_id, periods_later, amount_minor)
      select ${id}, n, amount from unnest(${one.release_parts}::bigint[]) with ordinality u (amount, n)`);
  }
}

function recalculate(): Error {
  return conflict('royalty_statement.outdated',
    'An advance or a reserve has moved since. Calculate the statement again.', { allowed: ['void'] });
}
