/** Rows of returns: header, deductions, performances, bands, questions, files; one statement per table. */
import type { WorkContext } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import type { ReadyReport } from './report-types.ts';

export interface StoredReport {
  report: ReadyReport;
  id: number;
}

function columns(list: readonly ReadyReport[], ctx: WorkContext) {
  const of = <T>(pick: (report: ReadyReport) => T): T[] => list.map(pick);
  const now = ctx.now().toISOString();
  return {
    status: of((r) => (r.input.draft ? 'expected' : 'submitted')),
    gross: of((r) => r.input.gross_minor),
    deducted: of((r) => Number(r.net.gross - r.net.base)),
    costs: of((r) => r.input.running_costs_minor ?? null),
    taxIncluded: of((r) => r.input.tax_included ?? false),
    vat: of((r) => Number(r.net.vat)),
    net: of((r) => Number(r.net.base)),
    played: of((r) => (r.input.performances_held == null && r.takings.performances_held === 0
      ? null : r.takings.performances_held)),
    paid: of((r) => r.takings.paid_admissions),
    comps: of((r) => r.input.complimentary ?? null),
    capacity: of((r) => r.input.capacity_available ?? null),
    capacityPpm: of((r) => r.input.capacity_ppm ?? null),
    certified: of((r) => (r.input.draft ? null : r.input.certified_name ?? null)),
    certifiedAt: of((r) => (!r.input.draft && r.input.certified_name ? now : null)),
    submittedBy: of((r) => (r.input.draft ? null : ctx.actor.actor_id)),
    submittedAt: of((r) => (r.input.draft ? null : now)),
    questions: of((r) => r.questions.length + r.holds.length),
    held: of((r) => r.holds.length > 0),
    added: of((r) => r.added),
    addReason: of((r) => (r.added ? r.input.add_reason ?? null : null)),
    replaces: of((r) => r.replaces[0] ?? null),
    source: of((r) => r.input.source),
  };
}

/** New rows; answers their ids in order. */
export async function insertReports(ctx: WorkContext, list: readonly ReadyReport[]): Promise<number[]> {
  if (list.length === 0) return [];
  const of = <T>(pick: (report: ReadyReport) => T): T[] => list.map(pick);
  const c = columns(list, ctx);
  const rows = await ctx.db.query<{ id: number }>(sql`
    insert into box_office_reports (license_id, license_venue_id, division, scope, performance_id, period_from,
      period_to, part, currency, replaces_report_id, import_id, import_row_no, row_hash, source, status, gross_minor,
      deductions_minor, tax_included, vat_minor, net_minor, performances_held, paid_admissions, complimentary,
      capacity_available, capacity_ppm, certified_name, certified_at, submitted_by_id, submitted_at, open_questions,
      held, added, add_reason, running_costs_minor)
    select license_id, venue_id, division, scope, performance_id, period_from, period_to, part, currency, replaces_id,
      import_id, row_no, decode(row_hash, 'hex'), source, status, gross, deducted, tax_included, vat, net, played, paid,
      comps, capacity, capacity_ppm, certified, certified_at, submitted_by, submitted_at, questions, held, added,
      add_reason, costs
    from unnest(${of((r) => r.input.license_id)}::bigint[], ${of((r) => r.input.license_venue_id ?? null)}::bigint[],
      ${of((r) => r.deal.division)}::text[], ${of((r) => r.input.scope)}::text[],
      ${of((r) => r.input.performance_id ?? null)}::bigint[], ${of((r) => r.input.period_from)}::date[],
      ${of((r) => r.input.period_to)}::date[], ${of((r) => r.part)}::smallint[], ${of((r) => r.deal.currency)}::text[],
      ${c.replaces}::bigint[], ${of((r) => r.input.import_id ?? null)}::bigint[],
      ${of((r) => r.input.import_row_no ?? null)}::int[], ${of((r) => r.input.row_hash ?? null)}::text[],
      ${c.source}::text[], ${c.status}::text[], ${c.gross}::bigint[], ${c.deducted}::bigint[],
      ${c.taxIncluded}::boolean[], ${c.vat}::bigint[], ${c.net}::bigint[], ${c.played}::int[], ${c.paid}::int[],
      ${c.comps}::int[], ${c.capacity}::int[], ${c.capacityPpm}::int[], ${c.certified}::text[],
      ${c.certifiedAt}::timestamptz[], ${c.submittedBy}::bigint[], ${c.submittedAt}::timestamptz[],
      ${c.questions}::smallint[], ${c.held}::boolean[], ${c.added}::boolean[], ${c.addReason}::text[],
      ${c.costs}::bigint[])
      with ordinality u (license_id, venue_id, division, scope, performance_id, period_from, period_to, part, currency,
        replaces_id, import_id, row_no, row_hash, source, status, gross, deducted, tax_included, vat, net, played, paid,
        comps, capacity, capacity_ppm, certified, certified_at, submitted_by, submitted_at, questions, held, added,
        add_reason, costs, n)
    order by n returning id`);
  return rows.map((row) => row.id);
}

