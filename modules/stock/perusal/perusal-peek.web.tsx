/** A perusal beside its list: what is read, by whom and how far, and until when. */
import { Eye } from 'lucide-react';
import { Badge } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import { formatInstant } from '#web/data/date-text.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { Money } from '#web/data/money.tsx';
import { PeekEvents } from '#web/data/peek-record.tsx';
import { PeekNote, PeekSection, PeekView, PeekWait } from '#web/data/peek-view.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { actionWords } from '#web/data/activity-acts.ts';
import { perusalEndpoints, type PerusalDetail, type PerusalRow } from './perusal.contract.ts';
import { DONE_WORDS, FORMAT_LABELS, PerusalBadge, untilWords } from './perusal-words.web.tsx';

export default function PerusalPeek({ row }: { row: PerusalRow }) {
  const may = useMay();
  const opens = may('license_material.show');
  const read = useEndpoint(perusalEndpoints.show, { params: { id: row.id } }, { enabled: opens });
  const detail = read.data?.data.id === row.id ? read.data.data : undefined;
  const until = untilWords(row);
  return (
    <PeekView code={row.number} title={row.show_title} under={row.customer_name}
      badges={(
        <>
          <PerusalBadge perusal={row} />
          {until && <Badge tone="outline">{until.charAt(0).toUpperCase() + until.slice(1)}</Badge>}
        </>
      )}>
      {detail ? <What detail={detail} /> : opens && !read.isError && <PeekWait title="Materials" lines={3} />}
      {opens && <Happened id={row.id} />}
    </PeekView>
  );
}

function What({ detail }: { detail: PerusalDetail }) {
  const pages = detail.materials.reduce((sum, one) => sum + one.pages, 0);
  const last = detail.readers.map((one) => one.last_at).sort().at(-1);
  return (
    <>
      {detail.format === 'digital' && detail.status === 'active' && (last ? (
        <Callout icon={Eye} title="Opened">
          {detail.readers.map((one) => (
            <p key={one.user_id}>{one.name} read {one.pages} of {pages} pages, last {formatInstant(one.last_at)}.</p>
          ))}
        </Callout>
      ) : <Callout icon={Eye} title="Not opened yet" />)}
      <PeekSection title="Materials">
        <KeyValue layout="rows" facts={[
          ...detail.materials.map((one) => ({ label: one.name,
            value: one.pages > 0 ? `${one.pages} pages` : one.item_number })),
          { label: 'Read', value: FORMAT_LABELS[detail.format] },
          detail.fee_minor > 0 && { label: 'Fee',
            value: <Money minor={detail.fee_minor} currency={detail.currency} /> },
          detail.shipping_minor > 0 && { label: 'Shipping',
            value: <Money minor={detail.shipping_minor} currency={detail.currency} /> },
          { label: 'Asked by', value: detail.requested_by_name },
          detail.sales_order_number !== null && { label: 'Sales order', value: detail.sales_order_number },
        ]} />
      </PeekSection>
      {detail.message && <PeekSection title="Message from customer"><PeekNote>{detail.message}</PeekNote></PeekSection>}
      {detail.reason && <PeekSection title="Reason"><PeekNote>{detail.reason}</PeekNote></PeekSection>}
    </>
  );
}

function Happened({ id }: { id: number }) {
  const read = useEndpoint(perusalEndpoints.activity, { params: { id }, query: { per_page: 4 } });
  if (read.isError) return null;
  if (!read.data || read.isPlaceholderData) return <PeekWait title="Last happenings" lines={3} />;
  return (
    <PeekEvents events={read.data.data.map((one) => ({ id: one.id, who: one.actor, when: one.created_at,
      what: DONE_WORDS[one.action] ?? actionWords(one.action) }))} />
  );
}
