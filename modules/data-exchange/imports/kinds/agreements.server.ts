/**
 * Agreements from a list, one share a row: the first row of a show, royaltor, role and contract makes the agreement,
 * the others add their terms to it. Nothing is put in force that would promise more than the whole (domain.md 3.2).
 */
import type { WorkContext } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import {
  activateAgreement, completeAgreement, createAgreement, createTerm, endAgreement, groupAgreement,
} from '#modules/catalogue/catalogue.public.server.ts';
import type { TermInput } from '#modules/catalogue/agreement/agreement.contract.ts';
import { matchRoyaltors, matchShows, type Matches } from '../match-names.server.ts';
import { fail } from '../read-cell.ts';
import { FROM, readShare, type AgreementInput, type ShareRow } from './agreement-row.ts';
import { AGREEMENT_FIELDS } from './agreements.contract.ts';
import { foldName } from '#kernel/text/fold.ts';
import { oneOf } from './one-of.ts';
import { recordWork, type ExistingRecord, type Note, type Verdict } from './record-work.server.ts';

type Values = Readonly<Record<string, unknown>>;
interface Contract extends ExistingRecord {
  terms: Set<string>;
  /** Values of the agreement itself, by column name. */
  values: Values;
  status: ShareRow['inForce'];
  /** A draft without a term, as an import of shows leaves one for each writer: the row says what is agreed. */
  isBlank: boolean;
  /** The row that fills in the blank draft. */
  fills?: ShareRow;
}
interface Book {
  shows: Matches;
  royaltors: Matches;
  /** Agreements by what a row names them by; only of those that are over can there be several. */
  contracts: Map<string, Contract[]>;
  addOns: { id: number; show_id: number; words: string[] }[];
  classifications: Map<string, number>;
}

const keyOf = (input: AgreementInput, status: ShareRow['inForce']): string =>
  [input.show_id, input.royaltor_id, input.role, input.contract_no ?? '', status === 'ended'].join('/');

/** Key by which two shares of an agreement are the same one. */
function termKey(term: TermInput): string {
  return JSON.stringify([term.match_income_types.toSorted(), term.match_categories.toSorted(),
    term.match_divisions.toSorted(), term.match_countries.toSorted(), term.match_territory_group,
    term.match_material_category, term.match_material_sub_category, term.match_item_number, term.match_add_on_id,
    term.match_customer_classification_id, term.match_date_from, term.match_date_to, term.rate_ppm, term.share_points,
    term.basis, term.unit_amount_minor, term.source_commission_ppm, term.pool_of, term.pool_min_per_point_minor,
    term.pool_points_x100, term.pool_total_points_x100, term.min_per_performance_minor,
    term.annual_min_minor, term.reserve_ppm, term.recoupable,
    term.tiers.map((tier) => [tier.from_minor, tier.rate_ppm, tier.after_recoupment].join('/')).toSorted()]);
}

async function book(db: Queryable, reads: readonly ShareRow[], before: Book | null): Promise<Book> {
  const known = before ?? { shows: new Map(), royaltors: new Map(), contracts: new Map(), addOns: [],
    classifications: new Map() };
  const fresh = (texts: string[], in_: Matches) => [...new Set(texts)].filter((text) => !in_.has(text));
  for (const [text, ids] of await matchShows(db, fresh(reads.map((row) => row.show), known.shows))) {
    known.shows.set(text, ids);
  }
  const people = reads.flatMap((row) => [row.royaltor, ...(row.agent === null ? [] : [row.agent])]);
  for (const [text, ids] of await matchRoyaltors(db, fresh(people, known.royaltors))) known.royaltors.set(text, ids);
  await learnContracts(db, reads, known);
  if (reads.some((row) => row.addOn !== null)) {
    known.addOns = await db.query(sql`
      select id, show_id, array[key, fold_name(name)] as words from add_ons where deleted_at is null
        and show_id = any(${[...known.shows.values()].flat()}::bigint[]) order by id`);
  }
  if (reads.some((row) => row.classification !== null)) {
    const rows = await db.query<{ id: number; name: string }>(sql`
      select id, fold_name(name) as name from customer_classifications where deleted_at is null`);
    known.classifications = new Map(rows.map((row) => [row.name, row.id]));
  }
  return known;
}

/** Agreements of the shows and people that these rows name. */
async function learnContracts(db: Queryable, reads: readonly ShareRow[], known: Book): Promise<void> {
  const shows = new Set(reads.flatMap((row) => known.shows.get(row.show) ?? []));
  const people = new Set(reads.flatMap((row) => known.royaltors.get(row.royaltor) ?? []));
  const rows = await db.query<{ id: number; key: string; label: string; status: Contract['status']; terms: TermInput[];
    values: Values }>(sql`
    select a.id, concat_ws('/', a.show_id, a.royaltor_id, a.role, a.contract_no, (a.status = 'ended')::text) as key,
      r.name || ', ' || s.title as label,
      case a.status when 'active' then 'yes' when 'draft' then 'no' else a.status end as status,
      to_jsonb(a) || jsonb_build_object('group', g.name) as values,
      coalesce((select jsonb_agg(to_jsonb(t) || jsonb_build_object('tiers', coalesce((select jsonb_agg(to_jsonb(y))
          from royalty_term_tiers y where y.royalty_term_id = t.id), '[]')))
        from royalty_terms t where t.show_royaltor_id = a.id), '[]') as terms
    from show_royaltors a join shows s on s.id = a.show_id join royaltors r on r.id = a.royaltor_id
    left join cross_collateral_groups g on g.id = a.cross_collateral_group_id
    where a.deleted_at is null and a.show_id = any(${[...shows]}::bigint[])
      and a.royaltor_id = any(${[...people]}::bigint[]) order by a.id`);
  for (const row of rows) {
    const there = known.contracts.get(row.key) ?? [];
    if (there.some((one) => one.id === row.id || one.id === null)) continue;
    known.contracts.set(row.key, [...there, { id: row.id, label: row.label, status: row.status, values: row.values,
      terms: new Set(row.terms.map(termKey)), isBlank: row.status === 'no' && row.terms.length === 0 }]);
  }
}

