/** Returns of VAT and of sales tax that wait for a second person. */
import { everyDivision, waitingRows } from '#server/approval-source.ts';
import { sql, type Sql } from '#server/sql.ts';
import { jurisdictionNameOf } from '../jurisdiction-sql.server.ts';

/** 'April 2026 to June 2026' where the days are whole months; other days as they are. */
const PERIOD_WORDS = sql`case
  when extract(day from t.period_from) = 1 and extract(day from t.period_to + 1) = 1
    then month_words(t.period_from) || case when date_trunc('month', t.period_from) = date_trunc('month', t.period_to)
      then '' else ' to ' || month_words(t.period_to) end
  else to_char(t.period_from, 'FMMonth FMDD, YYYY') || ' to ' || to_char(t.period_to, 'FMMonth FMDD, YYYY') end`;

export const waitingTaxReturns = (): Sql => waitingRows('tax_return', {
  from: sql`from tax_returns t join divisions d on d.code = t.division
    where t.division = any (${everyDivision}) and t.status = 'prepared'`,
  entity_id: sql`t.id`, division: sql`t.division`,
  title: sql`case when t.state is null then 'VAT return of ' || t.division
    else ${jurisdictionNameOf(sql`t.state`)} || ' sales tax return of ' || t.division end || ', '
    || ${PERIOD_WORDS}`,
  detail: sql`to_char(t.period_from, 'Mon FMDD, YYYY') || ' to ' || to_char(t.period_to, 'Mon FMDD, YYYY')
    || case when t.net_minor < 0 then ' · to be reclaimed' else '' end`,
  currency: sql`d.functional_currency`, amount_minor: sql`abs(t.net_minor)`, asked_by_id: sql`t.prepared_by_id`,
  asked_at: sql`t.prepared_at`,
  href: sql`'/admin/finance/taxes-vat/' || case when t.state is null then 'uk-vat' else 'us-sales-use-tax' end
    || '?division=' || t.division || coalesce('&state=' || right(t.state, 2), '') || '&from=' || t.period_from || '&to='
    || t.period_to`,
  blocked: sql`case when t.division = 'UK' and exists (select 1 from hmrc_connections c
    where c.division = t.division and c.state = 'connected') then 'File it on its page: it is sent to HMRC' end`,
  params: sql`jsonb_build_object('id', t.id)`, approve_body: sql`jsonb_build_object('version', t.version)`,
  decline_body: sql`jsonb_build_object('version', t.version)`,
});
