/**
 * A POST that stores nothing (price, amendment, rights), asked again whenever its body has settled. The former answer
 * stays while the next one is on its way, so that figures do not flicker; a refusal is a message, not a lost screen.
 */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ApiError, call, type CallArgs } from '#kit/client.ts';
import type { AnyEndpoint, ResponseOf } from '#kit/endpoint.ts';
import { useSettled } from './use-settled.ts';

export interface Preview<E> {
  data: ResponseOf<E> | undefined;
  /** Words of the refusal of the present body. */
  error: string;
  /** The answer on screen belongs to an earlier body. */
  stale: boolean;
}

export function usePreview<E extends AnyEndpoint>(endpoint: E, args: CallArgs<E> | null, wait = 350): Preview<E> {
  const settled = useSettled(args, wait);
  const query = useQuery<ResponseOf<E>, ApiError>({
    queryKey: [`${endpoint.method} ${endpoint.path}`, 'preview', settled],
    queryFn: ({ signal }) => call(endpoint, settled as CallArgs<E>, { signal }),
    enabled: settled !== null,
    placeholderData: keepPreviousData,
    retry: false,
  });
  return {
    data: settled === null || query.isError ? undefined : query.data,
    error: settled !== null && query.isError ? Object.values(query.error.errors)[0]?.[0] ?? query.error.message : '',
    stale: query.isPlaceholderData || JSON.stringify(settled) !== JSON.stringify(args),
  };
}
