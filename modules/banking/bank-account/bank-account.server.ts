/**
 * Bank accounts. Each is made with its ledger account; of a division and currency one is the default. What the ledger
 * would lose by it (a used account in the trash, money on a closed one) the database refuses.
 */
import type * as z from 'zod';
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import type { Currency } from '#kernel/money/money.ts';
import type { Division } from '#kernel/money/division.ts';
import { formatMinor } from '#kernel/money/money.ts';
import { asLedgerCall, openBankLedger } from '#modules/accounting/accounting.public.server.ts';
import { checkedNumber, type AccountNumber } from '#server/account-number.ts';
import type { Ctx, WorkContext } from '#server/context.ts';
import { crud, stale } from '#server/crud.ts';
import { compact } from '#server/list.ts';
import { serve, type Route } from '#server/routes.ts';
import { lastFour, seal } from '#server/secret.ts';
import { sql } from '#server/sql.ts';
import { BANK_BALANCE, LAST_STATEMENT, UNMATCHED_COUNT } from '../cash/bank-balance.server.ts';
import { bankAccount, bankAccountEndpoints, type BankAccountOption, type BankAccountRow }
  from './bank-account.contract.ts';
import { postEntry, postOpening, postRemainder, type BankEntry } from './post-entry.server.ts';

const BALANCE = sql`from ledger_balances b where b.ledger_account_id = t.ledger_account_id`;
const LEDGER_CODE = sql`(select a.code from ledger_accounts a where a.id = t.ledger_account_id)`;
const accounts = crud(bankAccount, {
  table: 'bank_accounts', trash: true, search: sql`t.search_text || ' ' || ${LEDGER_CODE} || ' '
    || (select n.search_text from banks n where n.id = t.bank_id)`,
  joins: sql`join banks n on n.id = t.bank_id join ledger_accounts a on a.id = t.ledger_account_id
    join divisions d on d.code = t.division ${LAST_STATEMENT}`,
  sorts: { name: sql`t.name collate "und-x-icu"`, ledger_code: LEDGER_CODE },
  extra: {
    bank_balance_minor: BANK_BALANCE, unmatched_count: UNMATCHED_COUNT, last_statement_id: sql`ls.id`,
    last_statement_on: sql`ls.to_on::text`,
    bank_name: sql`n.name`, ledger_code: sql`a.code`, functional_currency: sql`d.functional_currency`,
    balance_minor: sql`(select coalesce(sum(b.debit_minor - b.credit_minor), 0)::bigint ${BALANCE}
      and b.currency = t.currency)`,
    balance_base_minor: sql`(select coalesce(sum(b.base_debit_minor - b.base_credit_minor), 0)::bigint ${BALANCE})`,
    is_used: sql`(exists (select 1 from journal_entries e where e.ledger_account_id = t.ledger_account_id)
      or exists (select 1 from payments p where p.ledger_account_id = t.ledger_account_id))`,
  },
  filter: (query) => compact([
    query.division !== undefined && sql`t.division = ${query.division}`,
    query.currency !== undefined && sql`t.currency = ${query.currency}`,
    query.bank_id !== undefined && sql`t.bank_id = ${query.bank_id}`,
    query.open !== undefined && sql`(t.closed_on is null) = ${query.open}`,
  ]),
  unique: { bank_accounts_name: ['name', 'Another bank account of this division has this name'] },
});

async function findAccount(ctx: WorkContext, id: number, lock = false, trashed = false): Promise<BankAccountRow> {
  return await accounts.find(ctx.db, id, lock, trashed);
}

/** The accounts of a division and currency, one after the other: the default moves from one to the other. */
async function holdCurrency(ctx: WorkContext, of: { division: string; currency: string }): Promise<{ hasDefault:
  boolean }> {
  await ctx.db.query(sql`select 1 from divisions where code = ${of.division} for no key update`);
  const rows = await ctx.db.query<{ is_default: boolean }>(sql`
    select is_default from bank_accounts where division = ${of.division} and currency = ${of.currency}
      and closed_on is null and deleted_at is null order by id for no key update`);
  return { hasDefault: rows.some((row) => row.is_default) };
}

async function dropDefault(ctx: WorkContext, of: { division: string; currency: string }): Promise<void> {
  await ctx.db.exec(sql`update bank_accounts set is_default = false, version = version + 1
    where division = ${of.division} and currency = ${of.currency} and is_default`);
}

async function liveBank(ctx: WorkContext, id: number): Promise<void> {
  const row = await ctx.db.maybeOne(sql`select 1 from banks where id = ${id} and deleted_at is null for key share`);
  if (!row) throw invalidField('bank_id', 'This bank does not exist');
}