/** Fills in the records that the row names; leaves where one is not to be found. */
function find(row: ShareRow, known: Book): void {
  row.input.show_id = oneOf(known.shows.get(row.show) ?? [], 'show', row.show);
  row.input.royaltor_id = oneOf(known.royaltors.get(row.royaltor) ?? [], 'royaltor', row.royaltor);
  if (row.agent !== null) {
    row.input.agent_royaltor_id = oneOf(known.royaltors.get(row.agent) ?? [], 'royaltor', row.agent, 'agent');
  }
  if (row.term === null) return;
  if (row.addOn !== null) {
    const word = row.addOn;
    row.term.match_add_on_id = known.addOns.find((one) => one.show_id === row.input.show_id
      && (one.words.includes(word) || one.words.includes(foldName(word))))?.id
      ?? fail('not_allowed', `The show has no add-on "${word.slice(0, 120)}"`, 'add_on', word);
  }
  if (row.classification !== null) {
    row.term.match_customer_classification_id = known.classifications.get(foldName(row.classification))
      ?? fail('not_allowed', `No classification of customers is called "${row.classification.slice(0, 120)}"`,
        'classification', row.classification);
  }
}

const fieldOf = (column: string): string => (FROM as Record<string, string>)[column] ?? column;

/** The columns of an agreement that the row says. */
const saidOf = (row: ShareRow, columns: Values): Values => Object.fromEntries(Object.entries(columns)
  .filter(([column]) => fieldOf(column) in AGREEMENT_FIELDS && row.says.includes(fieldOf(column))));

/** Fields of the agreement that the row says otherwise: an import never changes what is agreed, and tells of it. */
function differing(row: ShareRow, contract: Contract, added: boolean): Note | null {
  const same = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? '') === JSON.stringify(b ?? '');
  const columns = { ...row.input, group: row.group } as Values;
  const fields = Object.keys(saidOf(row, columns)).filter((column) => !same(columns[column], contract.values[column]))
    .map(fieldOf);
  // A share that is new to a draft may put it in force; there is nothing to tell of an agreement of this very file.
  const comes = added && contract.status === 'no';
  if (contract.id !== null && !comes && row.says.includes('in_force') && row.inForce !== contract.status) {
    fields.push('in_force');
  }
  if (fields.length === 0) return null;
  const labels = fields.map((field) => AGREEMENT_FIELDS[field as keyof typeof AGREEMENT_FIELDS].label);
  return { code: 'stays_as_it_is', text: `Is ${contract.label}; not imported, as it says otherwise: ${
    labels.join(', ')}` };
}

function judge(row: ShareRow, _source: unknown, known: Book): Verdict<Contract> {
  find(row, known);
  const key = keyOf(row.input, row.inForce);
  const there = known.contracts.get(key) ?? [];
  const share = row.term === null ? null : termKey(row.term);
  const same = there.find((one) => share === null || one.terms.has(share));
  if (same) return { outcome: 'duplicate', known: same, note: differing(row, same, false) };
  const contract = there[0] ?? { id: null, label: `${row.royaltor}, ${row.show}`, status: 'no' as const,
    terms: new Set<string>(), values: { ...row.input, group: row.group }, isBlank: false };
  if (share !== null && contract.isBlank) {
    contract.isBlank = false;
    contract.fills = row;
    contract.values = { ...contract.values, ...saidOf(row, { ...row.input, group: row.group }) };
  }
  if (share !== null) contract.terms.add(share);
  if (there.length === 0) known.contracts.set(key, [contract]);
  return { outcome: 'ready', known: contract, note: differing(row, contract, true) };
}

async function write(ctx: WorkContext, row: ShareRow, verdict: Verdict<Contract>): Promise<number> {
  if (verdict.outcome === 'refused') throw new TypeError('a row left out is not written');
  const contract = verdict.known;
  const id = contract.id ?? await made(ctx, row);
  if (contract.fills === row) await filled(ctx, id, row);
  if (row.term !== null) await createTerm(ctx, id, row.term);
  if (contract.status !== 'no' || row.inForce === 'no') return id;
  await (row.inForce === 'yes' ? activateAgreement : endAgreement)(ctx, id);
  contract.status = row.inForce;
  return id;
}

async function made(ctx: WorkContext, row: ShareRow): Promise<number> {
  const { id } = await createAgreement(ctx, row.input);
  if (row.group !== null) await groupAgreement(ctx, id, row.group);
  return id;
}

/** Show, royaltor, role and contract number are those that the row was found by. */
async function filled(ctx: WorkContext, id: number, row: ShareRow): Promise<void> {
  const { show_id: _show, royaltor_id: _royaltor, role: _role, contract_no: _contract, ...said } =
    saidOf(row, { ...row.input });
  await completeAgreement(ctx, id, said);
  if (row.group !== null) await groupAgreement(ctx, id, row.group);
}

export const agreementWork = recordWork<ShareRow, Book, Contract>({
  entity: 'show_royaltor', fields: AGREEMENT_FIELDS, read: readShare, book, judge, write,
  words: (row) => ({ title: `${row.royaltor}, ${row.show}`, detail: `${row.input.role.replaceAll('_', ' ')}, ${
    row.term === null ? 'no share yet' : `${row.term.rate_ppm / 10_000}%`}` }),
});
