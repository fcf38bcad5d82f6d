/**
 * Ends the session, forgets everything read and typed with it and starts at the sign-in page. The cart stays
 * (gaps G60).
 */
import type { QueryClient } from '@tanstack/react-query';
import { call, remote } from '#kit/client.ts';
import { dropDrafts } from '#web/controls/form/form-draft.ts';
import { toast } from '#web/data/toast.tsx';
import { forgetUser } from '#web/query/current-user.ts';
import type { sessionEndpoints } from './session.contract.ts';

const logout = remote<typeof sessionEndpoints.logout>('POST', '/api/auth/logout');

export async function signOut(client: QueryClient): Promise<void> {
  try {
    await call(logout, {});
    forgetUser(client);
    dropDrafts();
    window.location.assign('/login');
  } catch (error) {
    toast(error instanceof Error ? error.message : 'You could not be signed out.', { tone: 'error' });
  }
}
