/** Certificates of all customers, the ones that run out first; each is kept with its customer. */
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { jurisdictionName } from '../jurisdiction.contract.ts';
import { choicesOf, taxTabs } from '../tax-words.web.ts';
import {
  CERTIFICATE_KIND_NAMES, CERTIFICATE_STATE_NAMES, CERTIFICATE_TONES, certificateEndpoints, type CertificateRow,
} from './exemption-certificate.contract.ts';

const columns: readonly Column<CertificateRow>[] = [
  { id: 'customer', header: 'Customer', kind: 'title', cell: (row) => row.customer_name, fixed: true, width: 260 },
  { id: 'jurisdiction', header: 'Valid in', kind: 'muted', cell: (row) => jurisdictionName(row.jurisdiction),
    width: 140 },
  { id: 'kind', header: 'Kind', kind: 'muted', cell: (row) => CERTIFICATE_KIND_NAMES[row.kind], width: 130 },
  { id: 'number', header: 'Number', kind: 'code', cell: (row) => row.number, sort: true, width: 190 },
  { id: 'state', header: 'Status', kind: 'badge', width: 120,
    cell: (row) => <Badge tone={CERTIFICATE_TONES[row.state]} small>{CERTIFICATE_STATE_NAMES[row.state]}</Badge> },
  { id: 'valid_from', header: 'From', kind: 'date', cell: (row) => row.valid_from, sort: true, width: 130 },
  { id: 'expires_on', header: 'Until', kind: 'date', cell: (row) => row.expires_on, sort: true, width: 130 },
  { id: 'file', header: 'File', kind: 'muted', cell: (row) => row.file_name, width: 180 },
];

export default function CertificateList() {
  const may = useMay();
  const list = useList(certificateEndpoints.every, {}, { filters: ['state'], perPage: 20 });
  return (
    <>
      <PageHeader title="Taxes" tabs={taxTabs(may)}
        subtitle="Valid on the tax point, a certificate wins over the rate; add one on the customer's tax page" />
      <DataTable label="Exemption certificates" {...list} columns={columns} rowKey={(row) => row.id}
        filters={[{ name: 'state', label: 'Status', options: choicesOf(CERTIFICATE_STATE_NAMES) }]}
        rowHref={may('customer.show') ? (row) => `/admin/customers/${row.customer_id}/tax` : undefined}
        searchPlaceholder="Customer or number"
        empty={{ title: 'No certificates', text: 'Schools and charities of the US hand them in.' }} />
    </>
  );
}
