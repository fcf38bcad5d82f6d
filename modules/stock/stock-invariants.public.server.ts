/** Invariant I6 (domain.md 7.2) as sentences that the database can contradict; imports nothing of the ledger. */
import type { Invariant } from '#modules/accounting/report/integrity-types.ts';
import { sql, type Sql } from '#server/sql.ts';
import { PIECES_OUT } from './sales-order/pieces-out.server.ts';

const moved = (place: string): Sql => sql`sum(case when m.to_location = ${place} then m.quantity else 0 end
  - case when m.from_location = ${place} then m.quantity else 0 end)`;

export const STOCK_INVARIANTS: readonly Invariant[] = [
  {
    key: 'stock_balances', title: 'Stock by location equals the sum of its movements and is never negative.',
    violations: sql`
      select b.id as balance_id, b.warehouse_id, b.material_id, b.sales_item_id, b.on_hand, x.on_hand as moved
      from (select m.warehouse_id, m.material_id, m.sales_item_id, ${moved('on_hand')} as on_hand,
          ${moved('picked')} as picked, ${moved('on_hire')} as on_hire, ${moved('quarantine')} as quarantine,
          ${moved('damaged')} as damaged, sum(m.reserved_delta) as reserved
        from stock_movements m group by 1, 2, 3) x
      full join stock_balances b on b.warehouse_id = x.warehouse_id and b.material_id is not distinct from x.material_id
        and b.sales_item_id is not distinct from x.sales_item_id
      where (b.on_hand, b.picked, b.on_hire, b.quarantine, b.damaged, b.reserved)
          is distinct from (x.on_hand::int, x.picked::int, x.on_hire::int, x.quarantine::int, x.damaged::int,
            x.reserved::int)
        or least(b.on_hand, b.picked, b.on_hire, b.quarantine, b.damaged, b.reserved) < 0 or b.reserved > b.on_hand`,
  },
  {
    key: 'stock_orders', title: 'Lines of sales orders say what their movements say: reserved, picked, out, returned.',
    violations: sql`
      select l.id as sales_order_line_id, l.qty_reserved, l.qty_picked, l.qty_shipped
      from sales_order_lines l left join (
        select m.sales_order_line_id, sum(m.reserved_delta) as reserved, ${moved('picked')} as picked,
          sum(m.quantity) filter (where m.kind = 'ship') as shipped, ${moved('on_hire')} as out
        from stock_movements m where m.sales_order_line_id is not null group by 1) x on x.sales_order_line_id = l.id
      where l.physical and ((l.qty_reserved, l.qty_picked, l.qty_shipped) is distinct from
          (coalesce(x.reserved, 0)::int, coalesce(x.picked, 0)::int, coalesce(x.shipped, 0)::int)
        or l.return_required and ${PIECES_OUT} <> coalesce(x.out, 0))`,
  },
  {
    key: 'stock_copies', title: 'Every tracked copy is where the balance of its material counts it.',
    violations: sql`
      select b.warehouse_id, b.material_id, b.on_hand, b.on_hire
      from stock_balances b join materials m on m.id = b.material_id and m.serial_tracked
      left join lateral (select count(*) filter (where c.location = 'on_hand') as on_hand,
          count(*) filter (where c.location = 'picked') as picked,
          count(*) filter (where c.location = 'on_hire') as on_hire,
          count(*) filter (where c.location = 'quarantine') as quarantine,
          count(*) filter (where c.location = 'damaged') as damaged
        from material_copies c where c.material_id = b.material_id and c.warehouse_id = b.warehouse_id) x on true
      where (b.on_hand, b.picked, b.on_hire, b.quarantine, b.damaged) is distinct from
        (x.on_hand::int, x.picked::int, x.on_hire::int, x.quarantine::int, x.damaged::int)`,
  },
];
