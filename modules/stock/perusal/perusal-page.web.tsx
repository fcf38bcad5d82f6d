/** One perusal: where it stands, what is lent, who read how much, its parcel, its history. */
import { useState } from 'react';
import { Button } from '#web/controls/button/button.tsx';
import { ActivityLog } from '#web/data/activity-log.tsx';
import { actionWords } from '#web/data/activity-acts.ts';
import { changeWords } from '#web/data/activity-words.ts';
import { Callout } from '#web/data/callout.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { DateText, formatDay } from '#web/data/date-text.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { AppLink, useIdParam } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { SALES_ORDERS } from '../sales-order/order-words.web.tsx';
import { PerusalDialog } from './perusal-dialog.web.tsx';
import { perusalEndpoints, type PerusalDetail, type PerusalStaffEvent } from './perusal.contract.ts';
import { CONDITIONS, daysLate, DONE_WORDS, EVENT_LABELS, FORMAT_LABELS, lateWords, PerusalBadge, PERUSALS,
  STATUS_LABELS, untilWords } from './perusal-words.web.tsx';

/** Events done at the shelf by the warehouse (X122). */
const AT_THE_SHELF: readonly PerusalStaffEvent[] = ['ship', 'return'];
const QUIET: readonly PerusalStaffEvent[] = ['decline', 'close', 'charge_lost'];

export default function PerusalPage() {
  const id = useIdParam('perusalId');
  const read = useEndpoint(perusalEndpoints.show, { params: { id } });
  const perusal = read.data?.data.id === id ? read.data.data : undefined;
  if (read.isError && !perusal) {
    return <RecordProblem noun="perusal" list={PERUSALS} error={read.error} onRetry={() => void read.refetch()} />;
  }
  return (
    <>
      <PageHeader title={perusal?.number ?? 'Perusal'} back={PERUSALS}
        badges={perusal && <PerusalBadge perusal={perusal} />}
        waiting={!perusal}
        subtitle={perusal && [<AppLink key="s"
          href={`/admin/${perusal.show_type}s/${perusal.show_id}`}>{perusal.show_title}</AppLink>,
        <AppLink key="c" href={`/admin/customers/${perusal.customer_id}`}>{perusal.customer_name}</AppLink>,
        FORMAT_LABELS[perusal.format], untilWords(perusal)]}>
        {perusal && <Actions key={perusal.version} perusal={perusal} />}
      </PageHeader>
      <PageContent record fullWidth>
        {perusal ? <Body perusal={perusal} />
          : [240, 420, 360].map((width) => <p key={width}><Skeleton width={width} height={16} /></p>)}
      </PageContent>
    </>
  );
}

function Actions({ perusal }: { perusal: PerusalDetail }) {
  const may = useMay();
  const [event, setEvent] = useState<PerusalStaffEvent | null>(null);
  if (!may('license_material.update')) return null;
  const allowed = inOrder(perusal).filter((one) => !AT_THE_SHELF.includes(one) || may('warehouse.update'));
  return (
    <>
      {allowed.toReversed().map((one) => (
        <Button key={one} variant={QUIET.includes(one) ? 'quiet' : one === allowed[0] ? 'primary' : 'secondary'}
          onClick={() => setEvent(one)}>{one === 'close' ? closeWords(perusal) : EVENT_LABELS[one]}</Button>
      ))}
      {event && <PerusalDialog event={event} perusal={perusal} onClose={() => setEvent(null)} />}
    </>
  );
}

/** Of books that are late the house wants to have them back, before it gives more time. */
export function inOrder(perusal: Pick<PerusalDetail, 'status' | 'due_back_on' | 'allowed'>):
readonly PerusalStaffEvent[] {
  return daysLate(perusal) === 0 ? perusal.allowed
    : perusal.allowed.toSorted((one, other) => Number(other === 'return') - Number(one === 'return'));
}

const closeWords = ({ status }: PerusalDetail): string => (status === 'active' ? 'End reading'
  : status === 'approved' ? 'Call off' : 'Close');

type Material = PerusalDetail['materials'][number];
type Reader = PerusalDetail['readers'][number];

const materialColumns = ({ currency, format, copies, show_type, show_id }: PerusalDetail):
readonly Column<Material>[] => [
  { id: 'item_number', header: 'Item number', kind: 'code', cell: (row) => row.item_number, width: 170 },
  { id: 'name', header: 'What', kind: 'text', width: 280, cell: (row) => (
    <AppLink href={`/admin/${show_type}s/${show_id}/materials/${row.id}`}>{row.name}</AppLink>) },
  ...(format === 'digital'
    ? [{ id: 'pages', header: 'Pages', kind: 'number', cell: (row: Material) => row.pages, width: 80 } as const]
    : [{ id: 'fee', header: `Fee, ${currency}`, kind: 'money', width: 110,
      cell: (row: Material) => BigInt(row.unit_price_minor) } as const,
    { id: 'shipping', header: `Shipping, ${currency}`, kind: 'money', width: 130,
      cell: (row: Material) => BigInt(row.shipping_minor) } as const,
    { id: 'copy', header: 'Copy', kind: 'code', width: 170, cell: (row: Material) => copies
      .filter((copy) => copy.material_id === row.id).map((copy) => copy.barcode).join(', ') } as const]),
];

