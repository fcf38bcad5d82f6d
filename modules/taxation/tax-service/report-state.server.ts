/** What a new or changed order, refund or customer waits for: nothing where no tax service is set up. */
import type { WorkContext } from '#server/context.ts';

export function reportLater(_ctx: WorkContext): 'kept' | 'waiting' {
  return 'kept';
}
