/** The number of a bank account of the house, opened for payment files and to compare the files of its bank with. */
import type { PayeeAccount } from '#kernel/payment-files/payment-batch.ts';
import type { WorkContext } from '#server/context.ts';
import { seal, unseal } from '#server/secret.ts';
import { sql } from '#server/sql.ts';

interface Row {
  holder: string | null;
  bank_account_encrypted: Buffer | null;
  bank_routing_encrypted: Buffer | null;
  bank_key_id: string | null;
  number_kind: PayeeAccount['kind'] | null;
}

/** null where the account has no number yet. Throws where the key of the installation is another one. */
export async function openAccountNumber(ctx: WorkContext, id: number):
Promise<{ holder: string | null; account: PayeeAccount } | null> {
  const row = await ctx.db.maybeOne<Row>(sql`
    select holder, bank_account_encrypted, bank_routing_encrypted, bank_key_id, number_kind
    from bank_accounts where id = ${id}`);
  if (!row || row.bank_account_encrypted === null || row.bank_key_id === null || row.number_kind === null) return null;
  const key_id = row.bank_key_id;
  const open = (field: string, bytes: Buffer): string =>
    unseal(ctx.ports.settings, `bank_account:${id}:${field}`, { bytes, key_id });
  const account = open('bank_account', row.bank_account_encrypted);
  const bank = row.bank_routing_encrypted === null ? '' : open('bank_routing', row.bank_routing_encrypted);
  return { holder: row.holder, account: accountOf(row.number_kind, account, bank) };
}

function accountOf(kind: PayeeAccount['kind'], account: string, bank: string): PayeeAccount {
  switch (kind) {
    case 'us': return { kind, routing: bank, account, savings: false };
    case 'uk': return { kind, sort_code: bank, account };
    case 'iban': return { kind, iban: account, bic: bank === '' ? null : bank };
    case 'other': return { kind, account, bank };
  }
}

const STATEMENT_NUMBER = (id: number): string => `bank_account:${id}:statement_number`;

/** The number by which the bank's files name the account, once a person has confirmed it; null without such a one. */
export async function openStatementNumber(ctx: WorkContext, id: number): Promise<string | null> {
  const row = await ctx.db.maybeOne<{ bytes: Buffer; key_id: string }>(sql`
    select statement_number_encrypted as bytes, statement_number_key_id as key_id from bank_accounts
    where id = ${id} and statement_number_encrypted is not null`);
  return row && unseal(ctx.ports.settings, STATEMENT_NUMBER(id), row);
}

export async function keepStatementNumber(ctx: WorkContext, id: number, number: string): Promise<void> {
  const { bytes, key_id } = seal(ctx.ports.settings, STATEMENT_NUMBER(id), number);
  await ctx.db.exec(sql`update bank_accounts set statement_number_encrypted = ${bytes},
    statement_number_key_id = ${key_id}, version = version + 1 where id = ${id}`);
}
