/** What calls have in common that approve what another person prepared, or decline it. */
import * as z from 'zod';
import { version } from './field.ts';

/** Why something is declined: the person who prepared it reads it. */
export const declineReason = z.string().trim().min(1, 'Say why it is declined').max(1000);
export const declineBody = z.strictObject({ version, reason: declineReason });

/** The decline of a draft as it stands; a change of the draft takes it away. */
export const declinedRow = z.object({ reason: z.string(), by_name: z.string(), at: z.string() });
