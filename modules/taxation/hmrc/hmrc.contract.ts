/** HMRC's account of the UK division: connecting to it, what is open and owed there, and sending a return. */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { all, endpoint, one } from '#kit/endpoint.ts';
import { oneLine, version } from '#kit/field.ts';

/** Only the UK files with HMRC. */
const division = z.enum(['UK']).default('UK');
const base = '/api/admin/staff/accounting/hmrc';
const pixels = z.int().min(0).max(100_000);

/** Facts HMRC requires about the person's browser, sent along with each request (its fraud prevention). */
export const browserFacts = z.strictObject({
  user_agent: oneLine('Browser', z.string().trim().min(1).max(400)),
  device_id: z.uuid(),
  screens: z.array(z.strictObject({ width: pixels, height: pixels, scaling: z.number().min(0.1).max(100),
    depth: z.int().min(1).max(128) })).min(1).max(10),
  window: z.strictObject({ width: pixels, height: pixels }),
  utc_offset_minutes: z.int().min(-900).max(900),
});

export const hmrcConnection = z.object({
  division: z.enum(['UK']),
  state: z.enum(['not_configured', 'not_connected', 'connected', 'expired', 'revoked', 'disconnected']),
  /** null: without the settings of HMRC nothing can be sent. */
  environment: z.enum(['sandbox', 'production']).nullable(),
  granted_by_name: z.string().nullable(), granted_at: z.string().nullable(), valid_until: z.string().nullable(),
  version: z.int(),
});
export type HmrcConnection = z.infer<typeof hmrcConnection>;

export const hmrcAccount = z.object({
  obligations: z.array(z.object({ period_from: z.string(), period_to: z.string(), due_on: z.string(),
    is_open: z.boolean(), received_on: z.string().nullable() })),
  liabilities: z.array(z.object({ type: z.string(), period_from: z.string().nullable(),
    period_to: z.string().nullable(), due_on: z.string().nullable(), original_minor: z.int(),
    outstanding_minor: z.int() })),
  payments: z.array(z.object({ received_on: z.string().nullable(), amount_minor: z.int() })),
});
export type HmrcAccount = z.infer<typeof hmrcAccount>;

export const hmrcSubmission = z.object({ id: z.int(), state: z.enum(['sent', 'accepted', 'refused', 'not_received']),
  environment: z.enum(['sandbox', 'production']), refusal: z.string().nullable(), is_read_back: z.boolean(),
  form_bundle_number: z.string().nullable(), processing_date: z.string().nullable(),
  charge_ref_number: z.string().nullable(), sent_by_name: z.string(), sent_at: z.string() });
export type HmrcSubmission = z.infer<typeof hmrcSubmission>;

export const hmrcEndpoints = {
  connection: endpoint({ method: 'GET', path: `${base}/connection`, auth: staff('ledger_account.list'),
    summary: 'Whether the division is connected to HMRC, by whom and until when', response: one(hmrcConnection),
    query: z.strictObject({ division }) }),
  authorize: endpoint({ method: 'POST', path: `${base}/authorize`, auth: staff('transaction.update'),
    summary: 'Begin to connect: the address at HMRC where the person signs in and agrees',
    response: one(z.object({ url: z.string() })), body: z.strictObject({ division }), secret: true }),
  connect: endpoint({ method: 'POST', path: `${base}/connection`, auth: staff('transaction.update'),
    summary: 'Finish connecting with what HMRC sent back', response: one(hmrcConnection), secret: true,
    body: z.strictObject({ state: oneLine('State', z.string().trim().min(1).max(200)),
      code: oneLine('Code', z.string().trim().min(1).max(400)) }) }),
  disconnect: endpoint({ method: 'PUT', path: `${base}/disconnect`, auth: staff('transaction.update'),
    summary: 'Forget the authorization of HMRC', response: one(hmrcConnection),
    body: z.strictObject({ division, version }) }),
  account: endpoint({ method: 'POST', path: `${base}/account`, auth: staff('ledger_account.list'), readOnly: true,
    summary: 'Obligations, liabilities and payments of the last year as HMRC has them', response: one(hmrcAccount),
    body: z.strictObject({ division, browser: browserFacts }) }),
  submissions: endpoint({ method: 'GET', path: '/api/admin/staff/accounting/tax_returns/{id}/submissions',
    auth: staff('ledger_account.list'), summary: 'Each time the return was sent to HMRC, newest first',
    response: all(hmrcSubmission) }),
};
