/** Parts shared by every page of one customer: header, tabs, the loading and refusal states. */
import type { ReactNode } from 'react';
import type { ResponseOf } from '#kit/endpoint.ts';
import { jurisdictionName } from '#modules/taxation/jurisdiction.contract.ts';
import { Badge } from '#web/data/badge.tsx';
import { CodeText } from '#web/data/code-text.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { PageContent } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { useIdParam } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { certificateEndpoints } from
  '#modules/taxation/exemption-certificates/exemption-certificate.contract.ts';
import { customerEndpoints } from './customer.contract.ts';
import { KIND_LABELS, STATUS_LABELS, STATUS_TONES } from './customer-labels.web.ts';

export type CustomerRow = ResponseOf<typeof customerEndpoints.show>['data'];

export interface CustomerFrameProps {
  children: (customer: CustomerRow) => ReactNode;
  actions?: (customer: CustomerRow) => ReactNode;
  fullWidth?: boolean;
}

/** Tabs lead only where the person may go (U38). */
function useTabs(id: number) {
  const may = useMay();
  const base = `/admin/customers/${id}`;
  const tabs = [
    { id: 'information', text: 'Information', show: may('customer.show') },
    { id: 'applications', text: 'Applications', show: may('license_application.list') },
    { id: 'quotes', text: 'Quotes', show: may('license.list') },
    { id: 'productions', text: 'Productions', show: may('license.list') },
    { id: 'sales-orders', text: 'Sales orders', show: may('license_material.list') },
    { id: 'transactions', text: 'Transactions', show: may('customer.show') && may('transaction.list') },
    { id: 'finance', text: 'Finance', show: may('customer.show') && may('invoice.list') },
    { id: 'users', text: 'Users', show: may('customer.manage_users') },
    { id: 'tax', text: 'Tax', show: may('customer.show') },
    { id: 'messages', text: 'Messages', show: may('customer.show') },
    { id: 'activity', text: 'Activity', show: may('customer.show') },
  ];
  return tabs.filter((tab) => tab.show).map(({ show: _show, ...tab }) => ({ ...tab, href: `${base}/${tab.id}` }));
}

export function CustomerFrame({ children, actions, fullWidth }: CustomerFrameProps) {
  const id = useIdParam('customerId');
  const tabs = useTabs(id);
  const read = useEndpoint(customerEndpoints.show, { params: { id } });
  if (read.isError && !read.data) {
    return (
      <RecordProblem noun="customer" list="/admin/customers" error={read.error}
        onRetry={() => void read.refetch()} />
    );
  }
  const row = read.data?.data;
  return (
    <>
      <PageHeader title={row?.name ?? 'Customer'} back="/admin/customers" tabs={tabs}
        badges={row && (
          <>
            <Badge tone={STATUS_TONES[row.status]}>{STATUS_LABELS[row.status]}</Badge>
            {row.credit_hold && <Badge tone="error">Credit hold</Badge>}
            <Exemption customerId={row.id} />
          </>
        )}
        waiting={!row}
        subtitle={row && [
          <CodeText key="number">{row.number}</CodeText>, KIND_LABELS[row.kind], row.billing_address?.locality,
          row.classification_names.filter((name) => name !== KIND_LABELS[row.kind]).join(', '),
        ]}>
        {row && actions?.(row)}
      </PageHeader>
      {row ? children(row) : <Loading {...(fullWidth ? { fullWidth } : {})} />}
    </>
  );
}

/** Jurisdictions that charge no tax today, by certificate. */
function Exemption({ customerId }: { customerId: number }) {
  const read = useEndpoint(certificateEndpoints.list, { params: { id: customerId } });
  const valid = (read.data?.data ?? []).filter((row) => row.state === 'valid' || row.state === 'expiring');
  if (valid.length === 0) return null;
  const places = new Set(valid.map((row) => jurisdictionName(row.jurisdiction)));
  return <Badge tone="info">Tax exempt, {[...places].join(', ')}</Badge>;
}

function Loading({ fullWidth }: { fullWidth?: boolean }) {
  return (
    <PageContent record {...(fullWidth ? { fullWidth } : {})}>
      {[240, 420, 360, 400].map((width) => <p key={width}><Skeleton width={width} height={16} /></p>)}
    </PageContent>
  );
}
