/**
 * Single lines of journals (A28 to A32, A73 to A75). Only lines of a draft are written; a line has no trash of its own,
 * it goes there and comes back with its draft.
 */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { endpoint, listQuery, many, one } from '#kit/endpoint.ts';
import { divisionCode, id } from '#kit/field.ts';
import { PARTY_TYPES } from '../ledger-account/ledger-account.contract.ts';
import { journalEntryRow, journalLine } from './transaction.contract.ts';

const base = '/api/admin/staff/accounting/journal_entries';
const item = `${base}/{id}` as const;
export const partyRow = z.object({ id: z.int(), name: z.string(), note: z.string() });

/** Names the line's own transaction at most: a line never moves to another. */
const changedLine = z.strictObject({ transaction_id: id.optional(), ...journalLine.shape });

export const journalEntryEndpoints = {
  create: endpoint({ method: 'POST', path: base, auth: staff('journal_entry.create'), status: 201, idempotent: true,
    summary: 'Add a line to a draft', response: one(journalEntryRow),
    body: z.strictObject({ transaction_id: id, ...journalLine.shape }) }),
  update: endpoint({ method: 'PUT', path: item, auth: staff('journal_entry.update'),
    summary: 'Replace a line of a draft', body: changedLine, response: one(journalEntryRow) }),
  remove: endpoint({ method: 'DELETE', path: item, auth: staff('journal_entry.delete'),
    summary: 'Remove a line of a draft', response: null }),
  trash: endpoint({ method: 'GET', path: `${base}/trash`, auth: staff('journal_entry.list_trash'),
    summary: 'Lines of the drafts in the trash', response: many(journalEntryRow),
    query: listQuery({ filters: { division: divisionCode.optional() }, sort: ['transaction_at', 'id'] }) }),
  restore: endpoint({ method: 'PUT', path: `${item}/restore`, auth: staff('journal_entry.restore'),
    summary: 'Restore the draft of a line', response: one(journalEntryRow) }),
  purge: endpoint({ method: 'DELETE', path: `${item}/force`, auth: staff('journal_entry.forceDelete'),
    summary: 'Delete the draft of a line in the trash for good', response: null }),
  parties: endpoint({ method: 'GET', path: `${base}/party_types/{type}/parties`, auth: staff('journal_entry.list'),
    summary: 'Parties of one kind', params: z.object({ type: z.enum(PARTY_TYPES) }), response: many(partyRow),
    query: listQuery({ sort: ['name'], filters: {
      /** In the answer whatever the page and the search: what a form has chosen already. */
      ensure_ids: z.string().regex(/^\d{1,15}(,\d{1,15}){0,99}$/, 'Ids with commas').optional() } }) }),
};
