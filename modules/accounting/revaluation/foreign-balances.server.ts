/** Foreign balances of a division at a month's end, with the rate of the day and the documents that are open. */
import type { IsoDate } from '#kernel/calendar/calendar.ts';
import { FUNCTIONAL_CURRENCY, type Party, type PartyType } from '#kernel/ledger/journal.ts';
import { gainOf, gainsOfItems, isRateOf } from '#kernel/ledger/revaluation.ts';
import type { Division } from '#kernel/money/division.ts';
import type { Currency } from '#kernel/money/money.ts';
import type { Queryable } from '#server/db.ts';
import { sql, type Sql } from '#server/sql.ts';
import { rateOn } from '../ledger/series.server.ts';
import type { RevaluationItem, RevaluationLine, RevaluationPreview } from './revaluation.contract.ts';

/** Name of the party in columns `party_type` and `party_id` of the alias, which is none of a table's below. */
export const partyName = (of: Sql): Sql => sql`case ${of}.party_type
    when 'customer' then (select c1.name from customers c1 where c1.id = ${of}.party_id)
    when 'vendor' then (select v1.name from vendors v1 where v1.id = ${of}.party_id)
    when 'royaltor' then (select r1.name from royaltors r1 where r1.id = ${of}.party_id)
    when 'tax_authority' then (select t1.name from tax_authorities t1 where t1.id = ${of}.party_id)
    when 'staff' then (select u1.first_name || ' ' || u1.last_name from users u1 where u1.id = ${of}.party_id)
    when 'division' then (select d1.name from divisions d1 where d1.id = ${of}.party_id) end`;

type Balance = Omit<RevaluationLine, 'rate' | 'rate_on' | 'gain_minor'>;

/**
 * By account, currency and party; of whole periods, since a month’s end is the end of one. Taxes are owed in functional
 * currency from their tax point on (domain.md 2.12) and are left out.
 */
export const foreignBalances = (division: Sql, on: Sql): Sql => sql`
  select a.id as ledger_account_id, a.code as account, a.name as account_name, b.currency, b.party_type, b.party_id,
    sum(b.debit_minor - b.credit_minor)::bigint as balance_minor,
    sum(b.base_debit_minor - b.base_credit_minor)::bigint as carried_minor
  from ledger_accounts a join divisions d on d.code = a.division
    join lateral (
      select currency, period, null::text as party_type, null::bigint as party_id, debit_minor, credit_minor,
        base_debit_minor, base_credit_minor from ledger_balances l
      where l.ledger_account_id = a.id and a.party_types is null
      union all
      select currency, period, party_type, party_id, debit_minor, credit_minor, base_debit_minor, base_credit_minor
      from party_balances l where l.ledger_account_id = a.id and a.party_types is not null) b on true
    join periods p on p.division = a.division and p.period = b.period and p.ends <= ${on}::date
  where a.division = ${division} and a.is_monetary and not a.is_tax and b.currency <> d.functional_currency
  group by a.id, b.currency, b.party_type, b.party_id
  having sum(b.debit_minor - b.credit_minor) <> 0 or sum(b.base_debit_minor - b.base_credit_minor) <> 0`;

interface Rate { rate: string; on_date: string }

