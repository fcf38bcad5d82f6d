/** Rows of licences as screens read them: joined names, totals, derived status; search, filters, with, fields. */
import type * as z from 'zod';
import { invalidField, refuse } from '#kit/errors.ts';
import { LICENSE_PHASES, phaseGroup, type LicensePhase } from '#kernel/licensing/license-machine.ts';
import { displayStatus } from '#kernel/licensing/status.ts';
import { grants } from '#kit/permission.ts';
import type { WorkContext } from '#server/context.ts';
import { divisionDayOf } from '#server/division-day.ts';
import { compact, listPage, type ListSpec, type Page } from '#server/list.ts';
import type { Principal } from '#server/principal.ts';
import { matches, type Sql, sql } from '#server/sql.ts';
import { advanceBalance } from '../box-office/advance-balance.server.ts';
import { licenseVenueRows } from './venues/license-venue-rows.server.ts';
import { bomsOf, materialsOf } from '../materials/license-material-rows.server.ts';
import { performanceRows } from './performances/performance-rows.server.ts';
import { LICENSE_RELATIONS, licenseRow, type licenseListQuery, type LicenseRow } from './license.contract.ts';

const PATH = '/api/admin/staff/licenses';

/** As promisedTerms of the kernel says it: a percentage deal, steps of the gross, or a settlement of the fee. */
const percentage = sql`case
  when coalesce(t.rate_ppm, 0) > 0 and (t.fee_method in ('percent_actual', 'greater_of', 'negotiated')
    or coalesce(t.true_up, 'none') <> 'none') then t.rate_ppm
  when jsonb_typeof(t.fee_terms -> 'gross_tiers') = 'array' and t.fee_terms -> 'gross_tiers' <> '[]'
    then coalesce(nullif(t.rate_ppm, 0), (t.fee_terms #>> '{gross_tiers,0,rate_ppm}')::int) end`;

/** A license without what follows from its phase and the day. */
export type StoredLicense = Omit<LicenseRow, 'status' | 'group'>;

export const licenseColumns = sql`t.id, t.number, t.license_number, t.phase, t.category, t.division, t.currency,
  t.customer_id, c.name as customer_name, t.show_id, t.show_code, s.title as show_title, t.show_type,
  t.title_on_license, t.producing_organisation, t.production_type, t.license_application_id,
  t.customer_classification_id, t.license_rep_id,
  case when r.id is null then null else r.first_name || ' ' || r.last_name end as license_rep_name,
  coalesce((select string_agg(v.name, ', ' order by v.sort, v.id) from license_venues v where v.license_id = t.id), '')
    as venue_names,
  t.first_performance_on, t.last_performance_on, t.number_of_performances, t.cast_size, t.orchestration, t.on_hold,
  t.hold_reason, t.postponed, t.restricted_clearance, t.dispute, t.execution_policy, t.execution_policy_reason,
  t.purchase_order_no, t.fee_method, t.royalty_total_minor, t.materials_total_minor, t.tax_total_minor,
  t.deposit_minor,
  case when t.fee_terms ->> 'deposit_kind' = 'on_account' then 0 else t.deposit_minor end as security_deposit_minor,
  t.grand_total_minor, ${percentage} as percentage_ppm, t.invoiced_minor, t.paid_minor, t.balance_minor, t.priced_at,
  t.offer_version, t.offer_sent_at, t.offer_expires_at,
  ${divisionDayOf(sql`t.offer_expires_at`, sql`t.division`)} as offer_expires_on, t.accepted_at, t.pay_by,
  t.pay_by_reason, t.pay_by_ships_on, t.executed_at,
  t.settlement_due_on, t.ship_on, t.return_due_on, t.closed_at, t.cancelled_at, t.cancel_reason,
  t.decline_reason_code,
  case when t.availability_override_reason is not null then 'cleared' else t.availability_result ->> 'verdict' end
    as availability,
  t.version, t.created_at, t.updated_at`;
export const licenseJoins = sql`join customers c on c.id = t.customer_id join shows s on s.id = t.show_id
  left join users r on r.id = t.license_rep_id`;

const spec: Omit<ListSpec, 'conditions'> = {
  base: sql`licenses t`, columns: licenseColumns, joins: licenseJoins,
  sorts: {
    updated_at: sql`t.updated_at`, created_at: sql`t.created_at`, number: sql`t.number`, phase: sql`t.phase`,
    customer_name: sql`c.name collate "und-x-icu"`,
    show_title: sql`t.title_on_license collate "und-x-icu"`, first_performance_on: sql`t.first_performance_on`,
    grand_total_minor: sql`t.grand_total_minor`, balance_minor: sql`t.balance_minor`,
    offer_expires_at: sql`t.offer_expires_at`,
  },
  sortJoins: { customer_name: sql`join customers c on c.id = t.customer_id` },
  defaultSort: 'updated_at', defaultDirection: 'desc',
};

