/**
 * Handles changes made elsewhere while a page was open. The next refusal re-reads the person (current-user.ts): with
 * changed rights the guards decide again, and a person whose session is gone (signed out from another device, a changed
 * password, idleness) signs in and returns to the same place (reliability.md 1.1).
 */
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { PageRow } from '#kit/page.ts';
import { toast } from '#web/data/toast.tsx';
import { useNavigation } from '#web/navigation/navigation.tsx';
import { remember } from '#web/navigation/remembered-location.ts';
import { forgetUser, useCurrentUser, type Person } from '#web/query/current-user.ts';
import type { Screen } from './page-table.ts';

/** Facts the guards check about a person, as one string. */
const rightsOf = (user: Person | null | undefined): string | null =>
  user ? [user.role, ...user.permission_values, ...user.customers.map(({ id }) => id)].join(' ') : null;

function useChangedRights(user: Person | null | undefined): void {
  const router = useRouter();
  const rights = rightsOf(user);
  const known = useRef(rights);
  useEffect(() => {
    if (known.current !== null && rights !== null && rights !== known.current) void router.invalidate();
    known.current = rights ?? known.current;
  }, [rights, router]);
}

export function useChangedPerson(page: PageRow<Screen> | undefined): void {
  const client = useQueryClient();
  const { go } = useNavigation();
  const { history } = useRouter();
  const user = useCurrentUser();
  useChangedRights(user);
  const wasSomebody = useRef(false);
  if (user) wasSomebody.current = true;
  const guarded = page !== undefined && page.area !== 'public';
  useEffect(() => {
    // Visitors without a session are sent to the sign-in by the page's guard.
    if (user !== null || !guarded || !wasSomebody.current) return;
    wasSomebody.current = false;
    remember(history.location.href);
    toast('You are signed out. Sign in to go on where you were.');
    forgetUser(client);
    go('/login', { replace: true });
  }, [user, guarded, client, go, history]);
}