/** Gain of each balance; currencies without a rate of the day are listed separately. */
export async function revaluedBalances(db: Queryable, division: Division, on: IsoDate):
Promise<Pick<RevaluationPreview, 'lines' | 'missing'>> {
  const balances = await db.query<Balance>(sql`
    select b.*, ${partyName(sql`b`)} as party_name from (${foreignBalances(sql`${division}`, sql`${on}`)}) b
    order by b.account, b.currency, b.party_type, b.party_id`);
  const own = FUNCTIONAL_CURRENCY[division];
  const rates = new Map<Currency, Rate | null>();
  for (const currency of new Set(balances.map((row) => row.currency))) {
    rates.set(currency, await rateOn(db, currency, own, on));
  }
  const ofDay = (currency: Currency): Rate | null => {
    const found = rates.get(currency) ?? null;
    return found !== null && isRateOf(on, found.on_date) ? found : null;
  };
  const lines = balances.flatMap((row): RevaluationLine[] => {
    const found = ofDay(row.currency);
    if (found === null) return [];
    const gain = gainOf({ balance: BigInt(row.balance_minor), carried: BigInt(row.carried_minor) }, found.rate);
    return [{ ...row, rate: found.rate, rate_on: found.on_date, gain_minor: Number(gain) }];
  });
  const missing = [...rates].filter(([currency]) => ofDay(currency) === null)
    .map(([currency, found]) => ({ currency, last_on: found?.on_date ?? null }));
  return { lines, missing };
}

export const partyOf = (row: Pick<RevaluationLine, 'party_type' | 'party_id'>): Party | null =>
  (row.party_type === null || row.party_id === null ? null
    : { type: row.party_type as PartyType, id: row.party_id });

/** Documents that are handed out; the rest are counted. */
const ITEMS = 500;
type Item = Omit<RevaluationItem, 'gain_minor'> & Pick<RevaluationLine, 'ledger_account_id' | 'party_type'
  | 'party_id'>;

/** Documents that were open at the end of the day, as it is applied by then, with their part of the gain. */
export async function revaluedItems(db: Queryable, of: { division: Division; on: IsoDate;
  lines: readonly RevaluationLine[] }): Promise<Pick<RevaluationPreview, 'items' | 'more_items'>> {
  const items = await db.query<Item>(sql`
    with applied as (
      select x.item, sum(x.amount) as amount, sum(x.base) as base from (
        select l.debit_item_id as item, l.amount_minor as amount, l.debit_base_minor as base from allocations l
          where l.allocated_at <= ${of.on}
        union all
        select l.credit_item_id, -l.amount_minor, -l.credit_base_minor from allocations l
          where l.allocated_at <= ${of.on}) x
      where x.item in (select i.id from open_items i join divisions d on d.code = i.division
        where i.division = ${of.division} and i.currency <> d.functional_currency and i.opened_on <= ${of.on})
      group by x.item)
    select i.id as open_item_id, i.transaction_id, i.ledger_account_id, a.code as account, i.party_type, i.party_id,
      ${partyName(sql`i`)} as party_name,
      (select n.number from ledger_document(i.document_type, i.document_id) n limit 1) as document, i.currency,
      i.opened_on, (i.original_minor - coalesce(x.amount, 0))::bigint as open_minor,
      (i.original_base_minor - coalesce(x.base, 0))::bigint as carried_minor
    from open_items i join divisions d on d.code = i.division join ledger_accounts a on a.id = i.ledger_account_id
      left join applied x on x.item = i.id
    where i.division = ${of.division} and i.currency <> d.functional_currency and i.opened_on <= ${of.on}
      and a.is_monetary and not a.is_tax and i.original_minor <> coalesce(x.amount, 0)
    order by a.code, i.currency, i.party_type, i.party_id, i.opened_on, i.id`);
  const key = (row: Pick<Item, 'ledger_account_id' | 'currency' | 'party_type' | 'party_id'>): string =>
    [row.ledger_account_id, row.currency, row.party_type, row.party_id].join(' ');
  const groups = Map.groupBy(items, key);
  const gained = of.lines.flatMap((line) => {
    const group = groups.get(key(line)) ?? [];
    const gains = gainsOfItems(BigInt(line.gain_minor), group.map((item) => ({ open: BigInt(item.open_minor),
      carried: BigInt(item.carried_minor) })), line.rate);
    return group.map(({ ledger_account_id: _account, party_type: _type, party_id: _party, ...item }, at) =>
      ({ ...item, gain_minor: Number(gains[at]!) }));
  });
  return { items: gained.slice(0, ITEMS), more_items: Math.max(0, gained.length - ITEMS) };
}
