/**
 * Issue of a statement: its number, its posting with what every line is carried at, its document, its delivery
 * (domain.md 3.5, 3.6; accounting.md 2.2 rows 13 to 14b).
 */
import { dateFor, dateInWords } from '#kernel/calendar/calendar.ts';
import { conflict } from '#kit/errors.ts';
import { FUNCTIONAL_CURRENCY, type JournalLine } from '#kernel/ledger/journal.ts';
import type { StatementStatus } from '#kernel/licensing/small-machines.ts';
import { documentLanguage, type Division } from '#kernel/money/division.ts';
import { formatMoney, sum, type Currency } from '#kernel/money/money.ts';
import { carriedPart, type Carried } from '#kernel/royalties/carried.ts';
import {
  statementJournal, type StatementFigures, type StatementJournal, type StatementJournalLine,
} from '#kernel/royalties/statement-journal.ts';
import type { WorkContext } from '#server/context.ts';
import { sha256 } from '#server/files.ts';
import { oneLine, queueMail } from '#server/mail.ts';
import { renderPdfs } from '#server/pdf.ts';
import { sql } from '#server/sql.ts';
import { putOpeningsOnStatement } from '#modules/catalogue/agreement/brought-forward.public.server.ts';
import { nextNumber, postJournal } from '#modules/accounting/accounting.public.server.ts';
import { contactOf } from '#modules/identity/identity.public.server.ts';
import { storeFile } from '#modules/system/file.public.server.ts';
import { taxAuthority } from '#modules/taxation/taxation.public.server.ts';
import { rateFor } from '../ledger-rate.server.ts';
import { agentOf } from './statement-agent.server.ts';
import { followLater } from './follow-statements.server.ts';
import { statementPaper } from './statement-pdf.server.ts';
import { broughtForward, lastBefore } from './statement-subjects.server.ts';

export interface StatementRecord {
  id: number; royalty_statement_run_id: number | null; royaltor_id: number; show_royaltor_id: number | null;
  cross_collateral_group_id: number | null; division: Division; currency: Currency; period_from: string;
  period_to: string; status: StatementStatus; version: number; updated_at: string; calculated_by_id: number | null;
  opening_minor: number; adjustments_minor: number; top_up_minor: number; agent_minor: number; net_minor: number;
  vat_minor: number; payable_minor: number; snapshot: StoredStatement;
  agent_royaltor_id: number | null;
  home_country: string; email: string | null; delivery: string; royaltor_name: string;
}

/** The kernel's statement as stored: bigint became a number. */
export interface StoredStatement {
  steps: { step: string; label: string; amount_minor: number; formula: string }[];
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
      m.currency, m.period_from, m.period_to, m.status, m.version, m.updated_at, m.calculated_by_id, m.opening_minor,
      m.adjustments_minor, m.top_up_minor, m.agent_minor, m.net_minor, m.vat_minor, m.payable_minor, m.snapshot,
      d.home_country, r.email, r.delivery, r.name as royaltor_name,
      ${agentOf(sql`m`)} as agent_royaltor_id
    from royalty_statements m join divisions d on d.code = m.division join royaltors r on r.id = m.royaltor_id
    where ${condition} order by m.id for update of m`);
}

/**
 * Posts and numbers an approved statement; 409 where what it was calculated from has moved. Its document is stored, and
 * mailed, by {@link storeStatementDocuments}.
 */
export async function issueOne(ctx: WorkContext, statement: StatementRecord, on: string): Promise<void> {
  await refuseOutOfOrder(ctx, [statement]);
  const journal = statementJournal(await figuresOf(ctx, statement, on));
  const lines = await ledgerLines(ctx, statement, journal.lines);
  const posted = lines.length === 0 ? null : await postJournal(ctx.db, {
    division: statement.division, kind: 'royalty_statement', transaction_at: on, lines,
    description: `Royalty statement, ${statement.royaltor_name}, to ${statement.period_to}`.slice(0, 500),
    source: { type: 'royalty_statement', id: statement.id, event: 'issued', attempt: 1 },
  }, ctx.actor.actor_id);
  await keepReserves(ctx, statement, journal);
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
      carried_minor = ${Number(journal.carried_minor)}, agent_carried_minor = ${Number(journal.agent_carried_minor)},
      sha256 = ${sha256(JSON.stringify(statement.snapshot))}, version = version + 1 where id = ${statement.id}`);
  await followLater(ctx, statement);
  await ctx.audit({ action: 'issue', entity: 'royalty_statement', entity_id: statement.id, after: { number } });
}

