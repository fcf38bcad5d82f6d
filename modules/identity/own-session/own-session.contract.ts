/** Own sessions: the list of the own sessions, and ending them (X181-X183). */
import * as z from 'zod';
import { signedIn } from '#kit/auth.ts';
import { all, endpoint } from '#kit/endpoint.ts';

export const ownSession = z.object({
  id: z.int(),
  /** The session that asks. */
  current: z.boolean(),
  /** In words, guessed from what the browser says of itself: 'Firefox on Windows'. */
  device: z.string(),
  kind: z.enum(['computer', 'phone', 'tablet', 'program']),
  /** The place: the network address it was last opened from. */
  ip: z.string().nullable(),
  second_factor: z.enum(['code', 'recovery_code', 'passkey']).nullable(),
  created_at: z.string(),
  last_seen_at: z.string(),
  expires_at: z.string(),
});
export type OwnSession = z.infer<typeof ownSession>;

const path = '/api/users/me/sessions';

export const ownSessionEndpoints = {
  list: endpoint({ method: 'GET', path, auth: signedIn, summary: 'Own sessions', response: all(ownSession) }),
  end: endpoint({ method: 'DELETE', path: `${path}/{id}` as const, auth: signedIn, confirm: true,
    summary: 'Sign one device out', response: null }),
  endOthers: endpoint({ method: 'DELETE', path, auth: signedIn, confirm: true,
    summary: 'Sign out everywhere else', response: null }),
};
