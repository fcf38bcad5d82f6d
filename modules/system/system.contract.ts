/** The system area: X204 to X215. For system administrators alone, but for the faults that browsers report. */
import * as z from 'zod';
import { VAT_PERIOD_MONTHS } from '#kernel/tax/vat-period.ts';
import { open, system } from '#kit/auth.ts';
import { all, endpoint, listQuery, pagedQuery, many, one } from '#kit/endpoint.ts';
import { address, currencyCode, divisionCode, id, isoDate, oneLine, positiveMinor, version } from '#kit/field.ts';

const base = '/api/admin/system';

export const STATES = ['ok', 'warn', 'fail'] as const;
const check = z.object({ key: z.string(), label: z.string(), state: z.enum(STATES), text: z.string() });
export type HealthCheck = z.infer<typeof check>;
export const health = z.object({
  state: z.enum(STATES), checks: z.array(check), at: z.string(),
  facts: z.array(z.object({ label: z.string(), value: z.string() })),
});
export type Health = z.infer<typeof health>;

const invariant = z.object({ key: z.string(), title: z.string(), ok: z.boolean(), violations: z.int(),
  rows: z.array(z.record(z.string(), z.unknown())) });
export type InvariantRow = z.infer<typeof invariant>;
export const integrity = z.object({ violations: z.int(), at: z.string(),
  groups: z.array(z.object({ title: z.string(), invariants: z.array(invariant) })),
  chain: z.object({ linked: z.int(), waiting: z.int() }) });
export type Integrity = z.infer<typeof integrity>;

/** The account that customers of a division transfer to; numbers without blanks. */
export const paymentDetails = z.object({
  payee: z.string(), bank_name: z.string().nullable(), iban: z.string().nullable(), bic: z.string().nullable(),
  account_number: z.string().nullable(), routing_number: z.string().nullable(),
});
export type PaymentDetails = z.infer<typeof paymentDetails>;

export const divisionRow = z.object({
  code: divisionCode, name: z.string(), legal_entity_name: z.string(), functional_currency: currencyCode,
  home_country: z.string(), timezone: z.string(), address: z.record(z.string(), z.string().optional()),
  fiscal_year_start_month: z.int(), short_pay_tolerance_minor: z.int(),
  tax_registrations: z.array(z.object({ jurisdiction: z.string(), scheme: z.string(), number: z.string().nullable() })),
  open_periods: z.int(), version: z.int(), updated_at: z.string(), payment_details: paymentDetails.nullable(),
  auto_offers: z.boolean(), auto_offer_total_minor: z.int().nullable(), auto_offer_performances: z.int(),
  auto_offer_capacity: z.int(), auto_offer_days_ahead: z.int(), return_gross_limit_ppm: z.int(),
  return_attendance_limit_ppm: z.int(),
  /** Of late commercial payments, by law; null: none is proposed. */
  statutory_interest_ppm_per_year: z.int().nullable(),
  /** Months of a VAT return of the home country, as its tax authority granted them. */
  vat_period_months: z.literal(VAT_PERIOD_MONTHS),
  /** Signs contracts for the division; empty: the representative of the license. */
  signatory_name: z.string(), signatory_title: z.string(),
  /** The person to ask where a production has no representative; null: nobody. */
  representative_id: z.int().nullable(), representative_name: z.string().nullable(),
});
export type DivisionRow = z.infer<typeof divisionRow>;

const count = (least: number, most: number) => {
  const error = `Enter a whole number from ${least} to ${most.toLocaleString('en-US')}`;
  return z.int({ error }).min(least, error).max(most, error).optional();
};
const RETURN_LIMIT = 'Enter a percentage from 100% to 1,000%';
const returnLimit = z.int({ error: RETURN_LIMIT }).min(1_000_000, RETURN_LIMIT).max(10_000_000, RETURN_LIMIT)
  .optional();
const INTEREST = 'Enter a percentage above 0% and up to 50%';
/** Automatic decisions of a division, and the limits from which its returns are held. */
const divisionRules = {
  auto_offers: z.boolean().optional(), auto_offer_total_minor: positiveMinor.nullable().optional(),
  auto_offer_performances: count(1, 1_000), auto_offer_capacity: count(1, 100_000),
  auto_offer_days_ahead: count(0, 540), return_gross_limit_ppm: returnLimit, return_attendance_limit_ppm: returnLimit,
  statutory_interest_ppm_per_year: z.int({ error: INTEREST }).min(1, INTEREST).max(500_000, INTEREST).nullable()
    .optional(),
  vat_period_months: z.literal(VAT_PERIOD_MONTHS, 'Choose how often a VAT return is due').optional(),
};

