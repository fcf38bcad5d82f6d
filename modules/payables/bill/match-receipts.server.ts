/**
 * Lines of a bill that take goods received before it: how many pieces of the receipt each clears off 2010, at their
 * cost. The receipt lines are locked first, so two bills never take the same pieces; the database holds it as well.
 */
import { conflict, invalid, type FieldErrors } from '#kit/errors.ts';
import { formatMoney } from '#kernel/money/money.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import type { ReadyLine } from './bill-lines.server.ts';

export interface MatchedLine extends ReadyLine {
  cleared_quantity: number | null;
  cleared_minor: number | null;
}

interface OfBill {
  /** Null for a new bill: what it takes already counts as free. */
  id: number | null;
  kind: string;
  vendor_id: number;
  division: string;
  currency: string;
}

interface Receipt { id: number; number: string; item: string; unit_cost_minor: number; free: number; vendor_id: number;
  division: string; currency: string }

async function receiptsOf(ctx: Pick<WorkContext, 'db'>, bill: OfBill, ids: readonly number[]):
Promise<Map<number, Receipt>> {
  await ctx.db.exec(sql`
    select 1 from goods_receipt_lines where id = any (${[...ids]}::bigint[]) order by id for update`);
  const rows = await ctx.db.query<Receipt>(sql`
    select t.id, r.number, coalesce(m.name, s.name) as item, t.unit_cost_minor, r.vendor_id, r.division, r.currency,
      t.quantity - t.returned_quantity - (select coalesce(sum(x.cleared_quantity), 0)::int from bill_lines x
        join bills b on b.id = x.bill_id where x.goods_receipt_line_id = t.id and b.status <> 'void'
          and b.deleted_at is null and b.id is distinct from ${bill.id}) as free
    from goods_receipt_lines t join goods_receipts r on r.id = t.goods_receipt_id
      left join materials m on m.id = t.material_id left join sales_items s on s.id = t.sales_item_id
    where t.id = any (${[...ids]}::bigint[])`);
  return new Map(rows.map((row) => [row.id, row]));
}

/** The field of a line and its words, where it cannot take the receipt. */
function problemOf(bill: OfBill, line: ReadyLine, receipt: Receipt | undefined): [string, string] | null {
  if (bill.kind === 'credit') return ['goods_receipt_line_id', 'A vendor credit names no goods received'];
  if (!receipt || receipt.vendor_id !== bill.vendor_id || receipt.division !== bill.division) {
    return ['goods_receipt_line_id', 'Choose goods received from this vendor in this division'];
  }
  if (receipt.currency !== bill.currency) {
    return ['goods_receipt_line_id', `These goods are kept in ${receipt.currency}. A bill in ${bill.currency
    } cannot take them`];
  }
  if (line.quantity === null) return ['quantity', 'Enter how many pieces are billed'];
  return line.net_minor > 0 ? null : ['net_minor', 'Enter an amount above zero'];
}

/**
 * @throws 422 at the line, 409 `bill.receipt_billed` where nothing of the receipt is left, and 409
 * `bill.over_received` where more is billed than is left of it and nobody has confirmed that.
 */
export async function matchReceipts(
  ctx: Pick<WorkContext, 'db'>, bill: OfBill, lines: readonly ReadyLine[], confirmed: boolean,
): Promise<MatchedLine[]> {
  const ids = lines.flatMap((line) => line.goods_receipt_line_id ?? []);
  if (ids.length === 0) return lines.map((line) => ({ ...line, cleared_quantity: null, cleared_minor: null }));
  const receipts = await receiptsOf(ctx, bill, ids);
  const grni = await ctx.db.one<{ id: number }>(sql`
    select id from ledger_accounts where division = ${bill.division} and system_key = 'grni'`);
  const errors: FieldErrors = {};
  const over: string[] = [];
  const matched = lines.map((line, k): MatchedLine => {
    if (line.goods_receipt_line_id === null) return { ...line, cleared_quantity: null, cleared_minor: null };
    const receipt = receipts.get(line.goods_receipt_line_id);
    const problem = problemOf(bill, line, receipt) ?? (line.ledger_account_id === grni.id ? null
      : ['ledger_account_id', 'Goods received before their bill are on Accrued purchases (2010)'] as const);
    if (problem || !receipt) {
      errors[`lines.${k}.${problem?.[0] ?? 'goods_receipt_line_id'}`] = [problem?.[1] ?? 'This does not exist'];
      return { ...line, cleared_quantity: null, cleared_minor: null };
    }
    const taken = Math.min(line.quantity!, receipt.free);
    if (taken <= 0) {
      throw conflict('bill.receipt_billed', `Everything that came with ${receipt.number} of ${receipt.item
      } is billed or sent back already.`, { goods_receipt_line_id: receipt.id });
    }
    receipt.free -= taken;
    const cleared_minor = taken * receipt.unit_cost_minor;
    if (line.quantity! > taken) {
      over.push(`${receipt.number}, ${receipt.item}: ${line.quantity} billed, ${taken} not billed yet, ${
        formatMoney(Math.max(line.net_minor - cleared_minor, 0), bill.currency)} more`);
    }
    return { ...line, cleared_quantity: taken, cleared_minor };
  });
  if (Object.keys(errors).length > 0) throw invalid(errors);
  if (over.length > 0 && !confirmed) {
    throw conflict('bill.over_received', `More is billed than was received: ${over.join('; ')
    }. The difference goes to Cost of materials (5100).`, { lines: over });
  }
  return matched;
}
