/** Reason of the day that something is due, as screens word it in the format of their other days. */
import * as z from 'zod';
import { PAY_BY_REASONS } from '#kernel/licensing/pay-by.ts';

/** {@link reasonWords} of the kernel makes words of it; null where the day needs no reason. */
export const dueReasonAnswer = z.object({ why: z.enum([...PAY_BY_REASONS, 'terms']),
  /** Planned day of the first shipment, where that is the reason. */
  ships_on: z.string().nullable(),
  /** Terms of an invoice, from its date. */
  days: z.int().nullable() }).nullable();
