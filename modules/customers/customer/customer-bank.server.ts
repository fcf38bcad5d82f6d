/** Bank details of customers, written on their written instruction, for refunds that leave by a bank file. */
import { refuse } from '#kit/errors.ts';
import { tellOfBankDetails } from '#modules/notifications/notifications.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { serve, type Route } from '#server/routes.ts';
import { bankPersons, correctBank, doubtBank, sealedDetails, waitingBankDetails, type CorrectedBank }
  from '#server/sealed-details.ts';
import { empty, sql, type Sql } from '#server/sql.ts';
import { customerBankEndpoints, type CustomerBank } from './customer-bank.contract.ts';

async function find(db: Queryable, id: number, lock = false): Promise<CustomerBank> {
  const row = await db.maybeOne<CustomerBank>(sql`
    select t.id, t.name, t.version, t.bank_account_last4, t.bank_kind, t.bank_country, t.bank_holder,
      ${bankPersons.bank_written_by_id} as bank_written_by_id,
      ${bankPersons.bank_written_by_name} as bank_written_by_name, t.bank_details_changed_at, t.bank_verified_at,
      ${bankPersons.bank_verified_by_name} as bank_verified_by_name, t.bank_verified_note
    from customers t where t.id = ${id} and t.deleted_at is null ${lock ? sql`for update of t` : empty}`);
  if (!row) throw refuse('not_found');
  return row;
}

const tell = tellOfBankDetails(customerBankEndpoints.verifyBankDetails, '/admin/customers', '/finance');
const { taxId: _noTaxId, ...writes } = sealedDetails({ table: 'customers', entity: 'customer', find, tell });

export const customerBankRoutes: Route[] = serve(customerBankEndpoints, {
  bank: async (ctx, { params }) => ({ data: await find(ctx.db, params.id) }),
  ...writes,
});

export const waitingCustomerBank = (): Sql => waitingBankDetails('customer_bank', 'customers',
  { href: '/admin/customers/', page: '/finance', division: sql`t.default_division` });

/** A refund came back: nobody is paid to these details before a person has confirmed them again. */
export const doubtCustomerBank = (ctx: WorkContext, id: number): Promise<void> =>
  doubtBank(ctx, { table: 'customers', entity: 'customer' }, id);

/** The bank of a customer corrects its bank details: written unread, and verified by a second person. */
export const correctCustomerBank = (ctx: WorkContext, id: number, of: CorrectedBank): Promise<void> =>
  correctBank(ctx, { table: 'customers', entity: 'customer', tell }, id, of);
