/** Returns of VAT and of sales tax that wait for a second person. */
import { everyDivision, waitingRows } from '#server/approval-source.ts';
import { sql, type Sql } from '#server/sql.ts';

export const waitingTaxReturns = (): Sql => waitingRows('tax_return', {
  from: sql`from tax_returns t join divisions d on d.code = t.division
    where t.division = any (${everyDivision}) and t.status = 'prepared'`,
  entity_id: sql`t.id`, division: sql`t.division`,
  title: sql`case when t.state is null then 'VAT return of ' || t.division
    else 'Sales tax return of ' || right(t.state, 2) end`,
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
