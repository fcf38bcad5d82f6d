/**
 * Agreements with their terms, a row each: what the import of agreements reads, and the "File for an import" of lists
 * of agreements writes. Fields with texts that people gave are called after what keeps them as they are in a file.
 */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { endpoint, listQuery, many } from '#kit/endpoint.ts';
import { INCOME_TYPES, POOL_KINDS, ROYALTY_BASES } from '#kernel/royalties/terms.ts';
import { CATEGORIES } from '../rate-card/rate-card.contract.ts';
import { PRESENTATIONS } from '../show/show.contract.ts';
import {
  ACCRUAL_BASES, AGENT_PAYS, agreementFilters, AGREEMENT_ROLES, DATE_BASES,
} from './agreement.contract.ts';

const text = z.string().nullable();
const amount = z.int().nullable();

export const agreementShareRow = z.object({
  /** Of the term; below zero that of an agreement which has none yet. */
  id: z.int(), show_royaltor_id: z.int(),
  show_code: z.string(), royaltor_name: z.string(), role: z.enum(AGREEMENT_ROLES), share_name: text,
  contract_code: text, signed_on: text, term_from: text, term_to: text, territory_name: z.string(),
  payer_division: z.string(), currency: z.string(), accrual_basis: z.enum(ACCRUAL_BASES),
  date_basis: z.enum(DATE_BASES), royalty_presentation: z.enum(PRESENTATIONS), agent_name: text,
  agent_ppm: z.int(), agent_pays: z.enum(AGENT_PAYS).nullable(), opening_balance_minor: z.int(),
  opening_unrecouped_minor: z.int(), opening_on: text,
  /** "50; 50": percentages released over the periods that follow. */
  reserve_schedule: z.string(),
  min_payout_minor: amount, annual_minimum_minor: amount, group_name: text, in_force: z.enum(['yes', 'no', 'ended']),
  match_income_types: z.array(z.enum(INCOME_TYPES)), match_categories: z.array(z.enum(CATEGORIES)),
  match_divisions: z.array(z.string()), match_countries: z.array(z.string()), territory_group_name: text,
  material_category_key: text, material_sub_category_key: text, item_code: text, add_on_key: text,
  classification_name: text, match_date_from: text, match_date_to: text,
  /** Null, with all that follows, where the agreement has no term yet. */
  rate_ppm: amount, share_points: amount, basis: z.enum(ROYALTY_BASES).nullable(), unit_amount_minor: amount,
  source_commission_ppm: amount, pool_of: z.enum(POOL_KINDS).nullable(),
  /** "6.5": points of a royalty pool, this royaltor's and all. */
  pool_points: text, pool_total_points: text, pool_min_per_point_minor: amount,
  min_per_performance_minor: amount, annual_min_minor: amount, reserve_ppm: amount,
  recoupable: z.boolean().nullable(),
  /** "5000.00: 12.5%; 9000.00: 15% after recoupment". */
  tiers: z.string(),
});
export type AgreementShareRow = z.infer<typeof agreementShareRow>;

export const agreementShareEndpoints = {
  shares: endpoint({ method: 'GET', path: '/api/admin/staff/show_royaltor_shares', auth: staff('show_royaltor.show'),
    summary: 'Agreements with their terms, a row each, as an import reads them',
    query: listQuery({ filters: agreementFilters, sort: ['show_royaltor_id'], perPage: 20 }),
    response: many(agreementShareRow) }),
};
