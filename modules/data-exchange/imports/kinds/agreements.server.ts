/**
 * Agreements from a list, one share a row: the first row of a show, royaltor, role and contract makes the agreement,
 * the others add their terms to it. Nothing is put in force that would promise more than the whole (domain.md 3.2).
 */
import type * as z from 'zod';
import { INCOME_TYPES } from '#kernel/royalties/terms.ts';
import { DIVISIONS } from '#kit/field.ts';
import type { WorkContext } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { activateAgreement, createAgreement, createTerm } from '#modules/catalogue/catalogue.public.server.ts';
import {
  agreement, AGREEMENT_ROLES, termInput, type TermInput,
} from '#modules/catalogue/agreement/agreement.contract.ts';
import { CATEGORIES } from '#modules/catalogue/rate-card/rate-card.contract.ts';
import { matchRoyaltors, matchShows, type Matches } from '../match-names.server.ts';
import { AGREEMENT_FIELDS } from './agreements.contract.ts';
import type { Cells } from './cells.ts';
import { oneOf } from './one-of.ts';
import { recordWork, type Known, type Verdict } from './record-work.server.ts';

type Input = z.output<typeof agreement.create>;
interface ShareRow { input: Input; term: TermInput; show: string; royaltor: string; inForce: boolean }
interface Contract extends Known { terms: Set<string>; active: boolean }
interface Book { shows: Matches; royaltors: Matches; contracts: Map<string, Contract> }

function read(cells: Cells): ShareRow {
  const input = cells.checked(agreement.create, {
    show_id: 1, royaltor_id: 1, role: cells.choice('role', AGREEMENT_ROLES), share_label: null,
    contract_no: cells.optional('contract_no'), signed_on: cells.date('signed_on'), term_from: null, term_to: null,
    territory: cells.text('territory') || 'World', payer_division: cells.choice('payer_division', DIVISIONS),
    currency: cells.currency('currency'), agent_royaltor_id: null, agent_pays: null, min_payout_minor: null,
    annual_minimum_minor: null,
  });
  const term = cells.checked(termInput, {
    match_income_types: cells.choices('income_types', INCOME_TYPES),
    match_categories: cells.choices('categories', CATEGORIES), match_divisions: cells.choices('divisions', DIVISIONS),
    match_date_from: cells.date('date_from'), match_date_to: cells.date('date_to'), rate_ppm: cells.ppm('rate_percent'),
    share_points: cells.count('share_points', 1_000_000) ?? 1,
  }, { rate_ppm: 'rate_percent', match_date_from: 'date_from', match_date_to: 'date_to' });
  return { input, term, show: cells.required('show'), royaltor: cells.required('royaltor'),
    inForce: cells.yes('in_force', false) };
}

const keyOf = (input: Input): string =>
  [input.show_id, input.royaltor_id, input.role, input.contract_no ?? ''].join('/');

/** What makes two shares of an agreement the same one. */
function termKey(term: Pick<TermInput, 'match_income_types' | 'match_categories' | 'match_divisions'
  | 'match_date_from' | 'match_date_to' | 'rate_ppm' | 'share_points'>): string {
  return JSON.stringify([term.match_income_types.toSorted(), term.match_categories.toSorted(),
    term.match_divisions.toSorted(), term.match_date_from, term.match_date_to, term.rate_ppm, term.share_points]);
}

async function book(db: Queryable, reads: readonly ShareRow[], before: Book | null): Promise<Book> {
  const known = before ?? { shows: new Map(), royaltors: new Map(), contracts: new Map() };
  const fresh = (texts: string[], in_: Matches) => [...new Set(texts)].filter((text) => !in_.has(text));
  for (const [text, ids] of await matchShows(db, fresh(reads.map((row) => row.show), known.shows))) {
    known.shows.set(text, ids);
  }
  for (const [text, ids] of await matchRoyaltors(db, fresh(reads.map((row) => row.royaltor), known.royaltors))) {
    known.royaltors.set(text, ids);
  }
  const rows = await db.query<{ id: number; key: string; label: string; active: boolean; terms: TermInput[] }>(sql`
    select a.id, concat_ws('/', a.show_id, a.royaltor_id, a.role, a.contract_no) as key,
      r.name || ', ' || s.title as label, a.status = 'active' as active,
      coalesce((select jsonb_agg(to_jsonb(t)) from royalty_terms t where t.show_royaltor_id = a.id), '[]') as terms
    from show_royaltors a join shows s on s.id = a.show_id join royaltors r on r.id = a.royaltor_id
    where a.deleted_at is null and a.status <> 'ended'
      and a.show_id = any(${[...known.shows.values()].flat()}::bigint[])
      and a.royaltor_id = any(${[...known.royaltors.values()].flat()}::bigint[])`);
  for (const row of rows) {
    if (known.contracts.has(row.key)) continue;
    known.contracts.set(row.key, { id: row.id, label: row.label, active: row.active,
      terms: new Set(row.terms.map(termKey)) });
  }
  return known;
}

function judge(row: ShareRow, _source: unknown, known: Book): Verdict<Contract> {
  row.input.show_id = oneOf(known.shows.get(row.show) ?? [], 'show', row.show);
  row.input.royaltor_id = oneOf(known.royaltors.get(row.royaltor) ?? [], 'royaltor', row.royaltor);
  const key = keyOf(row.input);
  const contract = known.contracts.get(key)
    ?? { id: null, label: `${row.royaltor}, ${row.show}`, active: false, terms: new Set<string>() };
  const share = termKey(row.term);
  if (contract.terms.has(share)) return { outcome: 'duplicate', known: contract };
  contract.terms.add(share);
  known.contracts.set(key, contract);
  return { outcome: 'ready', known: contract };
}

async function write(ctx: WorkContext, row: ShareRow, verdict: Verdict<Contract>): Promise<number> {
  if (verdict.outcome === 'refused') throw new TypeError('a row left out is not written');
  const id = verdict.known.id ?? (await createAgreement(ctx, row.input)).id;
  await createTerm(ctx, id, row.term);
  if (row.inForce && !verdict.known.active) {
    await activateAgreement(ctx, id);
    verdict.known.active = true;
  }
  return id;
}

export const agreementWork = recordWork<ShareRow, Book, Contract>({
  entity: 'show_royaltor', fields: AGREEMENT_FIELDS, read, book, judge, write,
  words: (row) => ({ title: `${row.royaltor}, ${row.show}`,
    detail: `${row.input.role.replaceAll('_', ' ')}, ${row.term.rate_ppm / 10_000} %` }),
});
