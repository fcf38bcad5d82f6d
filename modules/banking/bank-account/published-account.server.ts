/** The bank account that customers are told for transfers in a currency that their division keeps no books in. */
import type { PayeeAccount } from '#kernel/payment-files/payment-batch.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { openAccountNumber } from './open-number.server.ts';

/** Account as a payer types it into the form of a bank; numbers without blanks. */
interface PublishedAccount {
  payee: string;
  bank_name: string | null;
  iban: string | null;
  bic: string | null;
  account_number: string | null;
  routing_number: string | null;
}

/** The open default account of a division and currency; null where there is none, or it has no number yet. */
export async function publishedAccount(
  ctx: WorkContext, { division, currency }: { division: string; currency: string },
): Promise<PublishedAccount | null> {
  const row = await ctx.db.maybeOne<{ id: number; bank_name: string; bic: string | null; entity: string }>(sql`
    select b.id, k.name as bank_name, k.bic, d.legal_entity_name as entity
    from bank_accounts b join banks k on k.id = b.bank_id join divisions d on d.code = b.division
    where b.division = ${division} and b.currency = ${currency} and b.is_default and b.closed_on is null
      and b.deleted_at is null`);
  const opened = row && await openAccountNumber(ctx, row.id);
  if (!row || !opened) return null;
  return { payee: opened.holder ?? row.entity, bank_name: row.bank_name, ...numbersOf(opened.account, row.bic) };
}

function numbersOf(account: PayeeAccount, bankBic: string | null):
Pick<PublishedAccount, 'iban' | 'bic' | 'account_number' | 'routing_number'> {
  const none = { iban: null, bic: bankBic, account_number: null, routing_number: null };
  switch (account.kind) {
    case 'iban': return { ...none, iban: account.iban, bic: account.bic ?? bankBic };
    case 'us': return { ...none, account_number: account.account, routing_number: account.routing };
    case 'uk': return { ...none, account_number: account.account, routing_number: account.sort_code };
    case 'other': return { ...none, account_number: account.account };
  }
}
