/**
 * The door of the stock: movements are written here and nowhere else, balances follow by a trigger. Locks are taken in
 * one order (warehouse, material, sales item), so that clerks wait for each other instead of dying together. What would
 * go below zero is refused in words before, and by a constraint in any case (I6).
 */
import { randomUUID } from 'node:crypto';
import { conflict } from '#kit/errors.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import type { MOVEMENT_KINDS } from './movement.contract.ts';

export type Location = 'on_hand' | 'picked' | 'on_hire' | 'quarantine' | 'damaged';
export interface Movement {
  kind: (typeof MOVEMENT_KINDS)[number];
  warehouse_id: number;
  material_id: number | null;
  sales_item_id: number | null;
  copy_id?: number | null;
  quantity: number;
  from: Location | null;
  to: Location | null;
  reserved_delta?: number;
  line_id?: number | null;
  perusal_id?: number | null;
  reason?: string;
}

type ItemPlace = Pick<Movement, 'warehouse_id' | 'material_id' | 'sales_item_id'>;
export interface Balance extends ItemPlace { on_hand: number; reserved: number; picked: number; on_hire: number;
  quarantine: number; damaged: number }

const keyOf = (m: ItemPlace): string => `${m.warehouse_id}/${m.material_id ?? ''}/${m.sales_item_id ?? ''}`;

function inOrder(a: ItemPlace, b: ItemPlace): number {
  return a.warehouse_id - b.warehouse_id || (a.material_id ?? 0) - (b.material_id ?? 0)
    || (a.sales_item_id ?? 0) - (b.sales_item_id ?? 0);
}

/** Balances of these items, locked until the transaction ends; an item without a row has nothing anywhere. */
export async function lockBalances(ctx: WorkContext, places: readonly ItemPlace[]): Promise<(place: ItemPlace) =>
Balance> {
  const sorted = [...new Map(places.map((place) => [keyOf(place), place])).values()].toSorted(inOrder);
  const found = new Map<string, Balance>();
  for (const place of sorted) {
    const row = await ctx.db.maybeOne<Balance>(sql`
      select warehouse_id, material_id, sales_item_id, on_hand, reserved, picked, on_hire, quarantine, damaged
      from stock_balances where warehouse_id = ${place.warehouse_id}
        and material_id is not distinct from ${place.material_id}::bigint
        and sales_item_id is not distinct from ${place.sales_item_id}::bigint for no key update`);
    found.set(keyOf(place), row ?? { ...place, on_hand: 0, reserved: 0, picked: 0, on_hire: 0, quarantine: 0,
      damaged: 0 });
  }
  return (place) => found.get(keyOf(place))!;
}

/** Writes the movements in the order of locks; answers the batch they belong to. */
export async function postMovements(ctx: WorkContext, movements: readonly Movement[]): Promise<string> {
  const batch = randomUUID();
  for (const one of movements.toSorted(inOrder)) {
    await explained(one, () => ctx.db.exec(sql`
      insert into stock_movements (batch_id, kind, warehouse_id, material_id, sales_item_id, material_copy_id, quantity,
        from_location, to_location, reserved_delta, sales_order_line_id, perusal_id, reason, actor_id, occurred_at)
      values (${batch}, ${one.kind}, ${one.warehouse_id}, ${one.material_id}, ${one.sales_item_id},
        ${one.copy_id ?? null}, ${one.quantity}, ${one.from}, ${one.to}, ${one.reserved_delta ?? 0},
        ${one.line_id ?? null}, ${one.perusal_id ?? null}, ${one.reason ?? ''}, ${ctx.actor.actor_id},
        ${ctx.now().toISOString()})`));
  }
  return batch;
}

/** The words behind the constraints: whoever comes second is told what happened, and nothing of his is kept. */
async function explained(movement: Movement, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const { code, constraint } = error as { code?: string; constraint?: string };
    if (code !== '23514') throw error;
    if (constraint === 'stock_copy_place') {
      throw conflict('stock.copy_elsewhere', 'This copy is not where it was; it may have been scanned twice.',
        { copy_id: movement.copy_id });
    }
    if (constraint === 'stock_copy_named') {
      throw conflict('stock.copy_needed', 'Copies of this material are tracked: scan the barcode of each.',
        { material_id: movement.material_id });
    }
    throw conflict('stock.short', 'There is not enough in stock; somebody may have taken it meanwhile.',
      { material_id: movement.material_id, sales_item_id: movement.sales_item_id });
  }
}
