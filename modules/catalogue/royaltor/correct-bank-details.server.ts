/** The bank of a royaltor corrects its bank details: written unread, and verified by a second person. */
import { tellOfBankDetails } from '#modules/notifications/notifications.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { correctBank, type CorrectedBank } from '#server/sealed-details.ts';
import { royaltorEndpoints } from './royaltor.contract.ts';

export const correctRoyaltorBank = (ctx: WorkContext, id: number, of: CorrectedBank): Promise<void> =>
  correctBank(ctx, { table: 'royaltors', entity: 'royaltor',
    tell: tellOfBankDetails(royaltorEndpoints.verifyBankDetails, '/admin/royaltors') }, id, of);
