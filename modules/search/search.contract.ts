/**
 * The search over every kind of record that a member of staff may read: X201 for all kinds at once, A307 to A309 for
 * flat lists and one found record. What is found is decided kind by kind, with the right to that kind's own list.
 */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { endpoint, many, one } from '#kit/endpoint.ts';

/** Kinds in the order in which they are shown. */
export const SEARCH_KINDS = ['license', 'license_application', 'customer', 'customer_person', 'show', 'royaltor',
  'venue', 'invoice', 'bill', 'bill_schedule', 'goods_receipt', 'payment', 'royalty_statement',
  'royalty_payment_batch', 'payment_run', 'check',
  'ach_prenote', 'transaction', 'ledger_account', 'material', 'sales_item', 'add_on', 'bom_template', 'sales_order',
  'perusal', 'vendor', 'warehouse', 'bank', 'bank_account', 'bank_transaction', 'bank_statement', 'bank_transfer',
  'bank_rule', 'deposit_slip', 'intercompany_entry', 'opening_set', 'revaluation', 'tax_return', 'thread_message',
  'staff'] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];

/** Rows of a kind in the overview. */
export const SEARCH_SHOWN = 5;
/** Letters that a search needs. */
export const SEARCH_SHORTEST = 2;
/** Rows of one kind that are counted and leafed through; whoever has more says more. */
export const SEARCH_DEPTH = 1_000;

export const hitRow = z.object({
  /** 'customer-12'. */
  id: z.string(), entity: z.enum(SEARCH_KINDS), entity_id: z.int(),
  number: z.string().nullable(),
  /** The number it had before, of a licence that was a quote. */
  former_number: z.string().nullable(), title: z.string(), detail: z.string(),
  /** Phase or status in the words of the wire; null where a kind has none. */
  status: z.string().nullable(),
  /** Address of its screen. */
  href: z.string(),
});
export type SearchHit = z.infer<typeof hitRow>;

/** 0 the number itself, 1 a number's beginning, 2 a name's, 3 words anywhere, 4 nearly. */
const group = z.object({
  entity: z.enum(SEARCH_KINDS), rows: z.array(hitRow), total: z.int(),
  /** false: there are more than were counted. */
  total_is_exact: z.boolean(),
});
export type SearchGroup = z.infer<typeof group>;

const text = z.string().trim().max(200);
const paging = {
  page: z.coerce.number().int().min(1).max(SEARCH_DEPTH).default(1),
  per_page: z.coerce.number().int().min(1).max(100).default(10),
};
const path = '/api/admin/staff/search';

export const searchEndpoints = {
  all: endpoint({ method: 'GET', path: `${path}/all`, auth: staff('search_index.list'),
    summary: 'Search every kind of record that one may read: the best of each kind',
    query: z.strictObject({ search: text.default('') }),
    response: one(z.object({ groups: z.array(group), fuzzy: z.boolean() })) }),
  list: endpoint({ method: 'GET', path, auth: staff('search_index.list'),
    summary: 'Search as one list, of all kinds or of one',
    query: z.strictObject({ ...paging, search: text.default(''), entity: z.enum(SEARCH_KINDS).optional() }),
    response: many(hitRow) }),
  trash: endpoint({ method: 'GET', path: `${path}/trash`, auth: staff('search_index.list_trash'),
    summary: 'Search in the trash of every kind whose trash one may open',
    query: z.strictObject({ ...paging, search: text.default(''), entity: z.enum(SEARCH_KINDS).optional() }),
    response: many(hitRow) }),
  show: endpoint({ method: 'GET', path: `${path}/{id}`, auth: staff('search_index.view'),
    summary: 'One record as the search knows it', params: z.object({ id: z.string().regex(/^[a-z_]+-\d{1,15}$/) }),
    response: one(hitRow) }),
};
