/** The audit rows of one record, for whoever may open the record (X200). */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { endpoint, pagedQuery, many } from '#kit/endpoint.ts';
import type { Permission } from '#kit/permission.ts';

/** Kinds of records by the names that the audit trail gives them, with the right to open one. */
export const ACTIVITY_PERMISSIONS = {
  license: 'license.show', license_application: 'license_application.show', license_document: 'license_document.show',
  box_office_report: 'license.show', customer: 'customer.show', show: 'show.show', venue: 'venue.show',
  bank: 'bank.show', bank_account: 'bank_account.show',
  bank_transaction: 'bank_transaction.show', bank_rule: 'bank_transaction.list', bank_transfer: 'bank_transaction.list',
  bank_reconciliation: 'bank_transaction.show', deposit_slip: 'bank_transaction.show',
  bill: 'bill.show', bill_schedule: 'bill.show', revaluation: 'transaction.list',
  intercompany_entry: 'transaction.list',
  check: 'payment.show', vendor: 'vendor.show', warehouse: 'warehouse.show', material: 'material.show',
  bom_template: 'bom_template.show',
  contract_template: 'license_document.show',
  sales_order: 'license_material.show', invoice: 'invoice.view', payment: 'payment.show',
  transaction: 'transaction.view', opening_set: 'transaction.view',
  show_royaltor: 'show_royaltor.show', royalty_statement: 'show_royaltor.show',
  royalty_statement_run: 'show_royaltor.show', royalty_payment_batch: 'payment.show', payment_run: 'payment.show',
  import: 'import.show',
  import_template: 'import.show',
  add_on: 'material.show', show_package: 'show.show', rate_card: 'show.show', show_restriction: 'show.show',
  royaltor: 'royaltor.show', royalty_advance: 'show_royaltor.list', sales_item: 'material.show', team: 'user.show',
  user: 'user.show', material_category: 'material_category.show', license_material: 'license_material.show',
  material_sub_category: 'material_sub_category.show', customer_classification: 'customer_classification.list',
  ledger_account: 'ledger_account.view', ledger_header: 'ledger_header.view', tax_rate: 'transaction.list',
  tax_rule: 'transaction.list', tax_registration: 'transaction.list', tax_return: 'ledger_account.list',
  filing_rule: 'ledger_account.list', hmrc_connection: 'ledger_account.list',
  nexus_rule: 'ledger_account.list', year_end_filing: 'ledger_account.view',
  year_end_threshold: 'ledger_account.view', year_end_layout: 'ledger_account.view', wht_rule: 'transaction.list',
} as const satisfies Record<string, Permission>;
const entities = Object.keys(ACTIVITY_PERMISSIONS) as [keyof typeof ACTIVITY_PERMISSIONS];

const { shape } = pagedQuery({ filters: {}, sort: ['id'], perPage: 20 });

export const activityEndpoints = {
  list: endpoint({ method: 'GET', path: '/api/admin/staff/activity', auth: staff(null),
    summary: 'Activity of a record; requires the permission to open it',
    query: z.strictObject({ page: shape.page, per_page: shape.per_page,
      entity: z.enum(entities, 'Name the kind of record').optional(),
      entity_id: z.coerce.number().int().min(1).optional() }),
    response: many(z.object({
      id: z.int(), created_at: z.string(), actor: z.string().nullable(), action: z.string(), entity: z.string(),
      entity_id: z.int().nullable(),
      changes: z.array(z.object({ field: z.string(), before: z.string(), after: z.string() })),
    })) }),
};