/**
 * Statements of one subject, division and currency are issued in the order of their periods, so that each carries what
 * the one before it closed with: 409 while an earlier one is neither issued nor void, or after a later one was issued.
 */
export async function refuseOutOfOrder(ctx: WorkContext, statements: readonly StatementRecord[]): Promise<void> {
  const out = await ctx.db.query<{ royaltor: string; period_to: string; issued: boolean }>(sql`
    select distinct on (m.id) r.name as royaltor, o.period_to, o.issued_at is not null as issued
    from royalty_statements m join royalty_statements o on o.id <> m.id
      and o.show_royaltor_id is not distinct from m.show_royaltor_id
      and o.cross_collateral_group_id is not distinct from m.cross_collateral_group_id
      and o.division = m.division and o.currency = m.currency
      join royaltors r on r.id = m.royaltor_id
    where m.id = any(${statements.map((one) => one.id)}::bigint[])
      and (o.status in ('draft', 'calculated', 'approved') and o.period_to < m.period_to
        or o.issued_at is not null and o.period_to > m.period_to)
    order by m.id, o.issued_at nulls first, o.period_to`);
  const [first] = out;
  if (!first) return;
  const day = dateInWords(first.period_to);
  const others = out.length === 1 ? '' : ` So do ${out.length - 1} others of this run.`;
  throw first.issued
    ? conflict('royalty_statement.later_issued', `${first.royaltor} has a statement to ${day} already. Void this one: `
      + 'what is on it goes on the next.', { allowed: ['void'] })
    : conflict('royalty_statement.earlier_open', `The statement of ${first.royaltor} to ${day} comes first: issue `
      + `or void it.${others}`, { allowed: ['void'] });
}

/**
 * The documents of issued statements, drawn together and stored under their hashes; the same statement gives the same
 * bytes (I12). Who has statements by email gets each with its document.
 */
export async function storeStatementDocuments(
  ctx: WorkContext, statements: readonly StatementRecord[],
): Promise<void> {
  const papers = [];
  for (const { id } of statements) papers.push(await statementPaper(ctx, id));
  const drawn = await renderPdfs(papers);
  for (const [at, statement] of statements.entries()) {
    const { number } = await ctx.db.one<{ number: string }>(sql`
      select number from royalty_statements where id = ${statement.id}`);
    const file = await storeFile(ctx, { filename: `${number}.pdf`, content: drawn[at]! }, 'application/pdf');
    await ctx.db.exec(sql`
      update royalty_statements set document_id = ${file.id}, sha256 = ${file.sha256} where id = ${statement.id}`);
    await deliver(ctx, statement, number, file.storage_key);
  }
}

async function deliver(
  ctx: WorkContext, statement: StatementRecord, number: string, storage_key: string,
): Promise<void> {
  const { id, email, division, currency, payable_minor } = statement;
  if (statement.delivery !== 'email' || email === null) return;
  await queueMail(ctx.db, { template: 'royalty.statement', to: [email], subject: `Your royalty statement ${number}`,
    entity: 'royalty_statement', entity_id: id,
    letter: { greeting: oneLine(statement.royaltor_name), contact: await contactOf(ctx.db, null, division),
      paragraphs: [`Your royalty statement ${number} for the period through ${dateFor(documentLanguage(division),
        statement.period_to)} is attached.`, payable_minor > 0
        ? `${formatMoney(payable_minor, currency)} is payable.`
        : 'Nothing is payable for this period; the statement shows why.'] },
    attachments: [{ filename: `${number}.pdf`, content_type: 'application/pdf', storage_key }] });
}

