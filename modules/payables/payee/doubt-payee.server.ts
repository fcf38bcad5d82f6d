/** A payment came back: nobody is paid to the bank details of its payee before a person has confirmed them again. */
import { doubtRoyaltorBank } from '#modules/catalogue/catalogue.public.server.ts';
import { doubtCustomerBank } from '#modules/customers/customers.public.server.ts';
import { doubtBankDetails } from '#modules/operations/operations.public.server.ts';
import type { WorkContext } from '#server/context.ts';

export async function doubtPayee(ctx: WorkContext, of: { party_type: string; party_id: number }): Promise<void> {
  if (of.party_type === 'vendor') await doubtBankDetails(ctx, of.party_id);
  if (of.party_type === 'customer') await doubtCustomerBank(ctx, of.party_id);
  if (of.party_type === 'royaltor') await doubtRoyaltorBank(ctx, of.party_id);
}
