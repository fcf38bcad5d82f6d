/** Bank rules: written with their errors at the field, put in order, archived; never deleted. */
import { ruleProblems } from '#kernel/bank-matching/bank-rules.ts';
import { conflict, invalid, invalidField, refuse, type FieldErrors } from '#kit/errors.ts';
import type { QueryOf } from '#kit/endpoint.ts';
import type { Ctx, WorkContext } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import { compact, listPage } from '#server/list.ts';
import { serve, type Route } from '#server/routes.ts';
import { matches, sql, type Sql } from '#server/sql.ts';
import { compileRulePattern } from '../rule-pattern.ts';
import { bankRuleEndpoints, type BankRuleRow, type RuleInput } from './bank-rule.contract.ts';
import { dryRunOf } from './dry-run.server.ts';
import { conditionsOf, partyName, RULE_COLUMNS, rulesOf } from './rule-rows.server.ts';

async function findRule(ctx: WorkContext, id: number): Promise<BankRuleRow> {
  const row = await ctx.db.maybeOne<BankRuleRow>(sql`select ${RULE_COLUMNS} from bank_rules t where t.id = ${id}`);
  if (!row) throw refuse('not_found');
  return row;
}

/** The rules of a division, one writer after the other: names are unique and the order is one. */
async function holdRules(ctx: WorkContext, division: string): Promise<void> {
  await ctx.db.query(sql`select 1 from divisions where code = ${division} for no key update`);
}

async function lockRule(ctx: WorkContext, id: number, version: number): Promise<BankRuleRow> {
  await ctx.db.query(sql`select 1 from bank_rules where id = ${id} for update`);
  const row = await findRule(ctx, id);
  if (row.version !== version) throw stale(row);
  return row;
}

interface Account { id: number; code: string; party_types: string[] | null; is_bank: boolean; allow_manual: boolean;
  active: boolean }

/** The ledger account of a rule, with the party that it asks for; errors at their fields. */
async function entryErrors(ctx: WorkContext, rule: RuleInput): Promise<{ errors: FieldErrors; party: string | null }> {
  const account = rule.ledger_account_id === null ? null : await ctx.db.maybeOne<Account>(sql`
    select id, code, party_types, is_bank, allow_manual, active from ledger_accounts
    where id = ${rule.ledger_account_id} and division = ${rule.division} and deleted_at is null`);
  if (!account) return { errors: { ledger_account_id: ['Choose an account of the division'] }, party: null };
  if (account.is_bank) {
    return { errors: { ledger_account_id: ['Money between two bank accounts is a transfer'] }, party: null };
  }
  if (!account.active || !account.allow_manual) {
    return { errors: { ledger_account_id: ['Documents keep this account. Choose another'] }, party: null };
  }
  const party = account.party_types?.[0] ?? null;
  const errors: FieldErrors = party !== null && rule.party_id === null ? { party_id: ['Choose a party'] }
    : party === null && rule.party_id !== null ? { party_id: ['This account asks for no party'] } : {};
  return { errors, party };
}

async function accountError(ctx: WorkContext, id: number, division: string): Promise<string | null> {
  const found = await ctx.db.maybeOne(sql`select 1 from bank_accounts where id = ${id} and division = ${division}
    and closed_on is null and deleted_at is null`);
  return found ? null : 'Choose an open bank account of the division';
}

/** Checks the entry that the rule makes, by its kind. Returns the kind of its party. */
async function checkTarget(ctx: WorkContext, rule: RuleInput, errors: FieldErrors): Promise<string | null> {
  let party: string | null = null;
  if (rule.kind === 'entry') {
    const entry = await entryErrors(ctx, rule);
    Object.assign(errors, entry.errors);
    party = entry.party;
  } else if (rule.kind === 'receipt') {
    party = 'customer';
    if (rule.party_id === null) errors.party_id = ['Choose a customer'];
    if (rule.direction !== 'in') errors.direction = ['A receipt is money in'];
  } else {
    const refusal = rule.to_bank_account_id === null ? 'Choose the other bank account'
      : rule.to_bank_account_id === rule.bank_account_id ? 'Choose another account than the one of the line'
        : await accountError(ctx, rule.to_bank_account_id, rule.division);
    if (refusal !== null) errors.to_bank_account_id = [refusal];
  }
  if (party !== null && rule.party_id !== null && !errors.party_id) {
    const { name } = await ctx.db.one<{ name: string | null }>(sql`
      select ${partyName(sql`${party}::text`, sql`${rule.party_id}::bigint`)} as name`);
    if (name === null) errors.party_id = ['This party does not exist'];
  }
  return party;
}

