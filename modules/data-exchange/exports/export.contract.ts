/** Lists as CSV: which lists, with which columns, for whom (A344). */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { endpoint } from '#kit/endpoint.ts';
import type { Permission } from '#kit/permission.ts';

/** Columns of each list in their order; the permission is that of the list on screen. */
export const EXPORT_MODELS = {
  licenses: { permission: 'license.list', columns: ['number', 'license_number', 'title', 'customer', 'division',
    'phase', 'category', 'first_performance_on', 'last_performance_on', 'number_of_performances', 'currency',
    'royalty_total', 'grand_total', 'paid', 'balance', 'executed_at', 'created_at'] },
  customers: { permission: 'customer.list', columns: ['number', 'name', 'kind', 'status', 'divisions', 'currency',
    'city', 'country', 'phone', 'website', 'created_at'] },
  shows: { permission: 'show.list', columns: ['show_code', 'title', 'type', 'authors_credit', 'year', 'divisions',
    'active', 'created_at'] },
  invoices: { permission: 'invoice.list', columns: ['number', 'kind', 'status', 'customer', 'division', 'currency',
    'issued_on', 'due_on', 'net', 'tax', 'total', 'paid', 'balance'] },
  box_office_reports: { permission: 'license.list', columns: ['license', 'title', 'customer', 'venue', 'scope',
    'period_from', 'period_to', 'status', 'currency', 'gross', 'net', 'performances', 'attendance', 'earned', 'due',
    'open_questions'] },
  royalty_statements: { permission: 'show_royaltor.list', columns: ['number', 'royaltor', 'division', 'currency',
    'period_from', 'period_to', 'status', 'opening', 'earnings', 'recouped', 'payable', 'paid', 'closing'] },
  transactions: { permission: 'transaction.list', columns: ['number', 'division', 'kind', 'status', 'transaction_at',
    'currency', 'total', 'description', 'posted_at'] },
} as const satisfies Record<string, { permission: Permission; columns: readonly string[] }>;
export type ExportModel = keyof typeof EXPORT_MODELS;

const models = Object.keys(EXPORT_MODELS) as [ExportModel, ...ExportModel[]];
const PHASES = ['draft', 'sent', 'accepted', 'expired', 'declined', 'licensed', 'in_production', 'settlement', 'closed',
  'cancelled'] as const;

export const exportEndpoints = {
  csv: endpoint({ method: 'GET', path: '/api/admin/staff/export_csv', auth: staff('export.download'),
    summary: 'A list as CSV, streamed; needs the permission of the list too', response: 'file',
    query: z.strictObject({
      model_name: z.enum(models, 'Choose the list'),
      /** All columns where none is named; `columns=a&columns=b` or `columns=a,b`. */
      columns: z.union([z.array(z.string().max(60)).max(60), z.string().max(2000).transform((text) => text.split(','))])
        .optional(),
      /** Licences only. */
      phase: z.enum(PHASES, 'Choose the phase').optional(),
    }) }),
};
