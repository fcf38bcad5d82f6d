/** X206, X207: the divisions. Currency, time zone and fiscal year are fixed: books rest on them. */
import { invalid, invalidField, refuse } from '#kit/errors.ts';
import type { BodyOf } from '#kit/endpoint.ts';
import { COUNTRIES } from '#modules/reference/places/place.contract.ts';
import { abaHolds, bicHolds, ibanHolds, plainNumber } from '#kernel/receivables/bank-numbers.ts';
import type { Ctx } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import { sql } from '#server/sql.ts';
import type { DivisionRow, systemEndpoints } from './system.contract.ts';

export function listDivisions(ctx: Ctx, code: string | null = null): Promise<DivisionRow[]> {
  return ctx.db.query<DivisionRow>(sql`
    select d.code, d.name, d.legal_entity_name, d.functional_currency, d.home_country, d.timezone, d.address,
      d.fiscal_year_start_month, d.short_pay_tolerance_minor, d.version, d.updated_at,
      (select count(*) from periods p where p.division = d.code and p.state = 'open') as open_periods,
      coalesce((select json_agg(json_build_object('jurisdiction', r.jurisdiction, 'scheme', r.scheme,
        'number', r.number) order by r.jurisdiction, r.scheme) from tax_registrations r
        where r.division = d.code and (r.valid_to is null or r.valid_to >= current_date)), '[]') as tax_registrations,
      case when d.payee is not null then json_build_object('payee', d.payee, 'bank_name', d.payee_bank,
        'iban', d.payee_iban, 'bic', d.payee_bic, 'account_number', d.payee_account,
        'routing_number', d.payee_routing) end as payment_details,
      d.auto_offers, d.auto_offer_total_minor, d.auto_offer_performances, d.auto_offer_capacity,
      d.auto_offer_days_ahead, d.return_gross_limit_ppm, d.return_attendance_limit_ppm,
      d.statutory_interest_ppm_per_year, d.vat_period_months,
      d.signatory_name, d.signatory_title, d.representative_id,
      (select u.first_name || ' ' || u.last_name from users u where u.id = d.representative_id) as representative_name
    from divisions d where ${code}::text is null or d.code = ${code}
    order by array_position(array['US', 'EU', 'UK', 'PROD'], d.code)`);
}

async function heldDivision(ctx: Ctx, code: string, version: number): Promise<DivisionRow> {
  const held = await ctx.db.maybeOne(sql`select 1 from divisions where code = ${code} for update`);
  const [before] = await listDivisions(ctx, code);
  if (!held || !before) throw refuse('not_found');
  if (before.version !== version) throw stale({ ...before });
  return before;
}

async function refuseNoStaff(ctx: Ctx, userId: number): Promise<void> {
  const found = await ctx.db.maybeOne(sql`select 1 from users where id = ${userId} and disabled_at is null
    and role in ('staff_admin', 'staff_user', 'system_admin')`);
  if (!found) throw invalidField('representative_id', 'Choose a member of staff');
}

export async function changeDivision(
  ctx: Ctx, code: string, { version, ...change }: BodyOf<typeof systemEndpoints.updateDivision>,
): Promise<DivisionRow> {
  const before = await heldDivision(ctx, code, version);
  if (change.home_country && !COUNTRIES.some((one) => one.code === change.home_country)) {
    throw invalidField('home_country', 'Choose the country');
  }
  const next = { ...before, ...change };
  if (change.representative_id) await refuseNoStaff(ctx, change.representative_id);
  if (next.auto_offers && next.auto_offer_total_minor === null) {
    throw invalidField('auto_offer_total_minor', 'Enter the largest total of an automatic offer');
  }
  await ctx.db.exec(sql`
    update divisions set name = ${next.name}, legal_entity_name = ${next.legal_entity_name},
      signatory_name = ${next.signatory_name}, signatory_title = ${next.signatory_title},
      representative_id = ${next.representative_id},
      home_country = ${next.home_country}, address = ${JSON.stringify(next.address)},
      auto_offers = ${next.auto_offers}, auto_offer_total_minor = ${next.auto_offer_total_minor},
      auto_offer_performances = ${next.auto_offer_performances}, auto_offer_capacity = ${next.auto_offer_capacity},
      auto_offer_days_ahead = ${next.auto_offer_days_ahead}, return_gross_limit_ppm = ${next.return_gross_limit_ppm},
      return_attendance_limit_ppm = ${next.return_attendance_limit_ppm},
      statutory_interest_ppm_per_year = ${next.statutory_interest_ppm_per_year},
      vat_period_months = ${next.vat_period_months}, version = version + 1
    where code = ${code}`);
  const [after] = await listDivisions(ctx, code);
  await ctx.audit({ action: 'update', entity: 'division', entity_id: null, before, after });
  return after!;
}

type Details = Omit<BodyOf<typeof systemEndpoints.paymentDetails>, 'version'>;

/** One wrong digit sends a customer's money to somebody else: every number is checked by its own arithmetic. */
function detailProblems(details: Details, country: string): Record<string, string[]> {
  const { payee, iban, bic, account_number: account, routing_number: routing } = details;
  const set = iban !== null || account !== null;
  const problems: [string, string | false | null][] = [
    ['payee', set && payee === null && 'The holder of the account is required'],
    ['iban', !set && (payee ?? bic ?? routing ?? details.bank_name) !== null
      && 'An IBAN or account number is required'],
    ['iban', iban !== null && !ibanHolds(iban) && 'This is no IBAN: a digit is wrong or missing'],
    ['bic', bic !== null && !bicHolds(bic) && 'A BIC has 8 or 11 letters and digits'],
    ['account_number', account !== null && !/^[A-Z0-9]{4,34}$/.test(account) && 'Enter 4 to 34 letters and digits'],
    ['routing_number', routing !== null && !/^\d{6,9}$/.test(routing) && 'Enter 6 to 9 digits'],
    ['routing_number', country === 'US' && account !== null && !abaHolds(routing ?? '')
      && 'A routing number has nine digits; one of these is wrong or missing'],
    ['routing_number', country === 'GB' && account !== null && !/^\d{6}$/.test(routing ?? '')
      && 'A sort code has six digits'],
  ];
  return Object.fromEntries(problems.flatMap(([field, text]) => (text ? [[field, [text]]] : [])));
}

const plain = (text: string | null): string | null => (text === null ? null : plainNumber(text) || null);

/** The account that invoices and the portal name from now on; invoices that were issued keep theirs. */
export async function changePaymentDetails(
  ctx: Ctx, code: string, { version, ...input }: BodyOf<typeof systemEndpoints.paymentDetails>,
): Promise<DivisionRow> {
  const before = await heldDivision(ctx, code, version);
  const details = { ...input, iban: plain(input.iban), bic: plain(input.bic), account_number:
    plain(input.account_number), routing_number: plain(input.routing_number) };
  const problems = detailProblems(details, before.home_country);
  if (Object.keys(problems).length > 0) throw invalid(problems);
  await ctx.db.exec(sql`
    update divisions set payee = ${details.payee}, payee_bank = ${details.bank_name}, payee_iban = ${details.iban},
      payee_bic = ${details.bic}, payee_account = ${details.account_number}, payee_routing = ${details.routing_number},
      version = version + 1 where code = ${code}`);
  const [after] = await listDivisions(ctx, code);
  await ctx.audit({ action: 'change_payment_details', entity: 'division', entity_id: null,
    before: before.payment_details ?? {}, after: after!.payment_details ?? {} });
  return after!;
}
