/** The movements of a vendor's account: one row per posting to its part of accounts payable. */
import type { QueryOf } from '#kit/endpoint.ts';
import { vendorAndMerged } from '#modules/operations/operations.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { compact, listPage } from '#server/list.ts';
import { mentions, type Sql, sql } from '#server/sql.ts';
import { VENDOR_MOVES, vendorAccountEndpoints, type VendorMove, type VendorMoveKind, type VendorSummary }
  from './vendor-account.contract.ts';

type Reader = Pick<WorkContext, 'db'>;
type Query = QueryOf<typeof vendorAccountEndpoints.transactions>;

/** A mirror takes the document of what it mirrors. Amounts above zero are owed to the vendor. */
const movesOf = (vendorId: number): Sql => sql`
  select e.transaction_id, e.division, e.currency, e.transaction_at as on,
    case when b.id is not null then case when t.reverses_id is not null then 'void' else b.kind end
      when p.id is not null then case when t.reverses_id is not null then 'returned'
        when k.id is not null then 'check' else 'payment' end
      else 'other' end as kind,
    coalesce(b.number, p.number, t.number, '') as number,
    coalesce(nullif(b.vendor_number, ''), k.check_number::text, '') as reference,
    case when t.reverses_id is null then b.due_on end as due_on, b.id as bill_id, k.id as check_id, p.id as payment_id,
    (-sum(e.amount_minor))::bigint as amount_minor
  from posted_entries e join ledger_accounts l on l.id = e.ledger_account_id and l.system_key = 'ap'
    join transactions t on t.id = e.transaction_id join transactions o on o.id = coalesce(t.reverses_id, t.id)
    left join bills b on o.source_type = 'bill' and b.id = o.source_id
    left join payments p on o.source_type = 'payment' and p.id = o.source_id
      or o.source_type = 'intercompany_entry' and p.transaction_id = o.id and p.direction = 'out'
    left join lateral (select c.id, c.check_number from checks c where c.payment_id = p.id
      order by c.id desc limit 1) k on true
  where e.party_type = 'vendor' and e.party_id in ${vendorAndMerged(vendorId)} and not e.is_revaluation
    and e.amount_minor <> 0
  group by e.transaction_id, e.division, e.currency, e.transaction_at, b.id, p.id, k.id, k.check_number,
    t.reverses_id, t.number`;

/** Balances are those of the whole account, whatever is filtered; the newest movement stands first. */
export async function vendorMoves(ctx: Reader, vendorId: number, query: Query) {
  const page = await listPage<VendorMove>(ctx.db, {
    base: sql`(select m.*, row_number() over (order by m.on, m.transaction_id, m.currency) as id,
        sum(m.amount_minor) over (partition by m.division, m.currency order by m.on, m.transaction_id)::bigint
          as balance_minor
      from (${movesOf(vendorId)}) m) t`,
    columns: sql`t.*`,
    conditions: compact([
      query.division !== undefined && sql`t.division = ${query.division}`,
      query.currency !== undefined && sql`t.currency = ${query.currency}`,
      query.kind !== undefined && sql`t.kind = ${query.kind}`,
      query.from !== undefined && sql`t.on >= ${query.from}`, query.to !== undefined && sql`t.on <= ${query.to}`,
      query.search !== undefined && sql`(${mentions(sql`t.number`, query.search)}
        or ${mentions(sql`t.reference`, query.search)})`,
    ]),
    sorts: { on: sql`t.on` }, defaultSort: 'on', defaultDirection: 'desc',
  }, query, vendorAccountEndpoints.transactions.path.replace('{id}', String(vendorId)));
  return { ...page, accounts: await summaries(ctx, vendorId, query) };
}

type Sums = Pick<VendorSummary, 'division' | 'currency' | 'opening_minor' | 'closing_minor'>
  & { kinds: Partial<Record<VendorMoveKind, number>> };

async function summaries(ctx: Reader, vendorId: number, { from, to, division, currency }: Query):
Promise<VendorSummary[]> {
  const first = from ?? '0001-01-01';
  const last = to ?? '9999-12-31';
  const rows = await ctx.db.query<Sums>(sql`
    select m.division, m.currency,
      coalesce(sum(m.amount_minor) filter (where m.on < ${first}), 0)::bigint as opening_minor,
      coalesce(sum(m.amount_minor) filter (where m.on <= ${last}), 0)::bigint as closing_minor,
      coalesce((select jsonb_object_agg(s.kind, s.minor) from (
        select x.kind, sum(x.amount_minor) as minor from (${movesOf(vendorId)}) x
        where x.division = m.division and x.currency = m.currency and x.on between ${first} and ${last}
        group by x.kind) s), '{}') as kinds
    from (${movesOf(vendorId)}) m
    where (${division ?? null}::text is null or m.division = ${division ?? null})
      and (${currency ?? null}::text is null or m.currency = ${currency ?? null})
    group by m.division, m.currency order by m.division, m.currency`);
  return rows.map(({ kinds, ...row }) => ({ ...row, ...Object.fromEntries(VENDOR_MOVES.map((kind) =>
    [`${kind}_minor`, kinds[kind] ?? 0])) }) as VendorSummary);
}
