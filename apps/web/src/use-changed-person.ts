/**
 * What changed elsewhere while a page was open. The next refusal has the person read anew (current-user.ts): with other
 * rights the guards decide again, and whoever is nobody any more (signed out from another device, a changed password,
 * idleness) signs in and comes back to where they were (reliability.md 1.1).
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

/** What the guards ask of a person, as one text. */
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
    // Who comes without a session is led to the sign-in by the guard of the page.
    if (user !== null || !guarded || !wasSomebody.current) return;
    wasSomebody.current = false;
    remember(history.location.href);
    toast('You are signed out. Sign in to go on where you were.');
    forgetUser(client);
    go('/login', { replace: true });
  }, [user, guarded, client, go, history]);
}
