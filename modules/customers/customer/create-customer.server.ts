/** Customers made and changed by what is no form: imports come through here, by the rules of the form. */
import { invalidField } from '#kit/errors.ts';
import type { Address } from '#kit/field.ts';
import type * as z from 'zod';
import type { Ctx, WorkContext } from '#server/context.ts';
import type { Plan, Planned } from '#server/crud.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { createShippingAddress } from '../shipping-address/shipping-address.server.ts';
import type { customer } from './customer.contract.ts';
import { customers } from './customer.server.ts';

type Input = z.output<typeof customer.create>;

export async function createCustomer(ctx: WorkContext, input: Input): Promise<{ id: number }> {
  const { data } = await customers.create(ctx as Ctx, { body: input });
  return data as { id: number };
}

/** 412 where the version is not the stored one. */
export async function updateCustomer(
  ctx: WorkContext, id: number, body: Record<string, unknown> & { version: number },
): Promise<void> {
  await customers.update(ctx as Ctx, { params: { id }, body });
}

/** Dry run of {@link createCustomer} and {@link updateCustomer}: the refusal of each; used by an import beforehand. */
export const rehearseCustomers = (db: Queryable, plans: readonly Plan[]) =>
  customers.rehearse(db, plans, (row) => row as unknown as Input, () => Promise.resolve(({ row }: Planned<Input>) => {
    if (!row.divisions.includes(row.default_division)) {
      throw invalidField('divisions', `${row.default_division} is the default division and must be among them`);
    }
  }));

export interface Furniture {
  classification_ids: readonly number[];
  contact: { name: string; email: string | null; phone: string | null } | null;
  shipping: { attention: string; address: Address } | null;
}

/** Adds the related records of a new customer: its classes, the contact that mails greet, the shipping address. */
export async function furnishCustomer(ctx: WorkContext, id: number, with_: Furniture): Promise<void> {
  if (with_.classification_ids.length > 0) {
    await ctx.db.exec(sql`
      insert into customer_customer_classifications (customer_id, customer_classification_id)
      select ${id}, x from unnest(${[...new Set(with_.classification_ids)]}::bigint[]) x`);
  }
  if (with_.contact) {
    const { name, email, phone } = with_.contact;
    await ctx.db.exec(sql`
      insert into customer_contacts (customer_id, name, email, phone, is_primary)
      values (${id}, ${name}, ${email}, ${phone}, true)`);
    await ctx.audit({ action: 'add_contact', entity: 'customer', entity_id: id, after: with_.contact });
  }
  if (with_.shipping) {
    await createShippingAddress(ctx as Ctx, id, { label: 'Shipping', attention: with_.shipping.attention,
      address: with_.shipping.address, is_default: true });
  }
}
