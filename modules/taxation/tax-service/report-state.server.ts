/** Report state of a new or changed order, refund or customer: nothing to wait for if no tax service is set up. */
import type { WorkContext } from '#server/context.ts';

/** Name of the job that reports what is waiting. */
export const REPORT_TO_TAX_SERVICE = 'report-to-tax-service';

export function reportLater(ctx: Pick<WorkContext, 'ports' | 'afterCommit'>): 'kept' | 'waiting' {
  if (ctx.ports.settings.tax_service === null) return 'kept';
  ctx.afterCommit(() => { ctx.ports.wake(REPORT_TO_TAX_SERVICE); });
  return 'waiting';
}