/** Rows that stood there as expected, estimated, queried or as a draft get the figures of the return. */
export async function fillReports(ctx: WorkContext, list: readonly StoredReport[]): Promise<void> {
  if (list.length === 0) return;
  const c = columns(list.map((one) => one.report), ctx);
  await ctx.db.exec(sql`
    update box_office_reports b set source = u.source, status = u.status, gross_minor = u.gross,
      deductions_minor = u.deducted, tax_included = u.tax_included, vat_minor = u.vat, net_minor = u.net,
      performances_held = u.played, paid_admissions = u.paid, complimentary = u.comps, capacity_available = u.capacity,
      capacity_ppm = u.capacity_ppm, certified_name = u.certified, certified_at = u.certified_at,
      submitted_by_id = u.submitted_by, submitted_at = u.submitted_at, open_questions = u.questions,
      import_id = u.import_id, import_row_no = u.row_no, row_hash = decode(u.row_hash, 'hex'),
      license_venue_id = u.venue_id, scope = u.scope, performance_id = u.performance_id,
      period_from = u.period_from, period_to = u.period_to, held = u.held, added = u.added,
      add_reason = u.add_reason, replaces_report_id = coalesce(u.replaces_id, b.replaces_report_id),
      running_costs_minor = u.costs,
      part = u.part, version = b.version + 1
    from unnest(${list.map((one) => one.id)}::bigint[], ${c.source}::text[], ${c.status}::text[],
      ${c.gross}::bigint[], ${c.deducted}::bigint[], ${c.taxIncluded}::boolean[], ${c.vat}::bigint[],
      ${c.net}::bigint[], ${c.played}::int[], ${c.paid}::int[], ${c.comps}::int[], ${c.capacity}::int[],
      ${c.capacityPpm}::int[], ${c.certified}::text[], ${c.certifiedAt}::timestamptz[], ${c.submittedBy}::bigint[],
      ${c.submittedAt}::timestamptz[], ${c.questions}::smallint[],
      ${list.map((one) => one.report.input.import_id ?? null)}::bigint[],
      ${list.map((one) => one.report.input.import_row_no ?? null)}::int[],
      ${list.map((one) => one.report.input.row_hash ?? null)}::text[],
      ${list.map((one) => one.report.input.license_venue_id ?? null)}::bigint[],
      ${list.map((one) => one.report.input.scope)}::text[],
      ${list.map((one) => one.report.input.performance_id ?? null)}::bigint[],
      ${list.map((one) => one.report.input.period_from)}::date[],
      ${list.map((one) => one.report.input.period_to)}::date[], ${c.held}::boolean[], ${c.added}::boolean[],
      ${c.addReason}::text[], ${c.replaces}::bigint[], ${list.map((one) => one.report.part)}::smallint[],
      ${c.costs}::bigint[])
      u (id, source, status, gross, deducted, tax_included, vat, net, played, paid, comps, capacity, capacity_ppm,
        certified, certified_at, submitted_by, submitted_at, questions, import_id, row_no, row_hash, venue_id, scope,
        performance_id, period_from, period_to, held, added, add_reason, replaces_id, part, costs)
    where b.id = u.id`);
}

/** Returns whose place others take; they step back when those are accepted. */
export async function markReplaced(db: Queryable, list: readonly StoredReport[]): Promise<void> {
  const pairs = list.flatMap(({ report, id }) => report.replaces.map((old) => ({ id, old })));
  if (pairs.length === 0) return;
  await db.exec(sql`
    update box_office_reports b set replaced_by_id = u.id
    from unnest(${pairs.map((pair) => pair.old)}::bigint[], ${pairs.map((pair) => pair.id)}::bigint[]) u (old, id)
    where b.id = u.old`);
}

