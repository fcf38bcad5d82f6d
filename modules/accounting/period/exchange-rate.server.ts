/** Exchange rates: by table, by hand, from the file of the ECB. A known rate is never overwritten silently. */
import { parse } from 'csv-parse/sync';
import { dateFromText } from '#kernel/calendar/date-text.ts';
import { foldName } from '#kernel/text/fold.ts';
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import type { Ctx, WorkContext } from '#server/context.ts';
import { compact, listPage } from '#server/list.ts';
import { serve, type Route } from '#server/routes.ts';
import { plainNumber, sql, startingWith, type Sql } from '#server/sql.ts';
import { exchangeRateEndpoints } from './period.contract.ts';

interface Rate { id: number; base: string; quote: string; on_date: string; rate: string; source: string; kind: string;
  used: boolean }

/** A posting or document of the day or later may stand at it, up to the next rate of the pair. */
const USED = sql`(exists (select 1 from invoices i where i.currency in (t.base, t.quote)
    and i.functional_rate_on = t.on_date) or exists (select 1 from payments p where p.currency in (t.base, t.quote)
    and p.functional_rate_on = t.on_date) or exists (select 1 from journal_entries e
    where e.fx_rate is not null and e.currency in (t.base, t.quote) and e.transaction_at >= t.on_date
      and e.transaction_at < coalesce((select min(n.on_date) from exchange_rates n where n.base = t.base
        and n.quote = t.quote and n.on_date > t.on_date), '2999-12-31')))`;
const COLUMNS = sql`t.id, t.base, t.quote, t.on_date, trim_scale(t.rate)::text as rate, t.source, t.kind,
  ${USED} as used`;
const CURRENCIES = ['USD', 'GBP'] as const;

export interface EcbRow { on_date: string; quote: string; rate: string }

const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** '1.08' is no January 8. */
const A_RATE = /^\d+\.\d*$/;
const NUMBER = /^\d{1,9}(\.\d{1,10})?$/;

/**
 * The rows of an ECB file that concern us: EUR to USD and GBP. Reads the published history (Date, USD, JPY …, newest
 * first, a trailing comma, N/A for dead currencies). Throws at the field where it is no such file.
 */
export function readEcbFile(text: string): EcbRow[] {
  let rows: Record<string, string>[];
  try {
    rows = parse(text, { columns: true, trim: true, bom: true, relax_column_count: true, skip_empty_lines: true });
  } catch {
    throw invalidField('file', 'This file cannot be read as CSV');
  }
  const [first] = rows;
  if (!first || !('Date' in first) || !CURRENCIES.some((code) => code in first)) {
    throw invalidField('file', 'This is not the rate file of the ECB: it has no columns Date, USD and GBP');
  }
  return rows.flatMap((row, index) => {
    const on_date = row.Date ?? '';
    if (!DAY.test(on_date)) throw invalidField('file', `Row ${index + 2}: "${on_date}" is not a day (YYYY-MM-DD)`);
    return CURRENCIES.flatMap((quote) => {
      const rate = row[quote] ?? '';
      if (rate === '' || rate === 'N/A') return [];
      if (!NUMBER.test(rate)) throw invalidField('file', `Row ${index + 2}: "${rate}" is not a rate`);
      return [{ on_date, quote, rate }];
    });
  });
}

/** Adds what is new; answers what differs from a known rate instead of overwriting it. */
export async function addEcbRates(ctx: WorkContext, rows: readonly EcbRow[]) {
  const days = rows.map((row) => row.on_date), quotes = rows.map((row) => row.quote);
  const rates = rows.map((row) => row.rate);
  const differing = await ctx.db.query<{ on_date: string; quote: string; known: string; file: string }>(sql`
    select f.on_date::text as on_date, f.quote, trim_scale(r.rate)::text as known, trim_scale(f.rate)::text as file
    from unnest(${days}::date[], ${quotes}::text[], ${rates}::numeric[]) f(on_date, quote, rate)
    join exchange_rates r on r.base = 'EUR' and r.quote = f.quote and r.on_date = f.on_date and r.source = 'ecb'
      and r.kind = 'daily' where r.rate <> f.rate order by f.on_date limit 100`);
  const added = await ctx.db.exec(sql`
    insert into exchange_rates (base, quote, on_date, rate, source, created_by)
    select 'EUR', f.quote, f.on_date, f.rate, 'ecb', ${ctx.actor.actor_id}
    from unnest(${days}::date[], ${quotes}::text[], ${rates}::numeric[]) f(on_date, quote, rate)
    on conflict (kind, base, quote, on_date, source) do nothing`);
  return { added, known: rows.length - added, differing };
}