/** The statement with what its figures are carried at; the opening balance and the advances move here. */
async function figuresOf(ctx: WorkContext, statement: StatementRecord, on: string): Promise<StatementFigures> {
  const { snapshot } = statement;
  const rate = await rateFor(ctx.db, statement.division, statement.currency, on);
  const earnings = await ctx.db.query<{ show_royaltor_id: number; reserve_ppm: number; amount_minor: number;
    functional_minor: number }>(sql`
    select show_royaltor_id, reserve_ppm, amount_minor, functional_minor from royalty_accruals
    where statement_id = ${statement.id} order by id`);
  const restored = (await ctx.db.query<{ amount: number; functional: number }>(sql`
    select amount_minor as amount, carried_minor as functional from royalty_adjustments
    where statement_id = ${statement.id} and royalty_advance_id is not null order by id`))
    .map((row) => carried(row.amount, row.functional));
  return {
    opening: await takeOpening(ctx, statement), rate,
    earnings: earnings.map((row) => ({ show_royaltor_id: row.show_royaltor_id, reserve_ppm: BigInt(row.reserve_ppm),
      ...carried(row.amount_minor, row.functional_minor) })),
    reserves_taken: snapshot.reserves_taken.map((one) => ({ show_royaltor_id: one.show_royaltor_id,
      amount_minor: BigInt(one.amount_minor) })),
    reserves_released: await release(ctx, statement),
    adjustments_minor: BigInt(statement.adjustments_minor) - sum(restored.map((one) => one.amount_minor)), restored,
    top_up_minor: BigInt(statement.top_up_minor),
    recouped: await recoup(ctx, statement), agent_commission_minor: BigInt(statement.agent_minor),
    vat: { kind: snapshot.vat_minor === 0 ? 'none' : snapshot.vat_paid_minor > 0 ? 'self_billed' : 'reverse_charge',
      amount_minor: BigInt(snapshot.vat_minor) },
  };
}

function carried(amount: number, functional: number): Carried {
  return { amount_minor: BigInt(amount), functional_minor: BigInt(functional) };
}

/** Moves the last statement's carry-forward and the agreements' opening balances to this one. */
async function takeOpening(ctx: WorkContext, statement: StatementRecord): Promise<Carried> {
  const of = { show_royaltor_id: statement.show_royaltor_id, group_id: statement.cross_collateral_group_id };
  const brought = await broughtForward(ctx.db, of, statement);
  const last = await lastBefore(ctx.db, statement, statement);
  const amount_minor = BigInt(last?.open_minor ?? 0) + brought.amount_minor;
  if (amount_minor !== BigInt(statement.opening_minor)) throw recalculate();
  await putOpeningsOnStatement(ctx, { ...of, statement_id: statement.id, division: statement.division,
    currency: statement.currency, period_to: statement.period_to });
  if (!last) return brought;
  const part = carriedPart(carried(last.closing_minor, last.carried_minor), BigInt(last.open_minor));
  await ctx.db.exec(sql`
    update royalty_statements set carried_minor = carried_minor - ${Number(part)} where id = ${last.id}`);
  return { amount_minor, functional_minor: part + brought.functional_minor };
}

async function ledgerLines(
  ctx: WorkContext, statement: StatementRecord, lines: readonly StatementJournalLine[],
): Promise<JournalLine[]> {
  const authority = lines.some((line) => line.party === 'tax_authority')
    ? await taxAuthority(ctx, statement.home_country) : 0;
  const parties = {
    royaltor: { type: 'royaltor' as const, id: statement.royaltor_id },
    agent: { type: 'royaltor' as const, id: statement.agent_royaltor_id ?? statement.royaltor_id },
    tax_authority: { type: 'tax_authority' as const, id: authority },
  };
  return lines.map((line) => ({
    account: line.account, amount: line.amount_minor, base: line.functional_minor, memo: line.memo,
    currency: line.functional ? FUNCTIONAL_CURRENCY[statement.division] : statement.currency,
    ...(line.party === null ? {} : { party: parties[line.party] }),
  }));
}

