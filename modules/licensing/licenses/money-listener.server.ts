/** Money that reached a licence may execute it: receivables tells, in the transaction of the receipt. */
import { listenToMoney, type MoneyListener } from '#modules/receivables/receivables.public.server.ts';
import { refreshChecklist } from '../checklist/refresh-checklist.server.ts';
import { executeIfMet } from './execute-license.server.ts';

const listener: MoneyListener = {
  async licensePaid(ctx, paid) {
    await executeIfMet(ctx, paid.license_id);
    await refreshChecklist(ctx, paid.license_id);
  },
};
listenToMoney(listener);
