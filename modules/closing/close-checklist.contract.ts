/** Tasks left before a month of a division is closed; each item checks itself. */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { endpoint, one } from '#kit/endpoint.ts';
import { divisionCode } from '#kit/field.ts';

export const CLOSE_ITEMS = ['reconciled', 'statements', 'unmatched', 'box_office', 'deferred', 'royalties', 'tax',
  'in_transit', 'undeposited', 'opening', 'accruals', 'revaluation', 'intercompany', 'drafts', 'payments',
  'earlier', 'integrity'] as const;
export type CloseItemKey = (typeof CLOSE_ITEMS)[number];

export const closeItem = z.object({
  key: z.enum(CLOSE_ITEMS), title: z.string(),
  /** `open` has to be done, `warning` may be right as it is, `none`: nothing of the kind in the division. */
  state: z.enum(['done', 'open', 'warning', 'none']),
  /** Remaining work, in words; empty if there is none. */
  detail: z.string(), href: z.string(),
  /** Latest act of the kind for the month; without a name where a job did it, null where nobody has yet. */
  done: z.object({ by: z.string().nullable(), at: z.string() }).nullable(),
});
export type CloseItem = z.infer<typeof closeItem>;

export const closeChecklist = z.object({
  division: divisionCode, period: z.int(), starts: z.string(), ends: z.string(),
  state: z.enum(['open', 'soft_locked', 'closed']), closed_by_name: z.string().nullable(),
  closed_at: z.string().nullable(), confirmed_by_name: z.string().nullable(),
  requested_by_name: z.string().nullable(), items: z.array(closeItem), open: z.int(),
  /** Months of the division that can be chosen, newest first. */
  periods: z.array(z.int()),
});
export type CloseChecklist = z.infer<typeof closeChecklist>;

export const closeChecklistEndpoints = {
  read: endpoint({ method: 'GET', path: '/api/admin/staff/accounting/close_checklist', auth: staff('transaction.list'),
    summary: 'Checklist for closing a month; without a period, the month after the last closed one',
    response: one(closeChecklist), query: z.strictObject({ division: divisionCode.default('US'),
      period: z.coerce.number().int().min(190_001).max(299_912).optional() }) }),
};