/** The parts of returns; those of a return that is typed again are replaced whole, its questions are asked anew. */
export async function writeParts(ctx: WorkContext, list: readonly StoredReport[], again = false): Promise<void> {
  if (again) await clearParts(ctx, list.map((one) => one.id));
  const deductions = list.flatMap(({ report, id }) => report.net.items.map((item, k) => ({ id, item,
    note: report.input.deductions?.[k]?.note ?? '' })));
  if (deductions.length > 0) {
    await ctx.db.exec(sql`
      insert into box_office_deductions (box_office_report_id, type, amount_minor, allowed_minor, note)
      select * from unnest(${deductions.map((d) => d.id)}::bigint[], ${deductions.map((d) => d.item.type)}::text[],
        ${deductions.map((d) => Number(d.item.amount_minor))}::bigint[],
        ${deductions.map((d) => Number(d.item.allowed_minor))}::bigint[], ${deductions.map((d) => d.note)}::text[])`);
  }
  await writeRows(ctx, list);
  const questions = list.flatMap(({ report, id }) => [...report.holds, ...report.questions].map((question) => ({ id,
    question, license_id: report.input.license_id })));
  if (questions.length > 0) {
    await ctx.db.exec(sql`
      insert into box_office_questions as q (box_office_report_id, license_id, kind, question)
      select * from unnest(${questions.map((q) => q.id)}::bigint[], ${questions.map((q) => q.license_id)}::bigint[],
        ${questions.map((q) => q.question.kind)}::text[], ${questions.map((q) => q.question.question)}::text[])
      on conflict (box_office_report_id, kind) do update set question = excluded.question, answer = null,
        answered_at = null, answered_by_id = null, performances = null, note = null`);
  }
  const files = list.flatMap(({ report, id }) => (report.input.attachment_ids ?? []).map((file) => ({ id, file })));
  if (files.length > 0) {
    await ctx.db.exec(sql`
      insert into box_office_attachments (box_office_report_id, file_id)
      select u.id, f.id from unnest(${files.map((f) => f.id)}::bigint[], ${files.map((f) => f.file)}::bigint[])
        u (id, file_id) join files f on f.id = u.file_id and f.created_by_id = ${ctx.actor.actor_id}
      on conflict do nothing`);
  }
}

export async function clearParts(ctx: WorkContext, ids: readonly number[]): Promise<void> {
  await ctx.db.exec(sql`delete from box_office_price_bands where box_office_row_id in
    (select id from box_office_rows where box_office_report_id = any(${[...ids]}::bigint[]))`);
  await ctx.db.exec(sql`delete from box_office_rows where box_office_report_id = any(${[...ids]}::bigint[])`);
  await ctx.db.exec(sql`delete from box_office_deductions where box_office_report_id = any(${[...ids]}::bigint[])`);
  await ctx.db.exec(sql`
    update box_office_questions set answer = 'corrected', answered_at = ${ctx.now().toISOString()},
      answered_by_id = ${ctx.actor.actor_id}
    where box_office_report_id = any(${[...ids]}::bigint[]) and answered_at is null`);
}

async function writeRows(ctx: WorkContext, list: readonly StoredReport[]): Promise<void> {
  const rows = list.flatMap(({ report, id }) => (report.input.rows ?? []).map((row) => ({ id, row })));
  if (rows.length === 0) return;
  const stored = await ctx.db.query<{ id: number }>(sql`
    insert into box_office_rows (box_office_report_id, performance_id, seats_sold, comps, gross_minor)
    select id, performance_id, seats_sold, comps, gross
    from unnest(${rows.map((r) => r.id)}::bigint[], ${rows.map((r) => r.row.performance_id)}::bigint[],
      ${rows.map((r) => r.row.seats_sold ?? 0)}::int[], ${rows.map((r) => r.row.comps ?? 0)}::int[],
      ${rows.map((r) => r.row.gross_minor)}::bigint[]) with ordinality u (id, performance_id, seats_sold, comps, gross,
        n)
    order by n returning id`);
  const bands = rows.flatMap(({ row }, k) => (row.price_bands ?? []).map((band) => ({ band, row_id: stored[k]!.id })));
  if (bands.length === 0) return;
  await ctx.db.exec(sql`
    insert into box_office_price_bands (box_office_row_id, label, price_minor, seats_sold)
    select * from unnest(${bands.map((b) => b.row_id)}::bigint[], ${bands.map((b) => b.band.label ?? '')}::text[],
      ${bands.map((b) => b.band.price_minor)}::bigint[], ${bands.map((b) => b.band.seats_sold)}::int[])`);
}
