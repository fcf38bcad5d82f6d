/** Import templates: how a kind of file is read, column by column, saved under a name (A352-A356). */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { endpoint, listQuery, many, one } from '#kit/endpoint.ts';
import { currencyCode, oneLine, version } from '#kit/field.ts';
import { DATE_FORMATS, DATE_MEANINGS, DECIMAL_STYLES, DELIMITERS } from '../imports/import-field.contract.ts';
import { IMPORT_MODELS } from '../imports/kinds/import-kind.contract.ts';

export const REPORT_SCOPES = ['performance', 'week', 'run'] as const;

export const templateSettings = {
  delimiter: z.enum(DELIMITERS, 'Choose the delimiter').default(','),
  date_format: z.enum(DATE_FORMATS, 'Choose the date format').default('YYYY-MM-DD'),
  decimal_style: z.enum(DECIMAL_STYLES, 'Choose the decimal style').default('point'),
  report_scope: z.enum(REPORT_SCOPES, 'Choose what one row is').default('week'),
  date_is: z.enum(DATE_MEANINGS, 'Choose what the date means').default('week_end'),
  currency: currencyCode.default('USD'),
};

export const templateRow = z.object({
  id: z.int(),
  name: z.string(),
  /** Contents of its files. */
  model_name: z.enum(IMPORT_MODELS),
  delimiter: z.enum(DELIMITERS),
  date_format: z.enum(DATE_FORMATS),
  decimal_style: z.enum(DECIMAL_STYLES),
  /** Unit of one row of a box-office file, and the meaning of its date; other kinds do not use them. */
  report_scope: z.enum(REPORT_SCOPES),
  date_is: z.enum(DATE_MEANINGS),
  currency: currencyCode,
  /** Columns it names. */
  columns_count: z.int(),
  imports_count: z.int(),
  active: z.boolean(),
  version: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type TemplateRow = z.infer<typeof templateRow>;

export const templateColumn = z.strictObject({
  /** One of the fields of the template's kind. */
  field: z.string().min(1, 'Choose the field').max(60),
  /** Head of the column in the file. */
  column_name: z.string().trim().min(1, 'Name the column').max(120),
  /** Gross only: whole units with decimals, or cents. */
  amount_unit: z.enum(['major', 'minor']).nullable().default(null),
  /** Stands where the column is missing or the cell is empty. */
  default_value: z.string().trim().max(200).nullable().default(null),
});
export type TemplateColumn = z.infer<typeof templateColumn>;

export const templateMaps = z.object({ template: templateRow, columns: z.array(templateColumn) });

const list = '/api/admin/staff/import_templates';

export const importTemplateEndpoints = {
  list: endpoint({ method: 'GET', path: list, auth: staff('import_template.list'), summary: 'List import templates',
    query: listQuery({ filters: { model_name: z.enum(IMPORT_MODELS).optional(), active: z.stringbool().optional() },
      sort: ['name', 'updated_at'] }), response: many(templateRow) }),
  create: endpoint({ method: 'POST', path: list, auth: staff('import_template.create'),
    summary: 'Create an import template; its columns start as those of our own',
    body: z.strictObject({ name: oneLine('Name', z.string().trim().min(1, 'Name is required').max(120)),
      model_name: z.enum(IMPORT_MODELS).default('box_office_reports'), ...templateSettings }),
    response: one(templateRow), status: 201 }),
  download: endpoint({ method: 'GET', path: `${list}/{id}/download`, auth: staff('import_template.download'),
    summary: 'The heads of a template with one example row, as CSV', response: 'file' }),
  maps: endpoint({ method: 'GET', path: `${list}/{id}/maps`, auth: staff('import_template.listMaps'),
    summary: 'Columns of a template', response: one(templateMaps) }),
  saveMaps: endpoint({ method: 'PUT', path: `${list}/{id}/maps`, auth: staff('import_template.mapColumns'),
    summary: 'Replace the columns and settings of a template', response: one(templateMaps),
    body: z.strictObject({ columns: z.array(templateColumn).min(1, 'Name at least one column').max(40),
      name: oneLine('Name', z.string().trim().min(1, 'Name is required').max(120)).optional(),
        active: z.boolean().optional(),
      delimiter: z.enum(DELIMITERS).optional(), date_format: z.enum(DATE_FORMATS).optional(),
      decimal_style: z.enum(DECIMAL_STYLES).optional(), report_scope: z.enum(REPORT_SCOPES).optional(),
      date_is: z.enum(DATE_MEANINGS).optional(), currency: currencyCode.optional(), version }) }),
};
