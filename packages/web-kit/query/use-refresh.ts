/** `const refresh = useRefresh([invoiceEndpoints.list])`: every read of these families is fresh again after a form. */
import { useQueryClient } from '@tanstack/react-query';
import type { AnyEndpoint } from '#kit/endpoint.ts';
import { familyOf } from './use-action.ts';

export function useRefresh(endpoints: readonly AnyEndpoint[]): () => Promise<void> {
  const client = useQueryClient();
  return () => {
    const families = endpoints.map((endpoint) => familyOf(endpoint.path));
    return client.invalidateQueries({
      predicate: (query) => {
        const path = String(query.queryKey[0]).split(' ')[1] ?? '';
        return families.some((family) => path === family || path.startsWith(`${family}/`));
      },
    });
  };
}
