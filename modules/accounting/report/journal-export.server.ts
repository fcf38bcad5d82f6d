/**
 * The posted journal of a division as hledger reads it (accounting.md 6.2). One cursor in one repeatable-read
 * transaction, so that a journal of any length is one consistent moment and needs no memory. Drafts are left out;
 * `from` brings one opening entry; the code is the number of the journal or of its document, else the id; an account
 * is named `<class>:<code> <name>`. A foreign line is written as `amount CCY @@ base FUNC`, a line of exchange
 * difference (amount 0) as its base alone.
 */
import type { Division } from '#kernel/money/division.ts';
import type { Db } from '#server/db.ts';

const NEXT = 'fetch 500 from journal';

const DECIMAL_CTES = `
with d as (select code, functional_currency as f from divisions where code = $1),
 cur as (select code, exponent, power(10::numeric, exponent) as unit from currencies),
 acc as (
   select id, class || ':' || code || ' ' || btrim(regexp_replace(name, '[[:space:][:cntrl:]:;|()]+', ' ', 'g')) as nm
   from ledger_accounts where division = $1)`;

/** One posting line. amount in \`c\`, base in the functional currency; two lines where their signs differ. */
const LINE = `'    ' || nm || '  ' || case
    when c = f or amount = 0 then round(base / fu.unit, fu.exponent) || ' ' || f
    when sign(amount) = sign(base) or base = 0 then
      round(amount / cu.unit, cu.exponent) || ' ' || c || ' @@ ' || round(abs(base) / fu.unit, fu.exponent) || ' ' ||
        f
    else round(amount / cu.unit, cu.exponent) || ' ' || c || ' @@ ' || round(0 / fu.unit, fu.exponent) || ' ' || f
      || E'\\n    ' || nm || '  ' || round(base / fu.unit, fu.exponent) || ' ' || f
  end`;

const OPENING = `${DECIMAL_CTES}
select $2 || ' * (opening) opening balances' || E'\\n' || string_agg(${LINE}, E'\\n' order by nm, c) || E'\\n' as text
from (
  select acc.nm, e.currency as c, d.f, sum(e.amount_minor) as amount, sum(e.base_amount_minor) as base
  from journal_entries e join transactions t on t.id = e.transaction_id and t.status in ('posted', 'reversed')
    join acc on acc.id = e.ledger_account_id cross join d
  where e.division = $1 and e.transaction_at < $2::date group by 1, 2, 3
  having sum(e.amount_minor) <> 0 or sum(e.base_amount_minor) <> 0) o
  join cur cu on cu.code = o.c join cur fu on fu.code = o.f
having count(*) > 0`;

const TRANSACTIONS = `declare journal cursor for ${DECIMAL_CTES}
select t.transaction_at || ' * (' || coalesce(t.number, (select translate(d.number, '()', '')
    from ledger_document(t.source_type, t.source_id) d), t.id::text) || ') ' || t.kind
    || case when description = '' then '' else ' | '
    || btrim(regexp_replace(description, '[[:space:][:cntrl:];|]+', ' ', 'g')) end || E'\\n' || lines.text || E'\\n'
      as text
from transactions t, lateral (
  select string_agg(${LINE}, E'\\n' order by line_no) as text from (
    select acc.nm, e.currency as c, d.f, e.amount_minor::numeric as amount, e.base_amount_minor::numeric as base,
      e.line_no
    from journal_entries e join acc on acc.id = e.ledger_account_id cross join d where e.transaction_id = t.id) l
    join cur cu on cu.code = l.c join cur fu on fu.code = l.f) lines
where t.division = $1 and t.status in ('posted', 'reversed') and t.transaction_at >= $2::date and t.transaction_at <=
  $3::date
order by t.transaction_at, t.id`;

/** Text in pieces, in the order of date and id. `from` and `to` are days, both included. */
export async function* journalExport(
  db: Db, of: { division: Division; from?: string | undefined; to?: string | undefined },
): AsyncGenerator<string> {
  const client = await db.pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin isolation level repeatable read read only');
    await client.query('set local statement_timeout = 0');
    await client.query('set local idle_in_transaction_session_timeout = 0');
    const currencies = await client.query<{ text: string }>(`select string_agg('commodity 1000' ||
      case when exponent > 0 then '.' || repeat('0', exponent) else '.' end || ' ' || code, E'\\n' order by code) as
        text
      from currencies`);
    yield `; ${of.division}, journal in hledger's format\n${currencies.rows[0]!.text}\n\n`;
    if (of.from !== undefined) {
      const opening = await client.query<{ text: string }>(OPENING, [of.division, of.from]);
      if (opening.rows[0]) yield `${opening.rows[0].text}\n`;
    }
    await client.query(TRANSACTIONS, [of.division, of.from ?? '0001-01-01', of.to ?? '9999-12-31']);
    for (;;) {
      const batch = await client.query<{ text: string }>(NEXT);
      if (batch.rows.length === 0) break;
      yield batch.rows.map((row) => `${row.text}\n`).join('');
    }
  } catch (error) {
    broken = error as Error;
    throw error;
  } finally {
    await client.query('rollback').catch((fault: Error) => { broken = fault; });
    client.release(broken);
  }
}
