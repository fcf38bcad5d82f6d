/** Auditor's package: the books of a division and a month as one archive. */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { endpoint } from '#kit/endpoint.ts';
import { divisionCode } from '#kit/field.ts';

export const auditorPackageEndpoints = {
  file: endpoint({ method: 'GET', path: '/api/admin/staff/accounting/auditor_package',
    auth: staff('ledger_account.view'), response: 'file',
    summary: 'Trial balance, general ledger, journal, open items, reconciliations and integrity of a month as CSV and '
      + 'PDF in one ZIP; who downloads it is kept',
    query: z.strictObject({ division: divisionCode.default('US'),
      period: z.coerce.number().int().min(190_001).max(299_912) }) }),
};
