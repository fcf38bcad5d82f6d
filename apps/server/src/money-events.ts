/** Who hears of money: the contexts that act on it, in its transaction. */
import { licensingMoney } from '#modules/licensing/licensing.public.server.ts';
import { royaltyMoney } from '#modules/royalties/royalties.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import type { MoneyEvents } from '#server/money-events.ts';

export const moneyEvents: MoneyEvents<WorkContext> = { licensing: licensingMoney, royalties: royaltyMoney };