/** The rule as it is stored: what its kind does not ask for is empty. */
async function checkRule(ctx: WorkContext, rule: RuleInput, id: number | null) {
  const errors: FieldErrors = {};
  for (const { field, message } of ruleProblems(conditionsOf(rule), compileRulePattern)) errors[field] ??= [message];
  if (rule.bank_account_id !== null) {
    const refusal = await accountError(ctx, rule.bank_account_id, rule.division);
    if (refusal !== null) errors.bank_account_id = [refusal];
  }
  const party = await checkTarget(ctx, rule, errors);
  const taken = await ctx.db.maybeOne(sql`select 1 from bank_rules where division = ${rule.division}
    and lower(name) = lower(${rule.name}) and archived_at is null and id is distinct from ${id}::bigint`);
  if (taken) errors.name = ['Another rule of this division has this name'];
  if (Object.keys(errors).length > 0) throw invalid(errors);
  const isParty = party !== null && rule.party_id !== null;
  return { ...rule, ledger_account_id: rule.kind === 'entry' ? rule.ledger_account_id : null,
    to_bank_account_id: rule.kind === 'transfer' ? rule.to_bank_account_id : null,
    party_type: isParty ? party : null, party_id: isParty ? rule.party_id : null,
    conditions: JSON.stringify(rule.conditions) };
}

