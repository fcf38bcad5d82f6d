/** Writes fresh, their parts and the accruals of both: one statement per table, whatever their number. */
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import type { SharedLine, Share } from './shared-lines.server.ts';
import type { Step } from './sharing-types.ts';

interface AllocationInput {
  sharedLine: SharedLine;
  role: 'line' | 'cost' | 'due' | 'release';
  amount_minor: bigint;
  house_minor: bigint;
  payment_allocation_id: number | null;
  reverses_id: number | null;
  back: boolean;
  rows: { share: Share; amount_minor: bigint; functional_minor: bigint | null; cost_on: string | null;
    due_on: string | null }[];
  transaction_id: number | null;
}

export async function storeMoves(db: Queryable, steps: readonly Step[]): Promise<void> {
  const fresh = new Map<SharedLine, AllocationInput>();
  for (const step of steps) {
    if (step.sharedLine.allocation_id === null && !fresh.has(step.sharedLine)) {
      fresh.set(step.sharedLine, sharingOf(step));
    }
  }
  const stored = await insertAllocations(db, [...fresh.values()]);
  [...fresh.keys()].forEach((sharedLine, k) => { sharedLine.allocation_id = stored[k]!; });
  await insertAccruals(db, [...fresh.values()], stored);
  const parts = steps.filter((step) => !step.whole).map(partOf)
    .filter((part) => part.rows.length > 0 || part.house_minor !== 0n);
  await insertAccruals(db, parts, await insertAllocations(db, parts));
}

function sharingOf(step: Step): AllocationInput {
  const { sharedLine } = step;
  const cost_on = step.whole ? step.event.on : null;
  return {
    sharedLine, role: 'line', amount_minor: sharedLine.amount_minor, house_minor: sharedLine.house_minor,
    payment_allocation_id: null, reverses_id: null, back: false,
    transaction_id: step.whole ? step.transaction_id : null,
    rows: sharedLine.shares.map((share) => ({ share, amount_minor: share.amount_minor, cost_on, due_on: null,
      functional_minor: step.whole ? step.parts.find((part) => part.share === share)?.functional_minor ?? 0n : null })),
  };
}

/** Dates stand only where something moved; what others would get belongs to the rest of the part. */
function partOf(step: Step): AllocationInput {
  const receipt = step.kind === 'due' && step.basis === 'on_receipt';
  const house_minor = step.kind !== 'due' || receipt ? step.rest_minor : 0n;
  const rows = step.parts.filter((part) => part.amount_minor !== 0n).map((part) => ({
    ...part, cost_on: step.kind === 'cost' ? step.event.on : null, due_on: step.kind === 'due' ? step.event.on : null,
  }));
  return {
    sharedLine: step.sharedLine, role: step.kind, house_minor, back: step.back, rows,
    transaction_id: step.transaction_id,
    amount_minor: rows.reduce((all, row) => all + row.amount_minor, house_minor),
    payment_allocation_id: step.event.payment_allocation_id ?? null,
    reverses_id: step.back ? step.sharedLine.allocation_id : null,
  };
}

export async function insertAllocations(db: Queryable, list: readonly AllocationInput[]): Promise<number[]> {
  if (list.length === 0) return [];
  const of = <T>(pick: (input: AllocationInput) => T): T[] => list.map(pick);
  const rows = await db.query<{ id: number }>(sql`
    insert into royalty_allocations (show_id, license_id, box_office_report_id, invoice_item_id,
      payment_allocation_id, reverses_id, part_of_id, role, income_type, division, currency, amount_minor, house_minor,
      group_key, weights_hash, method, occurred_on, trace)
    select show_id, license_id, report_id, item_id, payment_allocation_id, reverses_id, part_of_id, role, income_type,
      division, currency, amount, house, group_key, weights_hash, method, occurred_on, trace
    from unnest(${of((i) => i.sharedLine.facts.show_id)}::bigint[],
      ${of((i) => i.sharedLine.facts.license_id)}::bigint[],
      ${of((i) => i.sharedLine.facts.box_office_report_id)}::bigint[],
      ${of((i) => i.sharedLine.facts.invoice_item_id)}::bigint[], ${of((i) => i.payment_allocation_id)}::bigint[],
      ${of((i) => i.reverses_id)}::bigint[],
      ${of((i) => (i.role === 'line' ? null : i.sharedLine.allocation_id))}::bigint[], ${of((i) => i.role)}::text[],
      ${of((i) => i.sharedLine.facts.income_type)}::text[], ${of((i) => i.sharedLine.facts.division)}::text[],
      ${of((i) => i.sharedLine.facts.currency)}::text[], ${of((i) => Number(i.amount_minor))}::bigint[],
      ${of((i) => Number(i.house_minor))}::bigint[], ${of((i) => i.sharedLine.group_key)}::text[],
      ${of((i) => i.sharedLine.weights_hash)}::text[],
      ${of((i) => (i.back ? 'mirror' : i.role === 'line' ? i.sharedLine.method : 'plain'))}::text[],
      ${of((i) => i.sharedLine.shares[0]?.occurred_on ?? i.sharedLine.facts.tax_point_on)}::date[],
      ${of((i) => (i.role === 'line' ? JSON.stringify(i.sharedLine.trace) : null))}::jsonb[])
      with ordinality u (show_id, license_id, report_id, item_id, payment_allocation_id, reverses_id, part_of_id, role,
        income_type, division, currency, amount, house, group_key, weights_hash, method, occurred_on, trace, n)
    order by n returning id`);
  return rows.map((row) => row.id);
}