type ListQuery = z.output<typeof licenseListQuery>;

/** The licences of one customer, productions unless the query says otherwise (A147). */
export function customerLicenses(ctx: WorkContext, customerId: number, query: Omit<ListQuery, 'customer_id'>) {
  const group = query.group ?? (query.phase === undefined ? 'PRODUCTION' : undefined);
  return listLicenses(ctx, { ...query, group, customer_id: customerId }, false,
    `/api/admin/staff/customers/${customerId}/productions`);
}

export async function listLicenses(
  ctx: WorkContext, query: ListQuery, trashed = false, path = PATH,
): Promise<Page<LicenseRow>> {
  const conditions = [sql`t.deleted_at is ${trashed ? sql`not null` : sql`null`}`, ...licenseFilters(query)];
  const page = await listPage<StoredLicense>(ctx.db, { ...spec, conditions,
    oneTrip: query.customer_id !== undefined && query.search === undefined }, query, path);
  return { ...page, data: await dress(ctx, page.data, query) };
}

/** Components of the price, by kind in the order of the lines: the screen shows the sum in its header. */
const priceParts = sql`(select coalesce(jsonb_agg(jsonb_build_object('kind', p.kind, 'net_minor', p.net_minor)
    order by p.place), '[]')
  from (select kind, sum(net_minor) as net_minor, min(place) as place
    from (select kind, net_minor, row_number() over (order by origin desc, sort, id) as place
      from license_charges where license_id = t.id) lines
    group by kind) p)`;

export async function showLicense(
  ctx: WorkContext, licenseId: number, picks: { with?: string | undefined; fields?: string | undefined } = {},
): Promise<LicenseRow> {
  const row = await ctx.db.maybeOne<StoredLicense>(sql`
    select ${licenseColumns}, ${priceParts} as price_parts from licenses t ${licenseJoins}
    where t.id = ${licenseId} and t.deleted_at is null`);
  if (!row) throw refuse('not_found');
  return (await dress(ctx, [{ ...row, advance: await advanceBalance(ctx.db, licenseId) }], picks))[0]!;
}

/** 'draft,sent' or '["draft","sent"]'; a name outside the list is a 422 at the parameter. */
export function namesOf(text: string | undefined, allowed: readonly string[], parameter: string): string[] {
  if (text === undefined || text.trim() === '') return [];
  const names = text.trim().startsWith('[') ? fromJson(text, parameter) : text.split(',').map((part) => part.trim());
  const unknown = names.find((name) => !allowed.includes(name));
  if (unknown !== undefined) throw invalidField(parameter, `"${unknown}" is not offered here`);
  return names;
}

function fromJson(text: string, parameter: string): string[] {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
  } catch {
    // told below
  }
  throw invalidField(parameter, 'Send a list of names');
}

export function phaseFilter(phase: string | undefined, group: string | undefined): Sql | null {
  const phases = namesOf(phase, LICENSE_PHASES, 'phase');
  const ofGroup = LICENSE_PHASES.filter((name) => ['BOTH', group].includes(phaseGroup(name)));
  const wanted = group === undefined ? phases
    : phases.length === 0 ? ofGroup : phases.filter((name) => ofGroup.includes(name as LicensePhase));
  return wanted.length === 0 && group === undefined ? null : sql`t.phase = any (${wanted})`;
}

function licenseFilters(query: ListQuery): Sql[] {
  return compact([
    phaseFilter(query.phase, query.group),
    query.search && matches(sql`t.search_text`, query.search),
    query.category && sql`t.category = ${query.category}`,
    query.division && sql`t.division = ${query.division}`,
    query.customer_id && sql`t.customer_id = ${query.customer_id}`,
    query.show_id && sql`t.show_id = ${query.show_id}`,
    query.show_code && sql`t.show_code = ${query.show_code}`,
    query.venue_id && sql`exists (select 1 from license_venues v
      where v.license_id = t.id and v.venue_id = ${query.venue_id})`,
    query.license_rep_id && sql`t.license_rep_id = ${query.license_rep_id}`,
    query.license_application_id && sql`t.license_application_id = ${query.license_application_id}`,
    query.execution_policy && sql`t.execution_policy = ${query.execution_policy}`,
    query.on_hold && sql`t.on_hold = ${query.on_hold === 'true'}`,
    query.first_performance_from && sql`t.first_performance_on >= ${query.first_performance_from}`,
    query.first_performance_to && sql`t.first_performance_on <= ${query.first_performance_to}`,
    query.expires_before && sql`t.offer_expires_at < ${query.expires_before}::date`,
  ].map((part) => part || null));
}

