/** Email groups: a list that staff keep. */
import { crud } from '#server/crud.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { emailGroup, emailGroupEndpoints } from './email-group.contract.ts';

const groups = crud(emailGroup, {
  table: 'email_groups', search: sql`concat_ws(' ', t.name, t."emailRoute", t.description)`,
  sorts: { name: sql`t.name collate "und-x-icu"` },
  unique: { email_groups_name: ['name', 'There is an email group of this name already'] },
});

export const emailGroupRoutes: Route[] = serve(emailGroupEndpoints, {
  list: groups.list, show: groups.show, create: groups.create, update: groups.update, remove: groups.remove,
});
