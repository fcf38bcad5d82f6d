/** Customer classifications. */
import { refuse } from '#kit/errors.ts';
import { crud } from '#server/crud.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { classification, classificationEndpoints } from './classification.contract.ts';

const MEMBERS = sql`(select count(*) from customer_customer_classifications m
  where m.customer_classification_id = t.id)`;

const classifications = crud(classification, {
  table: 'customer_classifications', trash: true, search: sql`concat_ws(' ', t.name, t.key, t.description)`,
  sorts: { name: sql`t.name collate "und-x-icu"` },
  extra: { customer_count: MEMBERS },
  unique: {
    customer_classifications_key_key: ['key', 'Another classification has this key'],
    customer_classifications_name: ['name', 'Another classification has this name'],
  },
});

export const classificationRoutes: Route[] = serve(classificationEndpoints, {
  ...classifications,
  async purge(ctx, { params }) {
    const before = await classifications.find(ctx.db, params.id, true, true);
    if ((before.customer_count as number) > 0) throw refuse('in_use', 'Customers still have this classification.');
    await ctx.db.exec(sql`delete from customer_classifications where id = ${params.id}`);
    await ctx.audit({ action: 'purge', entity: 'customer_classification', entity_id: params.id, before });
  },
});
