/** The reports that exist, for whoever may open them (A283, RT99). */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { all, endpoint } from '#kit/endpoint.ts';

export const REPORT_GROUPS = ['Books', 'Receivables', 'Payables', 'Tax', 'Royalties', 'Licensing'] as const;

export const reportRow = z.object({
  key: z.string(), group: z.enum(REPORT_GROUPS), title: z.string(),
  /** Question the report answers, in a sentence or two. */
  text: z.string(),
  /** Address of its screen. */
  href: z.string(),
});
export type ReportRow = z.infer<typeof reportRow>;

export const reportingEndpoints = {
  list: endpoint({ method: 'GET', path: '/api/admin/staff/reporting', auth: staff('export.download'),
    summary: 'The reports that one may open', response: all(reportRow) }),
};
