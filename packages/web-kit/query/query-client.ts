/** Server state of the browser (frontend.md 3.4): fresh for 30 s, lists keep the old page while the next one loads. */
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from '#kit/client.ts';
import { rereadAfterRefusal } from './current-user.ts';

/** ms an answer counts as fresh. */
export const STALE_TIME = 30_000;

/** A refusal (4xx) is final; a lost connection or a 5xx of a read is tried once more. */
export function mayRetry(failures: number, error: unknown): boolean {
  if (error instanceof ApiError && error.status >= 400 && error.status < 500) return false;
  return failures < 1;
}

export function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: (error) => rereadAfterRefusal(client, error) }),
    mutationCache: new MutationCache({ onError: (error) => rereadAfterRefusal(client, error) }),
    defaultOptions: {
      queries: { staleTime: STALE_TIME, retry: mayRetry },
      mutations: { retry: false },
    },
  });
  return client;
}
