/** The text of contracts as versions, one series per division and category; written by staff, approved by counsel. */
import * as z from 'zod';
import { CONDITIONS, paragraphProblems, type ContractCondition } from '#kernel/licensing/contract-form.ts';
import { staff, staffAdmin } from '#kit/auth.ts';
import { endpoint, listQuery, many, one } from '#kit/endpoint.ts';
import { divisionCode, id, oneLine, version } from '#kit/field.ts';

export const TEMPLATE_STATUSES = ['draft', 'in_use', 'retired'] as const;
const conditions = Object.keys(CONDITIONS) as [ContractCondition, ...ContractCondition[]];

const paragraph = z.strictObject({
  when: z.enum(conditions, 'Choose when the paragraph applies'),
  text: z.string().trim().max(4000).superRefine((text, ctx) => {
    for (const message of paragraphProblems(text)) ctx.addIssue({ code: 'custom', message });
  }),
});
const clause = z.strictObject({
  heading: oneLine('Heading', z.string().trim().min(1, 'Heading is required').max(120)),
  paragraphs: z.array(paragraph).min(1, 'Add a paragraph, or remove the clause').max(40),
});
const clauses = z.array(clause).min(1, 'Add a clause').max(60);

export const contractTemplateRow = z.object({
  id: z.int(), division: divisionCode, category: z.enum(['Amateur', 'Pro']), version_no: z.int(),
  status: z.enum(TEMPLATE_STATUSES), note: z.string(), clause_count: z.int(),
  /** Frozen offers and addenda made from it. */
  contract_count: z.int(),
  in_use_since: z.string().nullable(), counsel: z.string(), approved_at: z.string().nullable(),
  approved_by_name: z.string().nullable(), created_by_name: z.string().nullable(),
  version: z.int(), created_at: z.string(), updated_at: z.string(),
});
export type ContractTemplateRow = z.infer<typeof contractTemplateRow>;
export const contractTemplateDetail = contractTemplateRow.extend({ clauses: z.array(z.object({ heading: z.string(),
  paragraphs: z.array(z.object({ when: z.enum(conditions), text: z.string() })) })),
/** The draft that follows this version, where one is being written. */
draft_id: z.int().nullable() });
export type ContractTemplateDetail = z.infer<typeof contractTemplateDetail>;

const path = '/api/admin/staff/contract_templates';
const item = `${path}/{id}` as const;
const counsel = oneLine('Counsel', z.string().trim().max(200));

export const contractTemplateEndpoints = {
  list: endpoint({ method: 'GET', path, auth: staff('license_document.list'), summary: 'Versions of contract texts',
    query: listQuery({ filters: { division: divisionCode.optional(), category: z.enum(['Amateur', 'Pro']).optional(),
      status: z.enum(TEMPLATE_STATUSES).optional() }, sort: ['division', 'version_no', 'updated_at'] }),
    response: many(contractTemplateRow) }),
  show: endpoint({ method: 'GET', path: item, auth: staff('license_document.show'),
    summary: 'A version of a contract text', response: one(contractTemplateDetail) }),
  create: endpoint({ method: 'POST', path, auth: staff('license_document.create'), status: 201,
    summary: 'Start a new version of a contract text from an earlier one', body: z.strictObject({ from_id: id }),
    response: one(contractTemplateDetail) }),
  update: endpoint({ method: 'PUT', path: item, auth: staff('license_document.update'),
    summary: 'Change the draft of a contract text', response: one(contractTemplateDetail),
    body: z.strictObject({ version, clauses: clauses.optional(), note: z.string().trim().max(500).optional() }) }),
  remove: endpoint({ method: 'DELETE', path: item, auth: staff('license_document.delete'),
    summary: 'Delete the draft of a contract text', response: null }),
  activate: endpoint({ method: 'PUT', path: `${item}/activate`, auth: staffAdmin,
    summary: 'Use the draft for new contracts; the version before it is retired', response: one(contractTemplateDetail),
    body: z.strictObject({ version, counsel: counsel.default('') }) }),
  approve: endpoint({ method: 'PUT', path: `${item}/approve`, auth: staffAdmin,
    summary: 'Record that counsel approved the version in use', response: one(contractTemplateDetail),
    body: z.strictObject({ version, counsel: counsel.min(1, 'Enter the name of counsel') }) }),
  preview: endpoint({ method: 'GET', path: `${item}/preview`, auth: staff('license_document.show'),
    summary: 'The contract text with sample data, as PDF', response: 'file' }),
};
