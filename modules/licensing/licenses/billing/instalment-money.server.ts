/** Payment plans follow what receivables bills of them, in the transaction of the document. */
import type { WorkContext } from '#server/context.ts';
import type { InstalmentMoney } from '#server/money-events.ts';
import { sql } from '#server/sql.ts';

export const instalmentMoney: InstalmentMoney<WorkContext> = {
  async instalmentBilled(ctx, billed) {
    const document = 'proforma_id' in billed ? sql`proforma_id = ${billed.proforma_id}`
      : 'deposit_id' in billed ? sql`deposit_id = ${billed.deposit_id}`
        : sql`invoice_id = ${billed.invoice_id}, proforma_id = null`;
    await ctx.db.exec(sql`
      update license_instalments set status = 'billed', ${document} where id = ${billed.instalment_id}`);
  },
  async depositInvoiced(ctx, { instalment_id, invoice_id }) {
    await ctx.db.exec(sql`update license_instalments set invoice_id = ${invoice_id} where id = ${instalment_id}`);
  },
  async proFormaInvoiced(ctx, { proforma_id, invoice_id }) {
    await ctx.db.exec(sql`
      update license_instalments set invoice_id = ${invoice_id} where proforma_id = ${proforma_id}`);
  },
  async proFormaVoided(ctx, { proforma_id }) {
    await ctx.db.exec(sql`
      update license_instalments set status = 'planned', proforma_id = null where proforma_id = ${proforma_id}`);
  },
  async proFormaDeleted(ctx, { proforma_id }) {
    await ctx.db.exec(sql`update license_instalments set proforma_id = null where proforma_id = ${proforma_id}`);
  },
  async proFormasWithdrawn(ctx, { license_id }) {
    await ctx.db.exec(sql`
      update license_instalments set status = 'planned', proforma_id = null, deposit_id = null
      where license_id = ${license_id} and status = 'billed' and invoice_id is null`);
  },
  async instalmentsPaid(ctx, { instalment_ids }) {
    await ctx.db.exec(sql`
      update license_instalments set status = 'paid'
      where id = any(${[...instalment_ids]}::bigint[]) and status = 'billed'`);
  },
};