export async function insertAccruals(
  db: Queryable, list: readonly AllocationInput[], allocationIds: readonly number[],
): Promise<void> {
  const rows = list.flatMap((input, k) =>
    input.rows.map((row) => ({ ...row, input, allocation_id: allocationIds[k]! })));
  if (rows.length === 0) return;
  const of = <T>(pick: (row: (typeof rows)[number]) => T): T[] => rows.map(pick);
  const originals = await originalsOf(db, list);
  await db.exec(sql`
    insert into royalty_accruals (royalty_allocation_id, show_royaltor_id, matched_term_id, license_id, income_type,
      division, currency, base_minor, rate_ppm, share_points, weight, amount_minor, functional_minor, recoupable,
      reserve_ppm, occurred_on, cost_on, due_on, cost_transaction_id, due_transaction_id, reverses_accrual_id)
    select * from unnest(${of((r) => r.allocation_id)}::bigint[], ${of((r) => r.share.show_royaltor_id)}::bigint[],
      ${of((r) => r.share.term_id)}::bigint[], ${of((r) => r.input.sharedLine.facts.license_id)}::bigint[],
      ${of((r) => r.input.sharedLine.facts.income_type)}::text[],
      ${of((r) => r.input.sharedLine.facts.division)}::text[],
      ${of((r) => r.input.sharedLine.facts.currency)}::text[], ${of((r) => Number(r.share.base_minor))}::bigint[],
      ${of((r) => Number(r.share.rate_ppm))}::int[], ${of((r) => Number(r.share.share_points))}::int[],
      ${of((r) => r.share.weight.toString())}::numeric[], ${of((r) => Number(r.amount_minor))}::bigint[],
      ${of((r) => (r.functional_minor === null ? null : Number(r.functional_minor)))}::bigint[],
      ${of((r) => r.share.recoupable)}::boolean[], ${of((r) => Number(r.share.reserve_ppm))}::int[],
      ${of((r) => r.share.occurred_on)}::date[], ${of((r) => r.cost_on)}::date[], ${of((r) => r.due_on)}::date[],
      ${of((r) => (r.cost_on === null ? null : r.input.transaction_id))}::bigint[],
      ${of((r) => (r.due_on === null ? null : r.input.transaction_id))}::bigint[],
      ${of((r) => (r.input.back
        ? originals.get(`${r.input.reverses_id} ${r.share.show_royaltor_id} ${r.share.term_id}`) ?? null
        : null))}::bigint[])`);
}

/** The accruals that a mirror takes back, by allocation, agreement and term. */
async function originalsOf(db: Queryable, list: readonly AllocationInput[]): Promise<Map<string, number>> {
  const ids = list.filter((input) => input.back && input.reverses_id !== null).map((input) => input.reverses_id);
  if (ids.length === 0) return new Map();
  const rows = await db.query<{ id: number; allocation_id: number; show_royaltor_id: number; term_id: number | null }>(
    sql`select id, royalty_allocation_id as allocation_id, show_royaltor_id, matched_term_id as term_id
      from royalty_accruals where royalty_allocation_id = any(${ids}::bigint[])`);
  return new Map(rows.map((row) => [`${row.allocation_id} ${row.show_royaltor_id} ${row.term_id}`, row.id]));
}
