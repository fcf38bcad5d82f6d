/** Data a bank requires in the payment files of an account, and what is missing. */
import type { BodyOf } from '#kit/endpoint.ts';
import { refuse } from '#kit/errors.ts';
import type { PayoutMethod } from '#kernel/receivables/payout-methods.ts';
import { abaHolds } from '#kernel/receivables/bank-numbers.ts';
import { invalidField } from '#kit/errors.ts';
import type { WorkContext } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { profileEndpoints, type FileProfile } from './payment-run.contract.ts';

const EMPTY: Omit<FileProfile, 'bank_account_id'> = { originator_name: '', company_id: '', destination_routing: '',
  destination_name: '', origin_id: '', balanced: false, bic: null, organization_id: null, pain_version: '09',
  addresses: 'structured', one_debit: true, service_user: '', version: 1 };

export async function profileOf(ctx: Pick<WorkContext, 'db'>, id: number): Promise<FileProfile> {
  const known = await ctx.db.maybeOne(sql`select 1 from bank_accounts where id = ${id} and deleted_at is null`);
  if (!known) throw refuse('not_found');
  return await ctx.db.maybeOne<FileProfile>(sql`
    select bank_account_id, originator_name, company_id, destination_routing, destination_name, origin_id, balanced,
      bic, organization_id, pain_version, addresses, one_debit, service_user, version
    from payment_file_profiles where bank_account_id = ${id}`) ?? { ...EMPTY, bank_account_id: id };
}

const NEEDED: Partial<Record<PayoutMethod, readonly { field: keyof FileProfile; words: string }[]>> = {
  ach: [{ field: 'originator_name', words: 'company name' }, { field: 'company_id', words: 'company id' },
    { field: 'destination_routing', words: 'routing number of the bank' },
    { field: 'destination_name', words: 'name of the bank' }],
  sepa: [{ field: 'originator_name', words: 'company name' }],
  bacs: [{ field: 'originator_name', words: 'company name' },
    { field: 'service_user', words: 'service user number' }],
};

/** Words for what the file of the method still needs. */
export async function missingOf(ctx: Pick<WorkContext, 'db'>, account: number, method: PayoutMethod):
Promise<string[]> {
  const needed = NEEDED[method];
  if (!needed) return [];
  const profile = await profileOf(ctx, account);
  const numbered = await ctx.db.one<{ numbered: boolean }>(sql`
    select bank_account_encrypted is not null as numbered from bank_accounts where id = ${account}`);
  return [...needed.filter(({ field }) => profile[field] === '').map(({ words }) => words),
    ...(numbered.numbered ? [] : ['account number of the bank account'])];
}

async function changeProfile(ctx: WorkContext, id: number, body: BodyOf<typeof profileEndpoints.update>):
Promise<FileProfile> {
  await ctx.db.query(sql`select 1 from bank_accounts where id = ${id} for update`);
  const before = await profileOf(ctx, id);
  if (before.version !== body.version) throw stale({ ...before, updated_at: ctx.now().toISOString() });
  if (body.destination_routing !== '' && !abaHolds(body.destination_routing)) {
    throw invalidField('destination_routing', 'Enter the nine digits of the routing number; one is wrong');
  }
  await ctx.db.exec(sql`
    insert into payment_file_profiles (bank_account_id, originator_name, company_id, destination_routing,
      destination_name, origin_id, balanced, bic, organization_id, pain_version, addresses, one_debit, service_user,
      version)
    values (${id}, ${body.originator_name}, ${body.company_id}, ${body.destination_routing}, ${body.destination_name},
      ${body.origin_id}, ${body.balanced}, ${body.bic}, ${body.organization_id}, ${body.pain_version},
      ${body.addresses}, ${body.one_debit}, ${body.service_user}, 2)
    on conflict (bank_account_id) do update set originator_name = excluded.originator_name,
      company_id = excluded.company_id, destination_routing = excluded.destination_routing,
      destination_name = excluded.destination_name, origin_id = excluded.origin_id, balanced = excluded.balanced,
      bic = excluded.bic, organization_id = excluded.organization_id, pain_version = excluded.pain_version,
      addresses = excluded.addresses, one_debit = excluded.one_debit, service_user = excluded.service_user,
      version = payment_file_profiles.version + 1`);
  const after = await profileOf(ctx, id);
  await ctx.audit({ action: 'update_payment_files', entity: 'bank_account', entity_id: id, before, after });
  return after;
}

export const fileProfileRoutes: readonly Route[] = serve(profileEndpoints, {
  show: async (ctx, { params }) => ({ data: await profileOf(ctx, params.id) }),
  update: async (ctx, { params, body }) => ({ data: await changeProfile(ctx, params.id, body) }),
});
