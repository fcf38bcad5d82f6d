/** Shared parts of the calls that approve or decline another person's draft. */
import * as z from 'zod';
import { version } from './field.ts';

/** Why something is declined: the person who prepared it reads it. */
export const declineReason = z.string().trim().min(1, 'Say why it is declined').max(1000);
export const declineBody = z.strictObject({ version, reason: declineReason });

/** The decline of a draft as it stands; a change of the draft takes it away. */
export const declinedRow = z.object({ reason: z.string(), by_name: z.string(), at: z.string() });