export const JOB_STATES = ['created', 'retry', 'active', 'completed', 'cancelled', 'failed'] as const;
export const jobRow = z.object({
  id: z.string(), kind: z.string(), status: z.enum(JOB_STATES), retries: z.int(), retry_limit: z.int(),
  created_at: z.string(), started_at: z.string().nullable(), finished_at: z.string().nullable(),
  seconds: z.number().nullable(), failure: z.string().nullable(),
});
export type JobRow = z.infer<typeof jobRow>;

export const auditRow = z.object({
  id: z.int(), created_at: z.string(), actor_id: z.int().nullable(), actor: z.string().nullable(),
  on_behalf_of_id: z.int().nullable(), on_behalf_of: z.string().nullable(), ip: z.string().nullable(),
  request_id: z.string().nullable(), action: z.string(), entity: z.string(), entity_id: z.int().nullable(),
  linked: z.boolean(), erased: z.boolean(),
  changes: z.array(z.object({ field: z.string(), before: z.string(), after: z.string() })),
});
export type AuditRow = z.infer<typeof auditRow>;

export const mailRow = z.object({
  id: z.int(), template: z.string(), recipients: z.array(z.string()), subject: z.string(), body_text: z.string(),
  state: z.enum(['kept', 'waiting', 'sent', 'failed']), failed_attempts: z.int(), last_error: z.string().nullable(),
  attachments: z.int(), created_at: z.string(), sent_at: z.string().nullable(),
});
export type MailRow = z.infer<typeof mailRow>;

export const settingRow = z.object({ key: z.string(), label: z.string(), text: z.string(),
  value: z.union([z.string(), z.int()]), version: z.int() });
export type HouseSettingRow = z.infer<typeof settingRow>;

export const environmentRow = z.object({
  /** Variables of the environment; none for what the product fixes. */
  names: z.array(z.string()), label: z.string(), value: z.string(), warning: z.string().optional() });
export type EnvironmentRow = z.infer<typeof environmentRow>;

const erasure = z.object({ id: z.int(), user_id: z.int(), person: z.string(), email: z.string(), reason: z.string(),
  requested_by: z.string(), requested_by_id: z.int(), requested_at: z.string(), done_by: z.string().nullable(),
  done_at: z.string().nullable() });
export type ErasureRow = z.infer<typeof erasure>;

const day = isoDate.optional();
const bankText = (max: number) => z.string().trim().max(max).transform((text) => text || null).nullable().default(null);
/** Neither IBAN nor account number: what is stored is cleared. Checked by bank-numbers.ts. */
const paymentDetailsInput = z.strictObject({ version, payee: bankText(70), bank_name: bankText(120),
  iban: bankText(42), bic: bankText(20), account_number: bankText(40), routing_number: bankText(20) });

