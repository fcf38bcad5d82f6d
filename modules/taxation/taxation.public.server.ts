/** Public interface of taxation for other contexts: tax of lines, authority a tax is owed to, business days. */
import { businessDaysAfter } from '#kernel/calendar/calendar.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';

export { homeRate } from './tax-codes/home-rate.server.ts';
export { placeOf as taxPlaceOf } from './determination/determine-tax.server.ts';
export { vatStanding, type VatProfile } from './determination/vat-standing.server.ts';
export { addLocalRate, rememberLocalRate } from './local-tax-rates/local-tax-rate.server.ts';
export { taxAuthority } from './tax-authority.server.ts';
export { REPORT_TO_TAX_SERVICE } from './tax-service/report-state.server.ts';
export { markTaxChecked, copyTaxSource, determineByService, keepTaxSource, taxSourceOf }
  from './tax-service/determine-by-service.server.ts';
export { reportToTaxService } from './tax-service/report-waiting.server.ts';
export { taxServiceTasks } from './tax-service/tax-service-tasks.server.ts';
export { proveVatNumber, proveVatNumbers } from './vat-registers/check-number.server.ts';
export { keepVatProofs, markProofChecked, refuseRefusedNumber, vatProofOf }
  from './vat-registers/document-proof.server.ts';
export { recheckVatNumbers, RECHECK_VAT_NUMBERS, vatNumberTasks } from './vat-registers/vat-number-tasks.server.ts';
export { exemptionsOf } from './exemption-certificates/exemption-certificate.server.ts';
export { moveCertificates } from './exemption-certificates/move-to-customer.server.ts';
export { waitingCertificates } from './exemption-certificates/own-certificate.server.ts';
export { waitingTaxReturns } from './returns/waiting-returns.server.ts';
export { waitingYearEndFilings } from './year-end/waiting-filings.server.ts';
export { returnToPay } from './sales-tax/file-sales-tax.server.ts';
export { salesTaxReport } from './sales-tax/sales-tax-report.server.ts';
export { openPeriods } from './sales-tax/sales-tax-return.server.ts';
export { vatPeriodLeft } from './returns/vat-periods.server.ts';
export { remindOfSalesTax, salesTaxTasks } from './sales-tax/sales-tax-tasks.server.ts';
export { remindOfVat, vatReturnTasks } from './returns/vat-return-tasks.server.ts';
export { stateName } from './sales-tax/state-name.ts';
export { loadTaxTables } from './determination/tax-tables.server.ts';
export { determineTax, type DetermineTaxInput, type TaxedLine, type TaxedPart }
  from './determination/determine-tax.server.ts';

/**
 * Numbers of the verified exemption certificates of a customer that are valid on a day in a country or one of its
 * states ("US", "US-OH").
 */
export async function exemptionNumbers(
  ctx: Pick<WorkContext, 'db'>, customerId: number, jurisdictions: readonly string[], on: string,
): Promise<string[]> {
  const rows = await ctx.db.query<{ number: string }>(sql`
    select number from tax_exemption_certificates where customer_id = ${customerId} and status = 'verified'
      and country || coalesce('-' || state, '') = any(${[...jurisdictions]}::text[]) and valid_from <= ${on}
      and (expires_on is null or expires_on >= ${on}) order by id`);
  return rows.map((row) => row.number);
}

/** The n-th business day of a division after a date (domain.md 2.12). */
export async function businessDayAfter(
  ctx: Pick<WorkContext, 'db'>, division: string, date: string, days: number,
): Promise<string> {
  return businessDaysAfter(date, days, await holidaysOf(ctx, division, date));
}

/** Public holidays that are entered for a division, after a day. */
export async function holidaysOf(ctx: Pick<WorkContext, 'db'>, division: string, after: string): Promise<string[]> {
  const rows = await ctx.db.query<{ on_date: string }>(sql`
    select on_date from holidays where division = ${division} and on_date > ${after} order by on_date`);
  return rows.map((row) => row.on_date);
}

/**
 * Rate that a purchase is taxed at on a day, in parts per million: of the code itself, for a code that has no rates of
 * its own (reverse charge, use tax) of the standard or sales tax code of its division. Null where no rate is entered.
 */
export async function purchaseRate(
  ctx: Pick<WorkContext, 'db'>, of: { tax_code_id: number; jurisdiction: string; on: string },
): Promise<number | null> {
  const row = await ctx.db.maybeOne<{ rate_ppm: number }>(sql`
    select r.rate_ppm from tax_codes c
      join tax_codes o on o.division = c.division and o.code = case c.kind when 'reverse_charge' then 'STANDARD'
        when 'use_tax' then 'SALES' else c.code end
      join tax_rates r on r.tax_code_id = o.id and r.jurisdiction = ${of.jurisdiction} and r.valid_from <= ${of.on}
        and (r.valid_to is null or r.valid_to >= ${of.on})
    where c.id = ${of.tax_code_id} order by r.valid_from desc limit 1`);
  return row?.rate_ppm ?? null;
}