type Body = Partial<Pick<BankAccountRow, 'opening_minor' | 'opening_on'>>;
function refuseOpening({ opening_minor, opening_on }: Body): void {
  if (opening_minor !== undefined && opening_minor !== 0 && (opening_on ?? null) === null) {
    throw invalidField('opening_on', 'Enter the date of the opening balance');
  }
}

async function openAccount(ctx: Ctx, body: z.output<typeof bankAccount.create>): Promise<number> {
  refuseOpening(body);
  await liveBank(ctx, body.bank_id);
  const { hasDefault } = await holdCurrency(ctx, body);
  if (hasDefault && body.is_default) await dropDefault(ctx, body);
  const taken = await ctx.db.maybeOne(sql`select 1 from bank_accounts where division = ${body.division}
    and lower(name) = lower(${body.name}) and deleted_at is null`);
  if (taken) throw invalidField('name', 'Another bank account of this division has this name');
  const ledger = await openBankLedger(ctx.db, body);
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into bank_accounts (bank_id, division, currency, name, holder, ledger_account_id, is_default, opening_minor,
      opening_on, next_check_number, statement_format, statement_date_order, notes)
    values (${body.bank_id}, ${body.division}, ${body.currency}, ${body.name}, ${body.holder ?? null}, ${ledger},
      ${body.is_default || !hasDefault}, ${body.opening_minor}, ${body.opening_on ?? null},
      ${body.next_check_number ?? null}, ${body.statement_format ?? null}, ${body.statement_date_order ?? null},
      ${body.notes ?? ''}) returning id`);
  await openWith(ctx, id);
  return id;
}

/** Posts the opening balance, once. */
async function openWith(ctx: WorkContext, id: number): Promise<void> {
  const row = await findAccount(ctx, id);
  if (row.opening_minor === 0 || row.opening_on === null) return;
  const transaction = await postOpening(ctx, entryAccount(row), { amount_minor: row.opening_minor,
    on: row.opening_on });
  await ctx.db.exec(sql`update bank_accounts set opening_transaction_id = ${transaction} where id = ${id}`);
}

const entryAccount = (row: BankAccountRow) => ({ id: row.id, division: row.division as Division,
  currency: row.currency as Currency, name: row.name, ledger_code: row.ledger_code });

async function changeAccount(ctx: Ctx, id: number, body: z.output<typeof bankAccount.update>) {
  const before = await findAccount(ctx, id);
  if (body.bank_id !== undefined) await liveBank(ctx, body.bank_id);
  const opening = { opening_minor: body.opening_minor ?? before.opening_minor,
    opening_on: body.opening_on === undefined ? before.opening_on : body.opening_on };
  const isMoved = opening.opening_minor !== before.opening_minor || opening.opening_on !== before.opening_on;
  if (isMoved && before.opening_transaction_id !== null) {
    throw invalidField('opening_minor', 'The opening balance is posted. Correct it with a bank entry');
  }
  refuseOpening(opening);
  if (body.next_check_number !== undefined && body.next_check_number !== before.next_check_number) {
    await refuseUsedNumbers(ctx, id);
  }
  if (body.is_default === true && !before.is_default) {
    if (before.closed_on !== null) throw invalidField('is_default', 'A closed account cannot be the default');
    const held = await holdCurrency(ctx, before);
    if (held.hasDefault) await dropDefault(ctx, before);
  }
  const answer = await accounts.update(ctx, { params: { id },
    body: body.notes === null ? { ...body, notes: '' } : body });
  if (!isMoved) return answer;
  await openWith(ctx, id);
  return { data: await findAccount(ctx, id) };
}

/** Once checks have numbers, the next one follows the last. */
async function refuseUsedNumbers(ctx: Ctx, id: number): Promise<void> {
  const { last } = await ctx.db.one<{ last: number | null }>(sql`
    select max(check_number) as last from checks where bank_account_id = ${id}`);
  if (last === null) return;
  throw invalidField('next_check_number', `Check ${last} was the last one, so ${last + 1} follows. Record forms that `
    + 'are missing as spoiled under Checks');
}

/** Another state of the account, with its version checked and what changed in the audit. */
async function change(
  ctx: Ctx, before: BankAccountRow, of: { version: number; action: string }, columns: ReturnType<typeof sql>,
) {
  if (before.version !== of.version) throw stale(before);
  await asLedgerCall(ctx.db.exec(sql`update bank_accounts set ${columns}, version = version + 1
    where id = ${before.id}`));
  const after = await findAccount(ctx, before.id);
  await ctx.audit({ action: of.action, entity: 'bank_account', entity_id: before.id, before, after });
  return { data: after };
}

/** Says what still waits on the account: bank lines without a match, transfers, payments, deposits. */
async function refuseUses(ctx: Ctx, row: BankAccountRow): Promise<void> {
  const { uses } = await ctx.db.one<{ uses: string[] }>(sql`
    select array_remove(bank_account_uses(${row.id}), 'a balance') as uses`);
  if (uses.length > 0) {
    throw refuse('in_use', `${row.name} still has ${uses.join(', ')}. Finish these first.`, { uses });
  }
}

async function closeAccount(ctx: Ctx, id: number, version: number) {
  const row = await findAccount(ctx, id, true);
  if (row.closed_on !== null) throw conflict('bank_account.closed', `${row.name} is closed.`);
  if (row.balance_minor !== 0) {
    const amount = `${row.currency} ${formatMinor(BigInt(row.balance_minor))}`;
    throw conflict('bank_account.not_empty', `${row.name} has ${amount}. Transfer or pay it out first.`,
      { balance_minor: row.balance_minor });
  }
  await refuseUses(ctx, row);
  const on = await ctx.today(row.division);
  if (row.balance_base_minor !== 0) await postRemainder(ctx, entryAccount(row), row.balance_base_minor, on);
  return change(ctx, row, { version, action: 'close' }, sql`closed_on = ${on}`);
}

async function writeNumber(ctx: Ctx, id: number, body: AccountNumber & { version: number }) {
  const row = await findAccount(ctx, id, true);
  if (row.version !== body.version) throw stale(row);
  const number = checkedNumber(body);
  const sealed = seal(ctx.ports.settings, `bank_account:${id}:bank_account`, number.account);
  const routed = number.routing === null ? null
    : seal(ctx.ports.settings, `bank_account:${id}:bank_routing`, number.routing);
  return change(ctx, row, { version: body.version, action: 'set_bank_details' }, sql`
    bank_account_encrypted = ${sealed.bytes}, bank_routing_encrypted = ${routed?.bytes ?? null},
    bank_key_id = ${sealed.key_id}, bank_account_last4 = ${lastFour(number.account)}, number_kind = ${number.kind},
    statement_number_encrypted = null, statement_number_key_id = null`);
}

async function recordEntry(ctx: Ctx, id: number, entry: BankEntry): Promise<{ data: { transaction_id: number } }> {
  await ctx.db.query(sql`select 1 from bank_accounts where id = ${id} for key share`);
  const row = await findAccount(ctx, id);
  if (row.closed_on !== null) throw conflict('bank_account.closed', `${row.name} is closed.`);
  const transaction_id = await postEntry(ctx, entryAccount(row), entry);
  await ctx.audit({ action: 'bank_entry', entity: 'bank_account', entity_id: id, after: { ...entry, transaction_id } });
  return { data: { transaction_id } };
}

export const bankAccountRoutes: Route[] = serve(bankAccountEndpoints, {
  ...accounts,
  options: async (ctx, { query }) => ({ data: await ctx.db.query<BankAccountOption>(sql`
    select t.id, t.name, n.name as bank_name, t.division, t.currency, t.bank_account_last4, t.is_default
    from bank_accounts t join banks n on n.id = t.bank_id
    where t.closed_on is null and t.deleted_at is null
      and (${query.division ?? null}::text is null or t.division = ${query.division ?? null})
      and (${query.currency ?? null}::text is null or t.currency = ${query.currency ?? null})
    order by t.is_default desc, t.name collate "und-x-icu", t.id limit 200`) }),
  async create(ctx, { body }) {
    const id = await openAccount(ctx, body);
    const data = await findAccount(ctx, id);
    await ctx.audit({ action: 'create', entity: 'bank_account', entity_id: id, after: data });
    return { data };
  },
  update: (ctx, { params, body }) => changeAccount(ctx, params.id, body),
  async remove(ctx, { params }) {
    const row = await findAccount(ctx, params.id, true);
    if (row.is_used) throw refuse('in_use', `${row.name} has postings or payments. Close it instead.`);
    await asLedgerCall(accounts.remove(ctx, { params }));
  },
  async restore(ctx, { params }) {
    const row = await findAccount(ctx, params.id, true, true);
    await liveBank(ctx, row.bank_id);
    return asLedgerCall(accounts.restore(ctx, { params }));
  },
  number: (ctx, { params, body }) => writeNumber(ctx, params.id, body),
  close: (ctx, { params, body }) => closeAccount(ctx, params.id, body.version),
  async reopen(ctx, { params, body }) {
    const row = await findAccount(ctx, params.id, true);
    if (row.closed_on === null) throw conflict('bank_account.open', `${row.name} is open.`);
    return change(ctx, row, { version: body.version, action: 'reopen' }, sql`closed_on = null`);
  },
  entry: (ctx, { params, body }) => recordEntry(ctx, params.id, body),
});