export const systemEndpoints = {
  health: endpoint({ method: 'GET', path: `${base}/health`, auth: system,
    summary: 'Server requirements and their state', response: one(health) }),
  integrity: endpoint({ method: 'GET', path: `${base}/integrity`, auth: system,
    summary: 'Every invariant of ledger and audit with what breaks it', response: one(integrity) }),
  divisions: endpoint({ method: 'GET', path: `${base}/divisions`, auth: system, summary: 'The divisions',
    response: all(divisionRow) }),
  updateDivision: endpoint({ method: 'PUT', path: `${base}/divisions/{code}`, auth: system,
    summary: 'Change a division', params: z.object({ code: divisionCode }), response: one(divisionRow),
    body: z.strictObject({ version, name: oneLine('Name', z.string().trim().min(1,
      'Name is required').max(120)).optional(),
      legal_entity_name: z.string().trim().min(1, 'Legal name is required').max(200).optional(),
      home_country: z.string().regex(/^[A-Z]{2}$/, 'Choose the country').optional(), address: address.optional(),
      signatory_name: oneLine('Signatory', z.string().trim().max(120)).optional(),
      signatory_title: oneLine('Title of the signatory', z.string().trim().max(120)).optional(),
      representative_id: id.nullable().optional(),
      ...divisionRules }) }),
  paymentDetails: endpoint({ method: 'PUT', path: `${base}/divisions/{code}/payment_details`, auth: system,
    confirm: true, summary: 'Write or clear the account that customers of a division transfer to',
    params: z.object({ code: divisionCode }), response: one(divisionRow), body: paymentDetailsInput }),
  jobs: endpoint({ method: 'GET', path: `${base}/jobs`, auth: system, summary: 'Background jobs',
    query: listQuery({ filters: { status: z.enum(JOB_STATES).optional(), kind: z.string().max(80).optional() },
      sort: ['created_at'] }), response: many(jobRow) }),
  jobKinds: endpoint({ method: 'GET', path: `${base}/jobs/kinds`, auth: system, summary: 'The kinds of jobs',
    response: all(z.object({ kind: z.string(), schedule: z.string().nullable() })) }),
  retryJob: endpoint({ method: 'PUT', path: `${base}/jobs/{id}/retry`, auth: system, summary: 'Run a failed job again',
    params: z.object({ id: z.uuid() }), response: one(jobRow) }),
  audit: endpoint({ method: 'GET', path: `${base}/audit`, auth: system, summary: 'Audit trail',
    query: listQuery({ filters: { actor_id: z.coerce.number().int().min(1).optional(),
      entity: z.string().max(60).optional(), entity_id: z.coerce.number().int().min(1).optional(),
      action: z.string().max(60).optional(), from: day, to: day }, sort: ['created_at'] }), response: many(auditRow) }),
  verifyAudit: endpoint({ method: 'POST', path: `${base}/audit/verify`, auth: system, readOnly: true,
    summary: 'Check every link of the audit chain', response: one(z.object({ linked: z.int(),
      breaks: z.array(z.object({ seq: z.int().nullable(), audit_event_id: z.int(), problem: z.string() })) })) }),
  mail: endpoint({ method: 'GET', path: `${base}/mail`, auth: system, summary: 'The outbox',
    query: listQuery({ filters: { state: z.enum(['waiting', 'sent', 'failed']).optional() }, sort: ['created_at'] }),
    response: many(mailRow) }),
  settings: endpoint({ method: 'GET', path: `${base}/settings`, auth: system, summary: 'Company settings',
    response: all(settingRow) }),
  environment: endpoint({ method: 'GET', path: `${base}/environment`, auth: system,
    summary: 'Environment settings of this server, without secrets', response: all(environmentRow) }),
  updateSetting: endpoint({ method: 'PUT', path: `${base}/settings`, auth: system, summary: 'Change a setting',
    body: z.strictObject({ key: z.string().max(60), value: z.union([z.string().max(320), z.int()]),
      version: z.int().min(0) }), response: one(settingRow) }),
  people: endpoint({ method: 'GET', path: `${base}/people`, auth: system, summary: 'Find a person by name or address',
    query: listQuery({ filters: {}, sort: ['name'] }), response: many(z.object({ id: z.int(), name: z.string(),
      email: z.string(), role: z.string() })) }),
  erasures: endpoint({ method: 'GET', path: `${base}/people/erasures`, auth: system,
    summary: 'Erasures asked for and carried out', response: all(erasure) }),
  erase: endpoint({ method: 'POST', path: `${base}/people/{userId}/erase`, auth: system, confirm: true,
    summary: 'Ask for the erasure of a person, or carry out what another administrator asked for',
    body: z.strictObject({ reason: z.string().trim().min(1, 'Give a reason').max(500) }),
    response: one(z.object({ status: z.enum(['requested', 'erased']), events: z.int() })) }),
  cancelErasure: endpoint({ method: 'DELETE', path: `${base}/people/erasures/{id}`, auth: system,
    summary: 'Withdraw an erasure that was asked for', response: null }),
  clientFaults: endpoint({ method: 'GET', path: `${base}/client_errors`, auth: system,
    summary: 'Faults that browsers reported, the latest first',
    query: pagedQuery({ filters: {}, sort: ['last_at'] }),
    response: many(z.object({ id: z.int(), day: z.string(), message: z.string(), page: z.string(), stack: z.string(),
      seen: z.int(), last_at: z.string() })) }),
};

export const clientErrorEndpoints = {
  report: endpoint({ method: 'POST', path: '/api/client-errors', auth: open, summary: 'Report a fault of the browser',
    body: z.strictObject({ message: z.string().min(1).max(2000), stack: z.string().max(6000).optional(),
      page: z.string().min(1).max(500) }), response: null }),
};
