/** The trash of a list for the gallery: open, with rows; nothing is asked of a server. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { AnyEndpoint } from '#kit/endpoint.ts';
import { TrashButton, TrashList } from '#web/layout/trash-list.tsx';
import { NavigationProvider, useNavigation, type NavigationPort } from '#web/navigation/navigation.tsx';
import { ME_KEY } from '#web/query/current-user.ts';
import { queryKey } from '#web/query/use-endpoint.ts';
import styles from './gallery.module.css';

interface Thing { id: number; name: string; number: string }
const endpoint = (method: string, path: string): AnyEndpoint => ({ method, path }) as unknown as AnyEndpoint;
const THINGS = '/api/gallery/things';
const endpoints = { trash: endpoint('GET', `${THINGS}/trash`), restore: endpoint('POST', `${THINGS}/{id}/restore`),
  remove: endpoint('DELETE', `${THINGS}/{id}`) };
const rows: readonly Thing[] = [
  { id: 1, name: 'Greenroom Printers', number: 'VEN-00012' }, { id: 2, name: 'Calder Carriers', number: 'VEN-00009' },
];
const columns = [
  { id: 'name', header: 'Name', kind: 'title' as const, cell: (row: Thing) => row.name },
  { id: 'number', header: 'Number', kind: 'code' as const, cell: (row: Thing) => row.number },
];

function client(): QueryClient {
  const made = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });
  made.setQueryDefaults(queryKey(endpoints.trash), { initialData: { data: rows } });
  made.setQueryDefaults(ME_KEY, { initialData: null });
  return made;
}

const inTrash = { path: '/gallery', query: '?view=trash' };

export function TrashGallery() {
  const here = useNavigation();
  const queries = useMemo(() => client(), []);
  const port = useMemo((): NavigationPort => ({ ...here, read: () => inTrash }), [here]);
  return (
    <QueryClientProvider client={queries}>
      <div className={styles.page}>
        <NavigationProvider port={port}>
          <TrashList<Thing> one="vendor" many="vendors" subtitle="" href="/gallery" mayCreate mayRemove
            endpoints={endpoints} trashColumns={columns}>{null}</TrashList>
        </NavigationProvider>
      </div>
      <div className={styles.row}>
        <TrashButton row={rows[0]!} list="/gallery" endpoints={endpoints} text="Its bills keep its name." />
        <TrashButton row={rows[1]!} list="/gallery" endpoints={endpoints} text="" reason="Two bills are open" />
      </div>
    </QueryClientProvider>
  );
}
