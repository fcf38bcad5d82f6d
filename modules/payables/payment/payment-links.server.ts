/** Ledger transactions of a payment: its own, and journals written by hand that a person links to it. */
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import type { ListArgs } from '#kit/endpoint.ts';
import type { PaymentTransaction } from '#modules/receivables/payments/payment.contract.ts';
import type { Ctx, WorkContext } from '#server/context.ts';
import { compact, listPage, type ListSpec, type Page } from '#server/list.ts';
import { mentions, sql, type Sql } from '#server/sql.ts';

const COLUMNS = sql`t.id, t.number, k.name as kind_name, t.transaction_at, t.description, t.status, t.currency,
  t.total_minor, l.payment_id is not null as is_linked, concat_ws(' ', u.first_name, u.last_name) as linked_by_name,
  l.created_at as linked_at`;
const joinsOf = (paymentId: number): Sql => sql`join transaction_kinds k on k.kind = t.kind
  left join payment_transactions l on l.transaction_id = t.id and l.payment_id = ${paymentId}
  left join users u on u.id = l.created_by_id`;
/** Transactions the payment posted, with their reversals, and those linked to it. */
const isOf = (paymentId: number): Sql => sql`t.id in (
  select transaction_id from payment_transactions where payment_id = ${paymentId}
  union select id from transactions where source_type = 'payment' and source_id = ${paymentId}
  union select r.id from transactions r join transactions o on o.id = r.reverses_id
    where o.source_type = 'payment' and o.source_id = ${paymentId}
  union select unnest(array[p.transaction_id, p.reversal_transaction_id]) from payments p where p.id = ${paymentId})`;

export function transactionsOf(ctx: Pick<WorkContext, 'db'>, paymentId: number): Promise<PaymentTransaction[]> {
  return ctx.db.query<PaymentTransaction>(sql`
    select ${COLUMNS} from transactions t ${joinsOf(paymentId)} where ${isOf(paymentId)}
    order by t.transaction_at, t.id`);
}

interface Linkable { division: string; ledger_account_id: number; party_type: string; party_id: number }

async function paymentOf(ctx: WorkContext, id: number): Promise<Linkable> {
  const row = await ctx.db.maybeOne<Linkable>(sql`
    select division, ledger_account_id, party_type, party_id from payments where id = ${id} and deleted_at is null`);
  if (!row) throw refuse('not_found');
  return row;
}

const SPEC: Pick<ListSpec, 'base' | 'columns' | 'sorts' | 'defaultSort' | 'defaultDirection'> = {
  base: sql`transactions t`, columns: COLUMNS, sorts: { transaction_at: sql`t.transaction_at` },
  defaultSort: 'transaction_at', defaultDirection: 'desc' };
type Query = ListArgs & { search?: string | undefined };
const found = (query: Query): Sql | false => Boolean(query.search)
  && mentions(sql`concat_ws(' ', t.number, t.description)`, query.search ?? '');

export async function transactionPage(ctx: Ctx, id: number, query: Query, path: string):
Promise<Page<PaymentTransaction>> {
  await paymentOf(ctx, id);
  return listPage<PaymentTransaction>(ctx.db, { ...SPEC, joins: joinsOf(id),
    conditions: compact([isOf(id), found(query)]) }, query, path);
}

/** Journals by hand that stand, of the division, on the account or the party of the payment, linked nowhere. */
export async function candidatePage(ctx: Ctx, id: number, query: Query, path: string):
Promise<Page<PaymentTransaction>> {
  const payment = await paymentOf(ctx, id);
  return listPage<PaymentTransaction>(ctx.db, { ...SPEC, joins: joinsOf(id), conditions: compact([
    sql`t.division = ${payment.division}`, sql`t.status = 'posted'`, sql`t.source_id is null`,
    sql`t.reverses_id is null`, sql`not exists (select 1 from payment_transactions o where o.transaction_id = t.id)`,
    sql`exists (select 1 from journal_entries e where e.transaction_id = t.id
      and (e.ledger_account_id = ${payment.ledger_account_id}
        or (e.party_type = ${payment.party_type} and e.party_id = ${payment.party_id})))`,
    found(query)]) }, query, path);
}

interface Journal { id: number; number: string | null; division: string; status: string; by_hand: boolean;
  is_reversal: boolean; concerns: boolean; linked_to: number | null; linked_number: string | null }

/** Links journals; 422 at `transaction_ids` names why one cannot be linked, 409 where another payment has it. */
export async function linkTransactions(ctx: WorkContext, id: number, ids: readonly number[]): Promise<void> {
  const payment = await paymentOf(ctx, id);
  const wanted = [...new Set(ids)];
  const rows = new Map((await ctx.db.query<Journal>(sql`
    select t.id, t.number, t.division, t.status, t.source_id is null as by_hand,
      t.reverses_id is not null as is_reversal,
      exists (select 1 from journal_entries e where e.transaction_id = t.id
        and (e.ledger_account_id = ${payment.ledger_account_id}
          or (e.party_type = ${payment.party_type} and e.party_id = ${payment.party_id}))) as concerns,
      l.payment_id as linked_to, p.number as linked_number
    from transactions t left join payment_transactions l on l.transaction_id = t.id
      left join payments p on p.id = l.payment_id
    where t.id = any (${wanted}::bigint[]) and t.deleted_at is null`)).map((row) => [row.id, row]));
  const fresh = wanted.filter((one) => refuseJournal(payment, rows.get(one), id));
  for (const one of fresh) {
    await ctx.db.exec(sql`insert into payment_transactions (payment_id, transaction_id, created_by_id, created_at)
      values (${id}, ${one}, ${ctx.actor.actor_id}, ${ctx.now().toISOString()})`);
  }
  if (fresh.length === 0) return;
  await ctx.audit({ action: 'link_transactions', entity: 'payment', entity_id: id, after: { transaction_ids: fresh } });
}

/** False where it is linked to this payment already. */
function refuseJournal(payment: Linkable, journal: Journal | undefined, id: number): boolean {
  const wrong = (text: string): never => { throw invalidField('transaction_ids', text); };
  if (!journal) return wrong('Choose a journal that exists');
  const name = `Journal ${journal.number ?? journal.id}`;
  if (journal.linked_to === id) return false;
  if (journal.linked_to !== null) {
    throw conflict('payment.transaction_linked', `${name} is linked to payment ${journal.linked_number}. `
      + 'Unlink it there first.', { payment_id: journal.linked_to });
  }
  if (journal.division !== payment.division) return wrong(`${name} is of division ${journal.division}`);
  if (!journal.by_hand) return wrong(`${name} belongs to the document that posted it`);
  if (journal.status === 'reversed' || journal.is_reversal) return wrong(`${name} is reversed`);
  if (journal.status !== 'posted') return wrong(`${name} is not posted`);
  if (!journal.concerns) return wrong(`${name} is on neither the bank account nor the party of this payment`);
  return true;
}

export async function unlinkTransaction(ctx: WorkContext, id: number, transactionId: number): Promise<void> {
  await paymentOf(ctx, id);
  const gone = await ctx.db.exec(sql`
    delete from payment_transactions where payment_id = ${id} and transaction_id = ${transactionId}`);
  if (gone === 0) throw refuse('not_found');
  await ctx.audit({ action: 'unlink_transaction', entity: 'payment', entity_id: id,
    before: { transaction_id: transactionId } });
}
