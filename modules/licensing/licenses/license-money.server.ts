/** Money that reached a licence may execute it: receivables tells, in the transaction of the receipt. */
import type { WorkContext } from '#server/context.ts';
import type { LicensingMoney } from '#server/money-events.ts';
import { refreshChecklist } from '../checklist/refresh-checklist.server.ts';
import { findLicense } from './license-record.server.ts';
import { closeTasks } from './notify.server.ts';
import { executeIfMet } from './execute-license.server.ts';

export const licensingMoney: LicensingMoney<WorkContext> = {
  async licensePaid(ctx, paid) {
    await executeIfMet(ctx, paid.license_id);
    await refreshChecklist(ctx, paid.license_id);
    const { balance_minor: owed } = await findLicense(ctx.db, paid.license_id);
    if (owed <= 0) await closeTasks(ctx, paid.license_id, ['unpaid_balance', 'pay_by_passed']);
  },
};
