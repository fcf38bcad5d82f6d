/** Frame shared by every page of one vendor: header, tabs, loading and error states. */
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
import { vendorEndpoints, type VendorRow } from './vendor.contract.ts';

export const VENDORS = '/admin/vendors';
type Tab = 'information' | 'bills' | 'transactions' | 'statement';

export interface VendorFrameProps {
  tab: Tab;
  children: (vendor: VendorRow) => ReactNode;
  actions?: (vendor: VendorRow) => ReactNode;
}

/** Tabs lead only where the person may go (U38). */
function useTabs(id: number, current: Tab) {
  const may = useMay();
  const tab = (name: Tab, text: string, show: boolean) => (show ? [{ id: name, text, active: name === current,
    href: name === 'information' ? `${VENDORS}/${id}` : `${VENDORS}/${id}/${name}` }] : []);
  return [
    ...tab('information', 'Information', true), ...tab('bills', 'Open bills', may('bill.list')),
    ...tab('transactions', 'Transactions', may('transaction.list')),
    ...tab('statement', 'Statement', may('bill.list')),
  ];
}

export function VendorFrame({ tab, children, actions }: VendorFrameProps) {
  const id = useIdParam('vendorId');
  const tabs = useTabs(id, tab);
  const read = useEndpoint(vendorEndpoints.show, { params: { id } });
  const row = read.data?.data;
  if (read.isError && !row) {
    return <RecordProblem noun="vendor" list={VENDORS} error={read.error} onRetry={() => void read.refetch()} />;
  }
  return (
    <>
      <PageHeader title={row?.name ?? 'Vendor'} back={VENDORS} tabs={tabs}
        activity={row && { entity: 'vendor', id: row.id }}
        badges={row && <Badge tone={row.active ? 'ok' : 'neutral'}>{row.active ? 'Active' : 'Inactive'}</Badge>}
        waiting={!row}
        subtitle={row && [<CodeText key="n">{row.number}</CodeText>, row.contact_name, row.address?.locality]}>
        {row && actions?.(row)}
      </PageHeader>
      <PageContent record fullWidth={tab !== 'information'}>
        {row ? children(row)
          : [240, 420, 360].map((width) => <p key={width}><Skeleton width={width} height={16} /></p>)}
      </PageContent>
    </>
  );
}
