/** An advance as staff and the customer see it run down. */
import * as z from 'zod';

export const advanceBalanceAnswer = z.object({ charged_minor: z.int(),
  /** Still to be earned by the takings. */
  left_minor: z.int() });
export type AdvanceBalance = z.infer<typeof advanceBalanceAnswer>;
