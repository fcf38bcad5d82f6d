/** Name and address that were approved: money and checks go to no others. */
import { conflict } from '#kit/errors.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { payeeBankOf, type Payee, type PayeeType } from './payee-bank.server.ts';

interface ApprovedPayment { id: number; party_type: string; party_id: number; party_name: string; in_run: boolean }

/** 409 that names the payee whose name or address was changed after the approval. */
export async function refuseOtherPayee(ctx: WorkContext, payment: ApprovedPayment, payee?: Payee): Promise<void> {
  const { approved } = await ctx.db.one<{ approved: string | null }>(sql`
    select payee_sha256 as approved from payments where id = ${payment.id}`);
  if (approved === null) return;
  const { sha256 } = payee ?? await payeeBankOf(ctx, payment.party_type as PayeeType, payment.party_id);
  if (sha256 === approved) return;
  const facts = { payee: payment.party_name };
  const said = `The name or address of ${payment.party_name} was changed after the approval. `;
  throw payment.in_run ? conflict('payment_run.payee_changed', `${said}Take the approval of the run back, and have it `
    + 'approved again.', facts)
    : conflict('payment.payee_changed', `${said}Change the payment, and have it approved again.`, facts);
}
