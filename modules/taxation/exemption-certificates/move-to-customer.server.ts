/** Certificates and number checks of a customer that turned out to be another one. */
import type { WorkContext } from '#server/context.ts';
import type { CustomerMerged } from '#server/customer-events.ts';
import { sql } from '#server/sql.ts';

/** A certificate that the other has already stays where it is; one that waits still waits for a decision. */
export async function moveCertificates(ctx: WorkContext, { from_customer_id: from, into_customer_id: into }:
CustomerMerged): Promise<void> {
  await ctx.db.exec(sql`
    update tax_exemption_certificates t set customer_id = ${into}, version = version + 1 where t.customer_id = ${from}
      and not exists (select 1 from tax_exemption_certificates o where o.customer_id = ${into}
        and (o.country, o.number, o.valid_from) = (t.country, t.number, t.valid_from)
        and o.state is not distinct from t.state)`);
}
