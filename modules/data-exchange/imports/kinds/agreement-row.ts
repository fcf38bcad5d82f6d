/** One row of a file with agreements as facts: an agreement and one of its terms, or none yet. */
import type * as z from 'zod';
import { INCOME_TYPES, POOL_KINDS, ROYALTY_BASES } from '#kernel/royalties/terms.ts';
import { DIVISIONS } from '#kit/field.ts';
import {
  ACCRUAL_BASES, AGENT_PAYS, agreement, AGREEMENT_ROLES, DATE_BASES, termInput, type TermInput,
} from '#modules/catalogue/agreement/agreement.contract.ts';
import { CATEGORIES } from '#modules/catalogue/rate-card/rate-card.contract.ts';
import { PRESENTATIONS } from '#modules/catalogue/show/show.contract.ts';
import { fail, readAmount } from '../read-cell.ts';
import { IN_FORCE, TERM_FIELDS } from './agreements.contract.ts';
import type { Cells } from './cells.ts';

export type AgreementInput = z.output<typeof agreement.create>;

export interface ShareRow {
  input: AgreementInput;
  /** Null: nothing is agreed yet but that there is an agreement. */
  term: TermInput | null;
  show: string;
  royaltor: string;
  agent: string | null;
  addOn: string | null;
  classification: string | null;
  group: string | null;
  inForce: (typeof IN_FORCE)[number];
  /** Fields of the agreement that the row says, by their names in a file. */
  says: string[];
}

/** File fields that an agreement's fields come from; fields of the same name are not listed. */
export const FROM = { agent_royaltor_id: 'agent', agent_ppm: 'agent_percent', opening_balance_minor: 'opening_balance',
  opening_unrecouped_minor: 'opening_unrecouped', reserve_schedule_ppm: 'reserve_schedule',
  min_payout_minor: 'min_payout', annual_minimum_minor: 'annual_minimum' } as const;
const TERM_FROM = { match_countries: 'countries', match_territory_group: 'territory_group',
  match_material_category: 'material_category', match_material_sub_category: 'material_sub_category',
  match_item_number: 'item_number', match_date_from: 'date_from', match_date_to: 'date_to', rate_ppm: 'rate_percent',
  unit_amount_minor: 'unit_amount', source_commission_ppm: 'source_commission',
  pool_min_per_point_minor: 'pool_guarantee', pool_points_x100: 'pool_points', pool_total_points_x100: 'pool_total',
  min_per_performance_minor: 'min_per_performance', annual_min_minor: 'annual_min',
  reserve_ppm: 'reserve_percent' } as const;

export function readShare(cells: Cells): ShareRow {
  const input = readAgreement(cells);
  const inForce = cells.choice('in_force', IN_FORCE, 'no');
  const empty = Object.keys(TERM_FIELDS).every((field) => cells.text(field) === '');
  return { input, term: empty && inForce !== 'yes' ? null : readTerm(cells), inForce, show: cells.required('show'),
    royaltor: cells.required('royaltor'), agent: cells.optional('agent'), addOn: cells.optional('add_on'),
    classification: cells.optional('classification'), group: cells.optional('group'),
    says: Object.keys(cells.fields).filter((field) => cells.text(field) !== '') };
}

function readAgreement(cells: Cells): AgreementInput {
  return cells.checked(agreement.create, {
    // Found later; the form's own rules are for ids.
    show_id: 1, royaltor_id: 1, agent_royaltor_id: cells.text('agent') === '' ? null : 1,
    role: cells.choice('role', AGREEMENT_ROLES), share_label: cells.optional('share_label'),
    contract_no: cells.optional('contract_no'), signed_on: cells.date('signed_on'),
    term_from: cells.date('term_from'), term_to: cells.date('term_to'), territory: cells.text('territory') || 'World',
    payer_division: cells.choice('payer_division', DIVISIONS), currency: cells.currency('currency'),
    accrual_basis: cells.choice('accrual_basis', ACCRUAL_BASES, 'on_receipt'),
    date_basis: cells.choice('date_basis', DATE_BASES, 'performance'),
    royalty_presentation: cells.choice('royalty_presentation', PRESENTATIONS, 'gross'),
    agent_ppm: cells.optionalPpm('agent_percent') ?? 0,
    agent_pays: cells.text('agent_pays') === '' ? null : cells.choice('agent_pays', AGENT_PAYS),
    opening_balance_minor: cells.balance('opening_balance') ?? 0,
    opening_unrecouped_minor: cells.amount('opening_unrecouped') ?? 0, opening_on: cells.date('opening_on'),
    reserve_schedule_ppm: parts(cells, 'reserve_schedule').map((part) => cells.rate('reserve_schedule', part)),
    min_payout_minor: cells.amount('min_payout'), annual_minimum_minor: cells.amount('annual_minimum'),
  }, FROM);
}

/** Texts between semicolons, duplicates included: half and half. */
function parts(cells: Cells, field: string): string[] {
  return cells.text(field).split(';').map((text) => text.trim()).filter((text) => text !== '');
}

function readTerm(cells: Cells): TermInput {
  return cells.checked(termInput, {
    match_income_types: cells.choices('income_types', INCOME_TYPES),
    match_categories: cells.choices('categories', CATEGORIES), match_divisions: cells.choices('divisions', DIVISIONS),
    match_countries: cells.list('countries').flatMap((word) => word.split(','))
      .map((word) => word.trim().toUpperCase()),
    match_territory_group: cells.optional('territory_group'),
    match_material_category: cells.optional('material_category'),
    match_material_sub_category: cells.optional('material_sub_category'),
    match_item_number: cells.optional('item_number'),
    match_date_from: cells.date('date_from'), match_date_to: cells.date('date_to'), rate_ppm: cells.ppm('rate_percent'),
    share_points: cells.count('share_points', 1_000_000) ?? 1,
    basis: cells.choice('basis', ROYALTY_BASES, 'receipts'), unit_amount_minor: cells.amount('unit_amount'),
    source_commission_ppm: cells.optionalPpm('source_commission'),
    pool_of: cells.text('pool_of') === '' ? null : cells.choice('pool_of', POOL_KINDS),
    pool_min_per_point_minor: cells.amount('pool_guarantee'),
    pool_points_x100: cells.hundredths('pool_points'), pool_total_points_x100: cells.hundredths('pool_total'),
    min_per_performance_minor: cells.amount('min_per_performance'), annual_min_minor: cells.amount('annual_min'),
    reserve_ppm: cells.optionalPpm('reserve_percent') ?? 0, recoupable: cells.yes('recoupable', true),
    tiers: parts(cells, 'tiers').map((part) => readTier(cells, part)),
  }, TERM_FROM);
}

const TIER = /^(.+?)\s*:\s*([\d.,]+\s*%?)\s*(after recoupment)?$/i;

/** "5000.00: 12.5% after recoupment". */
function readTier(cells: Cells, text: string): TermInput['tiers'][number] {
  const [, amount, rate, after] = TIER.exec(text)
    ?? fail('unreadable_choice', `"${text.slice(0, 60)}" is no tier such as 5000.00: 12.5%`, 'tiers', text);
  return { from_minor: readAmount(amount!, 'tiers', cells.rules), rate_ppm: cells.rate('tiers', rate!),
    after_recoupment: after !== undefined };
}