/** Advances go back at what was paid for them, the last part whole. */
async function recoup(ctx: WorkContext, statement: StatementRecord): Promise<Carried[]> {
  const taken: Carried[] = [];
  for (const one of statement.snapshot.recoupments) {
    const advance = await ctx.db.maybeOne<{ open: number; functional: number }>(sql`
      select unrecouped_minor as open, (paid_functional_minor - recouped_functional_minor)::bigint as functional
      from royalty_advances where id = ${one.advance_id} and status = 'paid'
        and unrecouped_minor >= ${one.amount_minor} for update`);
    if (!advance) throw recalculate();
    const functional_minor = carriedPart(carried(advance.open, advance.functional), BigInt(one.amount_minor));
    await ctx.db.exec(sql`
      update royalty_advances set recouped_minor = recouped_minor + ${one.amount_minor},
        recouped_functional_minor = recouped_functional_minor + ${Number(functional_minor)}, version = version + 1
      where id = ${one.advance_id}`);
    await ctx.db.exec(sql`
      insert into royalty_recoupments (royalty_advance_id, statement_id, amount_minor)
      values (${one.advance_id}, ${statement.id}, ${one.amount_minor})`);
    taken.push({ amount_minor: BigInt(one.amount_minor), functional_minor });
  }
  return taken;
}

async function release(ctx: WorkContext, statement: StatementRecord): Promise<Carried[]> {
  const released: Carried[] = [];
  for (const one of statement.snapshot.reserves_released) {
    const touched = await ctx.db.exec(sql`
      update royalty_reserve_releases set released_statement_id = ${statement.id}
      where royalty_reserve_id = ${one.reserve_id} and periods_later = ${one.part}
        and released_statement_id is null and amount_minor = ${one.amount_minor}`);
    if (touched !== 1) throw recalculate();
    const held = await ctx.db.one<{ held: number; functional: number }>(sql`
      select held_minor as held, (taken_functional_minor - released_functional_minor)::bigint as functional
      from royalty_reserves where id = ${one.reserve_id} for update`);
    const functional_minor = carriedPart(carried(held.held, held.functional), BigInt(one.amount_minor));
    await ctx.db.exec(sql`
      update royalty_reserves set released_minor = released_minor + ${one.amount_minor},
        released_functional_minor = released_functional_minor + ${Number(functional_minor)}
      where id = ${one.reserve_id}`);
    released.push({ amount_minor: BigInt(one.amount_minor), functional_minor });
  }
  return released;
}

async function keepReserves(ctx: WorkContext, statement: StatementRecord, journal: StatementJournal): Promise<void> {
  for (const [k, one] of statement.snapshot.reserves_taken.entries()) {
    const { id } = await ctx.db.one<{ id: number }>(sql`
      insert into royalty_reserves (show_royaltor_id, statement_id, division, currency, taken_minor,
        taken_functional_minor)
      values (${one.show_royaltor_id}, ${statement.id}, ${statement.division}, ${statement.currency},
        ${one.amount_minor}, ${Number(journal.reserves_taken[k]!.functional_minor)}) returning id`);
    await ctx.db.exec(sql`
      insert into royalty_reserve_releases (royalty_reserve_id, periods_later, amount_minor)
      select ${id}, n, amount from unnest(${one.release_parts}::bigint[]) with ordinality u (amount, n)`);
  }
}

function recalculate(): Error {
  return conflict('royalty_statement.outdated',
    'A balance, an advance or a reserve has moved since. Calculate the statement again.', { allowed: ['void'] });
}