const readerColumns: readonly Column<Reader>[] = [
  { id: 'name', header: 'Reader', kind: 'text', cell: (row) => row.name, width: 200 },
  { id: 'email', header: 'Email', kind: 'muted', cell: (row) => row.email, width: 260 },
  { id: 'pages', header: 'Pages', kind: 'number', cell: (row) => row.pages, width: 80 },
  { id: 'views', header: 'Times shown', kind: 'number', cell: (row) => row.views, width: 110 },
  { id: 'first', header: 'First read', kind: 'date', cell: (row) => row.first_at, width: 120 },
  { id: 'last', header: 'Last read', kind: 'date', cell: (row) => row.last_at, width: 120 },
];

function Body({ perusal }: { perusal: PerusalDetail }) {
  const may = useMay();
  const digital = perusal.format === 'digital';
  const late = daysLate(perusal);
  const unread = digital && ['requested', 'active'].includes(perusal.status)
    && perusal.materials.every((one) => one.pages === 0);
  return (
    <>
      {unread && (
        <Callout tone="warn" title="There is nothing to read">
          None of its materials holds a PDF. Add one at the material, then approve.
        </Callout>
      )}
      {late > 0 && (
        <Callout tone="error" title={`The books are ${lateWords(late)}`}>
          {perusal.customer_name} was told when they fell due. Scan them in when they arrive, give more time if that is
          agreed, or charge them as lost.
        </Callout>
      )}
      <Section title="The request">
        <KeyValue columns={4} facts={[
          { label: 'Asked by', value: perusal.requested_by_name },
          { label: 'Asked', value: <DateText value={perusal.created_at} /> },
          perusal.approved_at !== null && { label: 'Approved',
            value: <>{perusal.approved_by_name}, <DateText value={perusal.approved_at} /></> },
          perusal.fee_minor + perusal.shipping_minor > 0 && { label: 'Fee and shipping',
            value: `${formatAmount(perusal.fee_minor + perusal.shipping_minor, perusal.currency)}, before tax` },
          perusal.returned_on !== null && { label: 'Came back', value: formatDay(perusal.returned_on) },
          perusal.sales_order_id !== null && { label: 'Sales order', value: (
            <AppLink href={`${SALES_ORDERS}/${perusal.sales_order_id}`}>{perusal.sales_order_number}</AppLink>) },
          perusal.message !== '' && { label: 'In their words', value: perusal.message, wide: true },
          perusal.reason !== '' && { label: 'Our reason', value: perusal.reason, wide: true },
        ]} />
      </Section>
      <Section flush title="Materials on loan" count={perusal.materials.length}>
        <DataTable label="Materials of the perusal" rows={perusal.materials} columns={materialColumns(perusal)}
          variant="record" rowKey={(row) => row.id} />
      </Section>
      {digital && (
        <Section flush title="Readers" count={perusal.readers.length || undefined}>
          <DataTable label="Readers" rows={perusal.readers} columns={readerColumns} variant="record"
            rowKey={(row) => row.user_id} empty={{ title: 'Nobody has read yet' }} />
        </Section>
      )}
      {may('license_material.show') && <History perusal={perusal} />}
    </>
  );
}

const FIELD_WORDS: Readonly<Record<string, string>> = {
  status: 'Status', until: 'Until', reason: 'Why', condition: 'Condition',
};

function History({ perusal }: { perusal: PerusalDetail }) {
  const [page, setPage] = useState(1);
  const read = useEndpoint(perusalEndpoints.activity, { params: { id: perusal.id }, query: { page } });
  const state = (value: string): string => STATUS_LABELS[value as PerusalDetail['status']] ?? value;
  const condition = (value: string): string => CONDITIONS[value as keyof typeof CONDITIONS] ?? value;
  return (
    <Section title="History">
      <ActivityLog read={read} page={page} onPage={setPage}
        words={(action) => DONE_WORDS[action] ?? actionWords(action)}
        change={(change) => {
          const said = changeWords(change);
          const words = change.field === 'condition' ? condition : state;
          return { field: FIELD_WORDS[change.field] ?? said.field, before: words(said.before),
            after: words(said.after) };
        }} />
    </Section>
  );
}
