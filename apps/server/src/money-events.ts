/** Subscribers to money events: the contexts that act on them, in the same transaction. */
import { licensingMoney } from '#modules/licensing/licensing.public.server.ts';
import { payablesMoney } from '#modules/payables/payables.public.server.ts';
import { receivablesMoney } from '#modules/receivables/receivables.public.server.ts';
import { royaltyMoney } from '#modules/royalties/royalties.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import type { MoneyEvents } from '#server/money-events.ts';

export const moneyEvents: MoneyEvents<WorkContext> = { licensing: licensingMoney, royalties: royaltyMoney,
  receivables: receivablesMoney, payables: payablesMoney };
