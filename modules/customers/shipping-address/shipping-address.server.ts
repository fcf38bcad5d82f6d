/** Shipping addresses: one of them is the usual one as long as there is any. Staff and customer call the same. */
import type { BodyOf } from '#kit/endpoint.ts';
import { invalidField, refuse } from '#kit/errors.ts';
import type { Ctx } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import type { Queryable } from '#server/db.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { MOST_PLACES, portalShippingAddressEndpoints, shippingAddressEndpoints, type ShippingAddress }
  from './shipping-address.contract.ts';

/** Told in the customer's Activity, field by field. */
const told = ({ label, attention, is_default, address }: ShippingAddress) =>
  ({ label, attention, is_default, ...address });
/** Beside what was added: nothing stood there. */
const blank = (row: object) => Object.fromEntries(Object.keys(row).map((field) => [field, '']));

function addressesOf(db: Queryable, customerId: number): Promise<ShippingAddress[]> {
  return db.query<ShippingAddress>(sql`
    select id, label, attention, address, is_default, version from customer_shipping_addresses
    where customer_id = ${customerId} order by is_default desc, id`);
}

/** Those there are, with the customer locked: two who change the usual one come one after the other. 404 without it. */
async function locked(ctx: Ctx, customerId: number): Promise<ShippingAddress[]> {
  const customer = await ctx.db.maybeOne(sql`
    select 1 from customers where id = ${customerId} and deleted_at is null for update`);
  if (!customer) throw refuse('not_found');
  return addressesOf(ctx.db, customerId);
}

/** Another usual one takes the place of the one before. */
async function makeWay(ctx: Ctx, customerId: number): Promise<void> {
  await ctx.db.exec(sql`update customer_shipping_addresses set is_default = false, version = version + 1
    where customer_id = ${customerId} and is_default`);
}

/** Also for the first one, which an import brings along. */
export async function createShippingAddress(
  ctx: Ctx, customerId: number, body: BodyOf<typeof shippingAddressEndpoints.create>,
) {
  const there = await locked(ctx, customerId);
  if (there.length >= MOST_PLACES) throw invalidField('label', `At most ${MOST_PLACES} addresses. Remove one first.`);
  const usual = body.is_default || there.length === 0;
  if (usual) await makeWay(ctx, customerId);
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into customer_shipping_addresses (customer_id, label, attention, address, is_default)
    values (${customerId}, ${body.label}, ${body.attention}, ${JSON.stringify(body.address)}, ${usual}) returning id`);
  const data = await found(ctx, customerId, id);
  await ctx.audit({ action: 'add_shipping_address', entity: 'customer', entity_id: customerId,
    before: blank(told(data)), after: told(data) });
  return { data };
}

async function found(ctx: Ctx, customerId: number, id: number): Promise<ShippingAddress> {
  const row = (await addressesOf(ctx.db, customerId)).find((one) => one.id === id);
  if (!row) throw refuse('not_found');
  return row;
}

interface AddressParams { id: number; addressId: number }

async function update(
  ctx: Ctx, { id, addressId }: AddressParams, body: BodyOf<typeof shippingAddressEndpoints.update>,
) {
  const before = (await locked(ctx, id)).find((one) => one.id === addressId);
  if (!before) throw refuse('not_found');
  if (before.version !== body.version) throw stale(before);
  if (before.is_default && !body.is_default) {
    throw invalidField('is_default', 'Make another address the usual one instead');
  }
  if (body.is_default && !before.is_default) await makeWay(ctx, id);
  await ctx.db.exec(sql`
    update customer_shipping_addresses set label = ${body.label}, attention = ${body.attention},
      address = ${JSON.stringify(body.address)}, is_default = ${body.is_default}, version = version + 1
    where id = ${addressId}`);
  const data = await found(ctx, id, addressId);
  await ctx.audit({ action: 'change_shipping_address', entity: 'customer', entity_id: id, before: told(before),
    after: told(data) });
  return { data };
}

/** Orders have copies; the oldest of the others becomes the usual one. */
async function remove(ctx: Ctx, { id, addressId }: AddressParams): Promise<void> {
  const before = (await locked(ctx, id)).find((one) => one.id === addressId);
  if (!before) throw refuse('not_found');
  await ctx.db.exec(sql`delete from customer_shipping_addresses where id = ${addressId}`);
  if (before.is_default) {
    await ctx.db.exec(sql`update customer_shipping_addresses set is_default = true, version = version + 1
      where id = (select min(id) from customer_shipping_addresses where customer_id = ${id})`);
  }
  await ctx.audit({ action: 'remove_shipping_address', entity: 'customer', entity_id: id, before: told(before) });
}

const handlers = {
  list: async (ctx: Ctx, { params }: { params: { id: number } }) => ({ data: await addressesOf(ctx.db, params.id) }),
  create: (ctx: Ctx, { params, body }: { params: { id: number };
    body: BodyOf<typeof shippingAddressEndpoints.create> }) => createShippingAddress(ctx, params.id, body),
  update: (ctx: Ctx,
    { params, body }: { params: AddressParams; body: BodyOf<typeof shippingAddressEndpoints.update> }) =>
    update(ctx, params, body),
  remove: (ctx: Ctx, { params }: { params: AddressParams }) => remove(ctx, params),
};

export const shippingAddressRoutes: Route[] = [
  ...serve(shippingAddressEndpoints, { ...handlers,
    list: async (ctx, { params }) => {
      if (!await ctx.db.maybeOne(sql`select 1 from customers where id = ${params.id} and deleted_at is null`)) {
        throw refuse('not_found');
      }
      return handlers.list(ctx, { params });
    } }),
  ...serve(portalShippingAddressEndpoints, handlers),
];
