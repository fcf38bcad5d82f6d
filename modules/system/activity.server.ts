/** X200: the history of one record, by the right to that record. */
import { invalidField, refuse } from '#kit/errors.ts';
import { grants } from '#kit/permission.ts';
import { activityOf } from '#server/activity.ts';
import { serve, type Route } from '#server/routes.ts';
import { ACTIVITY_PERMISSIONS, activityEndpoints } from './activity.contract.ts';

export const activityRoutes: Route[] = serve(activityEndpoints, {
  async list(ctx, { query }) {
    const { entity, entity_id: id } = query;
    if (entity === undefined) throw invalidField('entity', 'Name the kind of record');
    if (id === undefined) throw invalidField('entity_id', 'Name the record');
    if (ctx.user.role === 'staff_user' && !grants(ctx.user.permissions, ACTIVITY_PERMISSIONS[entity])) {
      throw refuse('forbidden');
    }
    return activityOf(ctx.db, { entity, entity_id: id }, query, activityEndpoints.list.path);
  },
});
