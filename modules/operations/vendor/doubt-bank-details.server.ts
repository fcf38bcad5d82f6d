/** A payment to a vendor came back: nobody is paid to its bank details before a person has confirmed them again. */
import type { WorkContext } from '#server/context.ts';
import { doubtBank } from '#server/sealed-details.ts';

export const doubtBankDetails = (ctx: WorkContext, id: number): Promise<void> =>
  doubtBank(ctx, { table: 'vendors', entity: 'vendor' }, id);
