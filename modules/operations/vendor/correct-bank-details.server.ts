/** The bank of a vendor corrects its bank details: written unread, and verified by a second person. */
import { tellOfBankDetails } from '#modules/notifications/notifications.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { correctBank, type CorrectedBank } from '#server/sealed-details.ts';
import { vendorEndpoints } from './vendor.contract.ts';

export const correctVendorBank = (ctx: WorkContext, id: number, of: CorrectedBank): Promise<void> =>
  correctBank(ctx, { table: 'vendors', entity: 'vendor',
    tell: tellOfBankDetails(vendorEndpoints.verifyBankDetails, '/admin/vendors') }, id, of);
