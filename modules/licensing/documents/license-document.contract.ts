/** Documents of a licence: uploaded or generated, sent, signed, superseded (domain.md 1.4, 6.2). */
import * as z from 'zod';
import { LICENSE_PHASES } from '#kernel/licensing/license-machine.ts';
import { staff } from '#kit/auth.ts';
import { bulk, trashing } from '#kit/bulk.ts';
import { endpoint, listQuery, many, one, UPLOAD_LIMIT } from '#kit/endpoint.ts';
import { divisionCode, version } from '#kit/field.ts';

export const DOCUMENT_TYPES = ['quote_letter', 'offer', 'production_contract', 'rider', 'amendment',
  'execution_certificate', 'invoice', 'proforma', 'credit_note', 'receipt', 'vat_receipt', 'statement_of_account',
  'deposit_statement', 'packing_slip', 'return_form_and_label', 'perusal_letter', 'box_office_form',
  'box_office_statement', 'purchase_order', 'tax_exemption_certificate', 'programme_artwork', 'sole_source_letter',
  'refund_payee_change', 'reminder_letter_1', 'reminder_letter_2', 'reminder_letter_3', 'cancellation_confirmation',
  'signed_contract', 'other'] as const;
export const DOCUMENT_STATUSES = ['draft', 'issued', 'sent', 'viewed', 'signed', 'superseded', 'void'] as const;
export const DOCUMENT_FILES = ['pdf', 'png', 'jpg', 'jpeg', 'docx', 'xlsx', 'csv', 'txt'] as const;

export const licenseDocumentRow = z.object({
  id: z.int(),
  license_id: z.int(),
  type: z.enum(DOCUMENT_TYPES),
  description: z.string(),
  status: z.enum(DOCUMENT_STATUSES),
  origin: z.enum(['upload', 'generate']),
  internal: z.boolean(),
  file_name: z.string().nullable(),
  mime_type: z.string().nullable(),
  size_bytes: z.int().nullable(),
  sha256: z.string().nullable(),
  offer_version: z.int().nullable(),
  issued_at: z.string().nullable(),
  sent_at: z.string().nullable(),
  viewed_at: z.string().nullable(),
  signed_at: z.string().nullable(),
  uploaded_by_name: z.string().nullable(),
  version: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type LicenseDocumentRow = z.infer<typeof licenseDocumentRow>;

/** Multipart fields are text: 'true' and 'false'. */
const flag = z.enum(['true', 'false']).optional();
const description = z.string().trim().max(500);
const path = '/api/admin/staff/licenses/{licenseId}/license_documents';
const item = `${path}/{documentId}` as const;
const query = listQuery({ filters: { type: z.enum(DOCUMENT_TYPES).optional(),
  status: z.enum(DOCUMENT_STATUSES).optional() }, sort: ['created_at', 'type', 'status'] });

export const licenseDocumentEndpoints = {
  list: endpoint({ method: 'GET', path, auth: staff('license_document.list'), summary: 'Documents of a licence', query,
    response: many(licenseDocumentRow) }),
  trash: endpoint({ method: 'GET', path: `${path}/trash`, auth: staff('license_document.list_trash'),
    summary: 'Documents of a licence in the trash', query, response: many(licenseDocumentRow) }),
  show: endpoint({ method: 'GET', path: item, auth: staff('license_document.show'), summary: 'Show a document',
    response: one(licenseDocumentRow) }),
  file: endpoint({ method: 'GET', path: `${item}/file`, auth: staff('license_document.show'),
    summary: "The document's file", response: 'file' }),
  update: endpoint({ method: 'PUT', path: item, auth: staff('license_document.update'),
    summary: 'Change type or description', response: one(licenseDocumentRow),
    body: z.strictObject({ version, type: z.enum(DOCUMENT_TYPES).optional(), description: description.optional(),
      internal: z.boolean().optional() }) }),
  upload: endpoint({ method: 'POST', path, auth: staff(['license.upload_documents', 'license_document.create']),
    summary: 'Upload a document', status: 201,
    upload: { field: 'document', types: DOCUMENT_FILES, max_bytes: UPLOAD_LIMIT },
    body: z.strictObject({ type: z.enum(DOCUMENT_TYPES, 'Choose the type'), description: description.default(''),
      internal: flag }), response: one(licenseDocumentRow) }),
  send: endpoint({ method: 'POST', path: `${item}/send_document`, auth: staff('license_document.update'),
    summary: 'Mail a document', response: one(licenseDocumentRow),
    body: z.strictObject({
      recipients: z.array(z.email('Enter a valid email address')).min(1, 'Enter a recipient').max(50),
      message: z.string().trim().max(5000).optional() }) }),
  generateOffer: endpoint({ method: 'POST', path: `${path}/generate-offer`, auth: staff('license_document.create'),
    summary: 'Freeze the draft as the next offer version; make quote letter and contract', status: 201,
    response: one(licenseDocumentRow) }),
  remove: endpoint({ method: 'DELETE', path: item, auth: staff('license_document.delete'),
    summary: 'Move a document to the trash', response: null }),
  restore: endpoint({ method: 'PUT', path: `${item}/restore`, auth: staff('license_document.delete'),
    summary: 'Restore a document from the trash', response: one(licenseDocumentRow) }),
  previewPdf: endpoint({ method: 'GET', path: '/api/admin/staff/licenses/{licenseId}/preview-pdf',
    auth: staff('license.show'), summary: 'The offer as it would look now; stores nothing', response: 'file' }),
  everywhere: endpoint({ method: 'GET', path: '/api/admin/staff/documents', auth: staff('license_document.list'),
    summary: 'Documents of all licences',
    query: listQuery({ filters: { type: z.enum(DOCUMENT_TYPES).optional(), status: z.enum(DOCUMENT_STATUSES).optional(),
      division: divisionCode.optional(), customer_id: z.coerce.number().int().min(1).optional(),
      unsigned: z.enum(['true', 'false']).optional() }, sort: ['updated_at', 'type', 'status'] }),
    response: many(licenseDocumentRow.extend({ license_number: z.string(), customer_id: z.int(),
      customer_name: z.string(), title: z.string(), division: z.string(), phase: z.enum(LICENSE_PHASES),
      offer_expires_at: z.string().nullable() })) }),
};

export const documentBulk = bulk(licenseDocumentEndpoints.everywhere,
  { noun: ['document', 'documents'], href: null, named: ['description', 'file_name', 'type'] },
  [trashing(licenseDocumentEndpoints)]);