async function create(ctx: Ctx, body: RuleInput): Promise<BankRuleRow> {
  await holdRules(ctx, body.division);
  const rule = await checkRule(ctx, body, null);
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into bank_rules (name, division, priority, bank_account_id, direction, from_minor, to_minor, conditions,
      kind, ledger_account_id, party_type, party_id, to_bank_account_id, memo, created_by_id)
    values (${rule.name}, ${rule.division}, (select coalesce(max(priority), 0) + 1 from bank_rules
        where division = ${rule.division}), ${rule.bank_account_id}, ${rule.direction}, ${rule.from_minor},
      ${rule.to_minor}, ${rule.conditions}, ${rule.kind}, ${rule.ledger_account_id}, ${rule.party_type},
      ${rule.party_id}, ${rule.to_bank_account_id}, ${rule.memo}, ${ctx.actor.actor_id}) returning id`);
  return findRule(ctx, id);
}

async function update(ctx: Ctx, id: number, { version, ...body }: RuleInput & { version: number }) {
  await holdRules(ctx, body.division);
  const before = await lockRule(ctx, id, version);
  if (before.is_archived) throw conflict('bank_rule.archived', 'This rule is archived. Use it again first.');
  if (body.division !== before.division) throw invalidField('division', 'Division cannot be changed');
  const rule = await checkRule(ctx, body, id);
  return saved(ctx, before, 'update', sql`name = ${rule.name}, bank_account_id = ${rule.bank_account_id},
    direction = ${rule.direction}, from_minor = ${rule.from_minor}, to_minor = ${rule.to_minor},
    conditions = ${rule.conditions}, kind = ${rule.kind}, ledger_account_id = ${rule.ledger_account_id},
    party_type = ${rule.party_type}, party_id = ${rule.party_id}, to_bank_account_id = ${rule.to_bank_account_id},
    memo = ${rule.memo}`);
}

async function saved(ctx: Ctx, before: BankRuleRow, action: string, columns: Sql): Promise<BankRuleRow> {
  await ctx.db.exec(sql`update bank_rules set ${columns}, version = version + 1 where id = ${before.id}`);
  const after = await findRule(ctx, before.id);
  await ctx.audit({ action, entity: 'bank_rule', entity_id: before.id, before, after });
  return after;
}

/** Archived, or used again as the last of its division. */
async function archive(ctx: Ctx, id: number, version: number, away: boolean): Promise<BankRuleRow> {
  const { division } = await findRule(ctx, id);
  await holdRules(ctx, division);
  const before = await lockRule(ctx, id, version);
  if (before.is_archived === away) {
    throw conflict('bank_rule.archived', away ? 'This rule is archived already.' : 'This rule is in use already.');
  }
  if (away) return saved(ctx, before, 'archive', sql`archived_at = ${ctx.now().toISOString()}`);
  const taken = (await rulesOf(ctx.db, division)).some((one) => one.name.toLowerCase() === before.name.toLowerCase());
  if (taken) throw conflict('bank_rule.name_taken', `Another rule has the name ${before.name}. Rename it first.`);
  return saved(ctx, before, 'restore', sql`archived_at = null,
    priority = (select coalesce(max(priority), 0) + 1 from bank_rules where division = ${division})`);
}

async function order(ctx: Ctx, of: { division: string; ids: readonly number[] }): Promise<BankRuleRow[]> {
  await holdRules(ctx, of.division);
  const before = await rulesOf(ctx.db, of.division);
  const known = new Set(before.map(({ id }) => id));
  if (new Set(of.ids).size !== of.ids.length || of.ids.length !== known.size || of.ids.some((id) => !known.has(id))) {
    throw invalidField('ids', 'The rules have changed meanwhile. Read them again, then put them in order');
  }
  await ctx.db.exec(sql`
    update bank_rules r set priority = o.place, version = r.version + 1
    from unnest(${[...of.ids]}::bigint[]) with ordinality as o (id, place)
    where r.id = o.id and r.priority <> o.place`);
  await ctx.audit({ action: 'order', entity: 'bank_rule', entity_id: null,
    before: { order: before.map(({ name }) => name) }, after: { division: of.division,
      order: of.ids.map((id) => before.find((one) => one.id === id)?.name) } });
  return rulesOf(ctx.db, of.division);
}

type Query = QueryOf<typeof bankRuleEndpoints.list>;
const listRules = (ctx: Ctx, query: Query) => listPage<BankRuleRow>(ctx.db, {
  base: sql`bank_rules t`, columns: RULE_COLUMNS, conditions: compact([
    sql`(t.archived_at is not null) = ${query.archived ?? false}`,
    query.division !== undefined && sql`t.division = ${query.division}`,
    query.kind !== undefined && sql`t.kind = ${query.kind}`,
    query.bank_account_id !== undefined && sql`(t.bank_account_id is null and t.division = (select b.division
      from bank_accounts b where b.id = ${query.bank_account_id}) or t.bank_account_id = ${query.bank_account_id})`,
    query.search !== undefined && matches(sql`t.search_text`, query.search),
  ]),
  sorts: { priority: sql`t.division, t.priority`, name: sql`t.name collate "und-x-icu"`,
    updated_at: sql`t.updated_at` }, defaultSort: 'priority',
}, query, bankRuleEndpoints.list.path);

export const bankRuleRoutes: Route[] = serve(bankRuleEndpoints, {
  list: (ctx, { query }) => listRules(ctx, query),
  show: async (ctx, { params }) => ({ data: await findRule(ctx, params.id) }),
  async create(ctx, { body }) {
    const data = await create(ctx, body);
    await ctx.audit({ action: 'create', entity: 'bank_rule', entity_id: data.id, after: data });
    return { data };
  },
  update: async (ctx, { params, body }) => ({ data: await update(ctx, params.id, body) }),
  order: async (ctx, { body }) => ({ data: await order(ctx, body) }),
  archive: async (ctx, { params, body }) => ({ data: await archive(ctx, params.id, body.version, true) }),
  restore: async (ctx, { params, body }) => ({ data: await archive(ctx, params.id, body.version, false) }),
  dryRun: async (ctx, { body }) => ({ data: await dryRunOf(ctx, body) }),
});
