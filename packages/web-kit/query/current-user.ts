/**
 * The signed-in person. Read again every 20 minutes, not when the window gains the focus, never retried (SPEC.md 4,
 * S18-S20, C26, C27). null: nobody is signed in.
 */
import { useQuery, type QueryClient } from '@tanstack/react-query';
import type { ZodType } from 'zod';
import type { Language } from '#kernel/money/division.ts';
import type { Role } from '#kit/auth.ts';
import { ApiError, call, remote } from '#kit/client.ts';
import type { Endpoint } from '#kit/endpoint.ts';
import type { Visitor } from '#kit/page.ts';
import { grants, type Permission } from '#kit/permission.ts';

/** ms between two reads of the current user (C26). */
export const CURRENT_USER_INTERVAL = 1_200_000;

/** The part of GET /api/users/me that the frame of the application needs; screens read the whole from its contract. */
export interface Person {
  id: number;
  email: string;
  first_name: string;
  last_name: string;
  role: Role;
  start_page?: string | null | undefined;
  avatar_url?: string | null | undefined;
  /** null: the link of the verification mail was not followed yet. */
  email_verified_at?: string | null | undefined;
  must_set_up_two_factor?: boolean | undefined;
  permission_values: string[];
  customers: { id: number; name: string; role: string; status: string; asks_details?: boolean | undefined;
    language?: Language | undefined }[];
  /** English that the person chose for screens. */
  language?: Language | null | undefined;
  acting_customer: { id: number; name: string; until: string } | null;
}

type Me = Endpoint<'/api/users/me', undefined, undefined, undefined, ZodType<{ data: Person }>>;
export const meEndpoint = remote<Me>('GET', '/api/users/me');
export const ME_KEY = ['GET /api/users/me'] as const;

async function readMe(background: boolean): Promise<Person | null> {
  try {
    return (await call(meEndpoint, {}, background ? { background } : {})).data;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

const meOptions = {
  queryKey: ME_KEY,
  staleTime: CURRENT_USER_INTERVAL,
  retry: false,
  refetchOnWindowFocus: false,
} as const;

/** For the guards of the router: the person, read once and kept. */
export function ensureUser(client: QueryClient): Promise<Person | null> {
  return client.fetchQuery({ ...meOptions, queryFn: () => readMe(false) });
}

/** Called after signing in, out or switching the acting customer: the next guard reads anew. */
export function forgetUser(client: QueryClient): void {
  client.clear();
}

/**
 * A refusal where the screen offered something: the rights were changed meanwhile, or the session has ended. The person
 * is read again, so that buttons and pages follow at once and not after 20 minutes. Several refusals share one read.
 */
export function rereadAfterRefusal(client: QueryClient, error: unknown): void {
  if (!(error instanceof ApiError) || (error.status !== 403 && error.status !== 401)) return;
  void client.invalidateQueries({ queryKey: ME_KEY }, { cancelRefetch: false });
}

/** The person of this session; undefined while the first read is on its way. */
export function useCurrentUser(): Person | null | undefined {
  return useQuery({
    ...meOptions,
    queryFn: ({ client }) => readMe(client.getQueryData(ME_KEY) !== undefined),
    refetchInterval: CURRENT_USER_INTERVAL,
    // In a tab that nobody looks at, too: it is not read when one comes back to it.
    refetchIntervalInBackground: true,
  }).data;
}

/** The person as the guards see them. */
export function visitorOf(user: Person | null): Visitor | null {
  if (!user) return null;
  return {
    id: user.id,
    start_page: user.start_page ?? null,
    role: user.role satisfies Role,
    permissions: new Set(user.permission_values),
    customer_ids: user.customers.map((customer) => customer.id),
    unverified: user.email_verified_at === null,
    must_set_up_two_factor: user.must_set_up_two_factor ?? false,
  };
}

/** Whether the person may: staff_admin and system_admin always, a staff_user by permission, others never. */
export function may(user: Person | null | undefined, permission: Permission | readonly Permission[] | null): boolean {
  if (!user) return false;
  if (user.role === 'system_admin' || user.role === 'staff_admin') return true;
  return user.role === 'staff_user' && grants(new Set(user.permission_values), permission);
}

/** `const may = useMay(); may('venue.update') && <Button/>`: hidden if never allowed (U38). */
export function useMay(): (permission: Permission | readonly Permission[] | null) => boolean {
  const user = useCurrentUser();
  return (permission) => may(user, permission);
}