/**
 * A whole day finds what is used on it: of each pair the last rate published on or before it, by hand before a file
 * (domain.md, exchange rates; `rate_on` chooses alike). Else every word has to be found: a currency, a year, a month
 * or a day of the list ('2026-05', 'may'), the beginning of a rate.
 */
function searched(search: string, today: string): Sql[] {
  const day = A_RATE.test(search) ? undefined : dateFromText(search, today);
  if (day) {
    return [sql`t.id in (select distinct on (u.kind, u.base, u.quote) u.id from exchange_rates u
      where u.on_date <= ${day}
      order by u.kind, u.base, u.quote, u.on_date desc, u.source = 'manual' desc, u.source)`];
  }
  return search.split(/[\s,→]+/).filter(Boolean).map((word) => {
    const start = startingWith(plainNumber(word));
    const name = startingWith(foldName(word));
    return sql`(t.base ilike ${name} or t.quote ilike ${name} or to_char(t.on_date, 'YYYY-MM-DD') like ${start}
      or to_char(t.on_date, 'FMMonth') ilike ${name} or extract(day from t.on_date)::text = ${word}
      or trim_scale(t.rate)::text like ${start} or t.source ilike ${name})`;
  });
}

export const exchangeRateRoutes: Route[] = serve(exchangeRateEndpoints, {
  async list(ctx, { query }) {
    const conditions = [...compact([
      query.base !== undefined && sql`t.base = ${query.base}`, query.on !== undefined && sql`t.on_date = ${query.on}`,
      query.quote !== undefined && sql`t.quote = ${query.quote}`,
      query.source !== undefined && sql`t.source = ${query.source}`,
    ]), ...searched(query.search ?? '', await ctx.today('US'))];
    return listPage<Rate>(ctx.db, { base: sql`exchange_rates t`, columns: COLUMNS, conditions,
      sorts: { on: sql`t.on_date` }, defaultSort: 'on', defaultDirection: 'desc' }, query,
    exchangeRateEndpoints.list.path);
  },
  async create(ctx: Ctx, { body }) {
    if (body.base === body.quote) throw invalidField('quote', 'Choose two currencies');
    if (Number(body.rate) === 0) throw invalidField('rate', 'A rate is more than zero');
    const row = await ctx.db.maybeOne<Rate>(sql`
      insert into exchange_rates as t (base, quote, on_date, rate, source, created_by)
      values (${body.base}, ${body.quote}, ${body.on}, ${body.rate}::numeric, 'manual', ${ctx.user.user_id})
      on conflict (kind, base, quote, on_date, source) do nothing returning ${COLUMNS}`);
    if (!row) throw invalidField('on', 'A rate was entered for this day already');
    await ctx.audit({ action: 'create', entity: 'exchange_rate', entity_id: row.id, after: row });
    return { data: row };
  },
  async remove(ctx, { params }) {
    const row = await ctx.db.maybeOne<Rate>(sql`
      select ${COLUMNS} from exchange_rates t where t.id = ${params.id} for update of t`);
    if (!row) throw refuse('not_found');
    if (row.used) {
      throw conflict('exchange_rate.in_use', 'Postings or documents were converted at this rate. It stays.');
    }
    await ctx.db.exec(sql`delete from exchange_rates where id = ${params.id}`);
    await ctx.audit({ action: 'remove', entity: 'exchange_rate', entity_id: params.id, before: row });
  },
  async import(ctx) {
    const result = await addEcbRates(ctx, readEcbFile(ctx.file!.content.toString('utf8')));
    await ctx.audit({ action: 'import', entity: 'exchange_rate', entity_id: null,
      after: { file: ctx.file!.filename, added: result.added, known: result.known } });
    return { data: result };
  },
});
