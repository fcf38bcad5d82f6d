/** Year-end forms that wait for a second person. */
import { everyDivision, waitingRows } from '#server/approval-source.ts';
import { sql, type Sql } from '#server/sql.ts';

export const waitingYearEndFilings = (): Sql => waitingRows('year_end_filing', {
  from: sql`from year_end_filings t where t.division = any (${everyDivision}) and t.status = 'prepared'`,
  entity_id: sql`t.id`, division: sql`t.division`,
  title: sql`case t.form when '1099_nec' then '1099-NEC' when '1099_misc' then '1099-MISC' when '1042_s' then '1042-S'
    else 'Royalties paid' end || ' ' || t.tax_year || ' of ' || t.division`,
  detail: sql`(select count(*) from year_end_forms o where o.filing_id = t.id) || ' forms'
    || case when t.sequence > 0 then ' · corrections' else '' end`,
  asked_by_id: sql`t.prepared_by_id`, asked_at: sql`t.prepared_at`,
  href: sql`'/admin/finance/taxes-vat/year-end-forms?division=' || t.division || '&year=' || t.tax_year || '&form='
    || t.form`,
  params: sql`jsonb_build_object('id', t.id)`, approve_body: sql`jsonb_build_object('version', t.version)`,
  decline_body: sql`jsonb_build_object('version', t.version)`,
});
