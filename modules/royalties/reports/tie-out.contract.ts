/** Ties 2200, 2210 and 1140 to the royalties behind them, per royaltor (domain.md 3.3, I11). */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { endpoint, one } from '#kit/endpoint.ts';
import { currencyCode, divisionCode } from '#kit/field.ts';

export const tieOutRow = z.object({
  account: z.enum(['2200', '2205', '2210', '1140', '1150']), royaltor_id: z.int(), royaltor_name: z.string(),
  currency: currencyCode,
  /** Amounts by royalties and by the ledger; both positive if owed or held. */
  royalties_minor: z.int(), ledger_minor: z.int(), difference_minor: z.int(),
  /** The same as it is carried in the division's own currency. */
  royalties_functional_minor: z.int(), ledger_functional_minor: z.int(), functional_difference_minor: z.int(),
});
export type TieOutRow = z.infer<typeof tieOutRow>;
export const tieOutReport = z.object({ division: divisionCode, currency: currencyCode, rows: z.array(tieOutRow),
  differences: z.int() });

export const tieOutEndpoints = {
  report: endpoint({ method: 'GET', path: '/api/admin/staff/accounting/reports/royalty_tie_out',
    auth: staff('ledger_account.view'), summary: 'Royalty accounts against the royalties behind them',
    query: z.strictObject({ division: divisionCode,
      only_differences: z.enum(['true', 'false']).default('false') }),
    response: one(tieOutReport) }),
};
