/** Parts shared by every page of one show: header, tabs, the loading and refusal states. */
import type { ReactNode } from 'react';
import { Badge } from '#web/data/badge.tsx';
import { CodeText } from '#web/data/code-text.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { PageContent } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { useIdParam } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import type { ShowRow } from './show.contract.ts';
import { useFamily, type ShowFamily } from './show-family.web.ts';

/** Tabs lead only where the person may go (U38). */
function useTabs(family: ShowFamily, id: number) {
  const may = useMay();
  const tabs = [
    { id: 'information', text: 'Information', show: true },
    { id: 'rate-cards', text: 'Rate cards', show: true },
    { id: 'royaltors', text: 'Royaltors', show: may('show_royaltor.list') },
    { id: 'restrictions', text: 'Restrictions', show: true },
    { id: 'materials', text: 'Materials', show: may('material.list') },
    { id: 'boms', text: 'BOMs', show: may('bom_template.list') },
    { id: 'add-ons', text: 'Add-ons', show: may('material.list') },
  ];
  return tabs.filter((tab) => tab.show).map(({ show: _show, ...tab }) =>
    ({ ...tab, href: `${family.path}/${id}/${tab.id}` }));
}

export interface ShowFrameProps {
  children: (show: ShowRow, family: ShowFamily) => ReactNode;
  actions?: (show: ShowRow, family: ShowFamily) => ReactNode;
}

export function ShowFrame({ children, actions }: ShowFrameProps) {
  const family = useFamily();
  const id = useIdParam('id');
  const tabs = useTabs(family, id);
  const read = useEndpoint(family.calls.show, { params: { id } });
  if (read.isError && !read.data) {
    return (
      <RecordProblem noun={family.one} list={family.path} error={read.error} onRetry={() => void read.refetch()} />
    );
  }
  const show = read.data?.data;
  return (
    <>
      <PageHeader title={show?.title ?? family.One} back={family.path} tabs={tabs}
        activity={show && { entity: 'show', id: show.id }}
        badges={show && <Badge tone={show.active ? 'ok' : 'neutral'}>{show.active ? 'Active' : 'Inactive'}</Badge>}
        waiting={!show && (actions ? true : 'facts')}
        subtitle={show && [<CodeText key="code">{show.show_code}</CodeText>, show.authors_credit, show.year]}>
        {show && actions?.(show, family)}
      </PageHeader>
      {show ? children(show, family) : (
        <PageContent record>
          {[240, 420, 360, 400].map((width) => <p key={width}><Skeleton width={width} height={16} /></p>)}
        </PageContent>
      )}
    </>
  );
}
