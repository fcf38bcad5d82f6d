/** A283: the reports whose screens the caller may open. */
import { grants } from '#kit/permission.ts';
import { serve, type Route } from '#server/routes.ts';
import { REPORTS } from './report-list.ts';
import { reportingEndpoints } from './reporting.contract.ts';

export const reportingRoutes: Route[] = serve(reportingEndpoints, {
  list: (ctx) => Promise.resolve({ data: REPORTS.filter(({ permission }) => ctx.user.role !== 'staff_user'
    || grants(ctx.user.permissions, permission)) }),
});