/** Relations that the lists of their own show only with a right beside `license.list`. */
const NEEDS: readonly string[] = ['materials', 'license_boms'];

/** 403 where `with` asks for what this person may not list. */
export function refuseRelations(user: Principal, text: string | undefined): void {
  const asked = namesOf(text, LICENSE_RELATIONS, 'with');
  if (asked.some((name) => NEEDS.includes(name)) && user.role === 'staff_user'
    && !grants(user.permissions, 'license_material.list')) throw refuse('forbidden');
}

/** Derived columns, then what `with` adds and what `fields` leaves. */
async function dress(
  ctx: WorkContext, stored: StoredLicense[], picks: { with?: string | undefined; fields?: string | undefined },
): Promise<LicenseRow[]> {
  const relations = namesOf(picks.with, LICENSE_RELATIONS, 'with');
  const fields = namesOf(picks.fields, Object.keys(licenseRow.shape), 'fields');
  const today = new Map<string, string>();
  const rows: LicenseRow[] = [];
  for (const row of stored) {
    if (!today.has(row.division)) today.set(row.division, await ctx.today(row.division));
    rows.push({ ...row, status: displayStatus(row, today.get(row.division)!), group: phaseGroup(row.phase) });
  }
  await addRelations(ctx, rows, relations);
  if (fields.length === 0) return rows;
  const kept = new Set(['id', ...fields, ...relations]);
  return rows.map((row) => Object.fromEntries(Object.entries(row).filter(([key]) => kept.has(key))) as LicenseRow);
}

async function addRelations(ctx: WorkContext, rows: LicenseRow[], relations: string[]): Promise<void> {
  if (rows.length === 0 || relations.length === 0) return;
  const ids = rows.map((row) => row.id);
  const wants = (name: string): boolean => relations.includes(name);
  const venues = wants('license_venues') ? await licenseVenueRows(ctx.db, sql`t.license_id = any (${ids})`) : [];
  const performances = wants('performances') ? await performanceRows(ctx.db, sql`t.license_id = any (${ids})`) : [];
  const customers = wants('customer') ? await ctx.db.query<NonNullable<LicenseRow['customer']>>(sql`
    select id, number, name, status, billing_address from customers
    where id = any (${rows.map((row) => row.customer_id)})`) : [];
  const shows = wants('show') ? await ctx.db.query<NonNullable<LicenseRow['show']>>(sql`
    select id, show_code, title, type, authors_credit from shows where id = any (${rows.map((r) => r.show_id)})`) : [];
  const memos = wants('memos') ? await memosOf(ctx, ids) : [];
  const documents = wants('documents') ? await documentsOf(ctx, ids) : [];
  const materials = wants('materials') ? await materialsOf(ctx.db, ids) : [];
  const boms = wants('license_boms') ? await bomsOf(ctx.db, ids) : [];
  for (const row of rows) {
    if (wants('license_venues')) row.license_venues = venues.filter((venue) => venue.license_id === row.id);
    if (wants('performances')) row.performances = performances.filter((p) => p.license_id === row.id);
    if (wants('customer')) row.customer = customers.find((customer) => customer.id === row.customer_id);
    if (wants('show')) row.show = shows.find((show) => show.id === row.show_id);
    if (wants('memos')) row.memos = memos.filter((memo) => memo.entity_id === row.id);
    if (wants('documents')) row.documents = documents.filter((document) => document.license_id === row.id);
    if (wants('materials')) row.materials = materials.filter((material) => material.license_id === row.id);
    if (wants('license_boms')) row.license_boms = boms.filter((bom) => bom.license_id === row.id);
  }
}

type Memo = NonNullable<LicenseRow['memos']>[number] & { entity_id: number };
function memosOf(ctx: WorkContext, ids: number[]): Promise<Memo[]> {
  return ctx.db.query<Memo>(sql`
    select m.id, m.entity_id, memo_text(m.body) as body, u.first_name || ' ' || u.last_name as author_name, m.created_at
    from memos m join users u on u.id = m.author_id
    where m.entity = 'license' and m.entity_id = any (${ids}) order by m.created_at desc, m.id desc`);
}

type Document = NonNullable<LicenseRow['documents']>[number] & { license_id: number };
function documentsOf(ctx: WorkContext, ids: number[]): Promise<Document[]> {
  return ctx.db.query<Document>(sql`
    select id, license_id, type, description, status, created_at from license_documents
    where license_id = any (${ids}) and deleted_at is null order by created_at desc, id desc`);
}
