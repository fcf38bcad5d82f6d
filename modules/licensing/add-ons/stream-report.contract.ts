/**
 * Takings of a stream whose add-on is paid by a share of them (domain.md 2.7): each report is billed at once. It is
 * never changed; a wrong one is withdrawn with a credit note and reported anew.
 */
import * as z from 'zod';
import { customer, customerInPerson, staff } from '#kit/auth.ts';
import { all, endpoint, one } from '#kit/endpoint.ts';
import { currencyCode, id, isoDate, positiveMinor } from '#kit/field.ts';

const text = (max: number) => z.string().trim().max(max);

export const streamReportInput = z.strictObject({
  add_on_id: id, period_from: isoDate, period_to: isoDate,
  /** Amount viewers paid, without the tax on their tickets; minor units of the license's currency. */
  gross_minor: positiveMinor,
  note: text(500).default(''),
});

export const streamReport = z.object({
  id: z.int(), add_on_id: z.int(), name: z.string(), period_from: z.string(), period_to: z.string(),
  currency: currencyCode, gross_minor: z.int(), share_ppm: z.int(), fee_minor: z.int(), note: z.string(),
  invoice_id: z.int().nullable(), invoice_number: z.string().nullable(), from_portal: z.boolean(),
  created_at: z.string(), withdrawn_at: z.string().nullable(),
});
export type StreamReport = z.infer<typeof streamReport>;
const withReason = streamReport.extend({ withdrawn_reason: z.string().nullable() });
export type StaffStreamReport = z.infer<typeof withReason>;

const path = '/api/admin/staff/licenses/{licenseId}/stream_reports';
export const streamReportEndpoints = {
  list: endpoint({ method: 'GET', path, auth: staff('license.show'), summary: 'Streaming receipts of a licence',
    response: all(withReason) }),
  create: endpoint({ method: 'POST', path, auth: staff('license.update'), status: 201, idempotent: true,
    summary: 'Report what a stream took, and bill the share', body: streamReportInput, response: one(withReason) }),
  withdraw: endpoint({ method: 'POST', path: `${path}/{reportId}/withdraw`, auth: staff('license.update'),
    summary: 'Take a report of a stream back, with a credit note', body: z.strictObject({
      reason: text(500).min(1, 'Give a reason') }), response: one(withReason) }),
};

const home = '/api/customers/{id}/licenses/{licenseId}/stream_reports';
export const portalStreamReportEndpoints = {
  list: endpoint({ method: 'GET', path: home, auth: customer(), summary: 'Streaming receipts of a production',
    response: all(streamReport) }),
  create: endpoint({ method: 'POST', path: home, auth: customerInPerson('admin', 'signer'), status: 201,
    idempotent: true, summary: 'Report what a stream took; the share is billed at once', body: streamReportInput,
    response: one(streamReport) }),
};
