/**
 * A quote or a production beside its list (picture 03): whether its offer was opened, what it costs, when it plays and
 * what is still missing before its next phase.
 */
import { numbersInWords } from '#kernel/licensing/license-address.ts';
import { Eye, Send } from 'lucide-react';
import { Badge, PhaseBadge } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import { daySpan, formatInstant } from '#web/data/date-text.tsx';
import { PeekChecks, PeekEvents } from '#web/data/peek-record.tsx';
import { PeekDays, PeekLines, PeekNote, PeekSection, PeekView, PeekWait } from '#web/data/peek-view.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { today } from '#web/data/local-day.ts';
import { checklistEndpoints, type ChecklistRow } from '../checklist/checklist.contract.ts';
import { licenseDocumentEndpoints } from '../documents/license-document.contract.ts';
import type { PerformanceRow } from './performances/performance.contract.ts';
import { peekRows, sumLabel } from './pricing/price-rows.web.tsx';
import { pricingEndpoints } from './pricing/pricing.contract.ts';
import { clockWords, derivedStatus, derivedTone, dueWords } from '../words.web.ts';
import { whatOf } from './phase/license-history.web.ts';
import { licenseHref } from './license-place.web.ts';
import { licenseEndpoints, type LicenseRow } from './license.contract.ts';

/** Missing items, by the phase that they hold up; all open ones if no phase is near. */
const BEFORE: Readonly<Record<string, { title: string; next: string | null }>> = {
  draft: { title: 'Before it can be sent', next: 'sent' },
  sent: { title: 'Before it can be accepted', next: 'accepted' },
  accepted: { title: 'Before it can be licensed', next: 'licensed' },
  licensed: { title: 'To do', next: null }, in_production: { title: 'To do', next: null },
  settlement: { title: 'Before it can be closed', next: 'closed' },
};

export default function LicensePeek({ row }: { row: LicenseRow }) {
  const derived = row.on_hold ? 'On hold' : row.dispute ? 'Dispute' : derivedStatus(row.phase, row.status);
  return (
    <PeekView code={numbersInWords(row)} title={row.title_on_license || row.show_title}
      under={[row.customer_name, row.venue_names].filter(Boolean).join(', ')}
      badges={(
        <>
          <PhaseBadge phase={row.phase} />
          {derived && <Badge tone={row.dispute ? 'error' : derivedTone(derived)}>{derived}</Badge>}
          {row.offer_version > 0 && <Badge tone="outline">Version {row.offer_version}</Badge>}
        </>
      )}
      foot={<Ways row={row} />}>
      {row.phase === 'sent' && <Opened row={row} />}
      <Price row={row} />
      <Run row={row} />
      <Before row={row} />
      <Happened row={row} />
    </PeekView>
  );
}

/** Links to the screens for the decision. */
function Ways({ row }: { row: LicenseRow }) {
  const base = licenseHref(row);
  const second = ['licensed', 'in_production', 'settlement', 'closed'].includes(row.phase)
    ? { to: 'box-office', words: 'Box office' } : { to: 'price', words: 'Price' };
  return (
    <>
      <ButtonLink href={`${base}/${second.to}`}>{second.words}</ButtonLink>
      <ButtonLink href={`${base}/checklist`} variant="primary">Checklist</ButtonLink>
    </>
  );
}

function Opened({ row }: { row: LicenseRow }) {
  const may = useMay();
  const read = useEndpoint(licenseDocumentEndpoints.list, { params: { licenseId: row.id }, query: { per_page: 50 } },
    { enabled: may('license_document.list') });
  const sent = (read.data?.data ?? []).filter((one) => one.license_id === row.id
    && (one.status === 'sent' || one.status === 'viewed'));
  const viewed = sent.map((one) => one.viewed_at ?? '').sort().at(-1);
  if (sent.length === 0) return null;
  return viewed ? (
    <Callout icon={Eye} title="Opened, not signed">Last seen {formatInstant(viewed)}.</Callout>
  ) : <Callout icon={Send} title="Not opened yet">Sent {formatInstant(row.offer_sent_at)}.</Callout>;
}

function Price({ row }: { row: LicenseRow }) {
  const read = useEndpoint(pricingEndpoints.trace, { params: { licenseId: row.id } });
  const price = read.data?.data;
  if (read.isError) return null;
  if (price?.license_id !== row.id) return <PeekWait title="Price" lines={4} />;
  if (price.priced_at === null || price.lines.length === 0) {
    return <PeekSection title="Price"><PeekNote>It has not been priced yet.</PeekNote></PeekSection>;
  }
  const { totals } = price;
  const deposit = totals.security_deposit_minor;
  return (
    <PeekSection title="Price">
      <PeekLines label="Price"
        lines={[
          ...peekRows(price.rows, price.promise),
          ...(totals.tax_minor === 0 ? [] : [{ key: 'tax', label: 'Tax', minor: totals.tax_minor }]),
        ]}
        totals={[
          { key: 'total', label: sumLabel(price), minor: totals.grand_total_minor },
          ...(deposit === 0 ? [] : [{ key: 'deposit', label: 'Refundable deposit', minor: deposit }]),
          ...(totals.paid_minor > 0 ? [{ key: 'open', label: 'Balance', minor: totals.balance_minor }] : []),
        ]} />
    </PeekSection>
  );
}

/** 'Mar 12 to 20, 2027, 7:30 PM, The Foundry'; where they differ, all of them. */
function whereOf(rows: readonly PerformanceRow[]): string {
  const times = [...new Set(rows.map((one) => one.local_time))];
  const venues = [...new Set(rows.map((one) => one.venue_name))].filter(Boolean);
  return [daySpan(rows[0]?.local_date ?? null, rows.at(-1)?.local_date ?? null),
    times.length <= 2 ? times.map(clockWords).join(' and ') : `${times.length} curtain times`,
    venues.length <= 2 ? venues.join(' and ') : `${venues.length} venues`].filter(Boolean).join(', ');
}

function Run({ row }: { row: LicenseRow }) {
  const read = useEndpoint(licenseEndpoints.show, { params: { licenseId: row.id }, query: { with: 'performances' } },
    { enabled: row.number_of_performances > 0 });
  if (row.number_of_performances === 0 || read.isError) return null;
  const license = read.data?.data;
  if (license?.id !== row.id) return <PeekWait title="Performances" lines={2} />;
  const rows = [...license.performances ?? []].sort((one, other) => one.starts_at.localeCompare(other.starts_at));
  if (rows.length === 0) return null;
  return (
    <PeekSection title="Performances">
      <PeekDays days={rows.map((one) => ({ key: one.id, day: one.local_date, off: one.status === 'cancelled' }))} />
      <PeekNote>{whereOf(rows)}</PeekNote>
    </PeekSection>
  );
}

function noteOf(item: ChecklistRow, on: string): string | undefined {
  if (item.status !== 'open') return undefined;
  return [item.owner === 'customer' && 'Customer', dueWords(item.due_on, on)].filter(Boolean).join(', ') || undefined;
}

function Before({ row }: { row: LicenseRow }) {
  const before = BEFORE[row.phase];
  const read = useEndpoint(checklistEndpoints.list, { params: { licenseId: row.id } },
    { enabled: before !== undefined });
  if (before === undefined || read.isError) return null;
  if (!read.data || read.isPlaceholderData) return <PeekWait title={before.title} lines={3} />;
  const on = today();
  const isOpen = (item: ChecklistRow): number => Number(item.status === 'open');
  const near = read.data.data.filter((item) => (before.next === null ? item.status === 'open'
    : item.blocks_phase === before.next));
  const items = near.sort((one, other) => isOpen(one) - isOpen(other));
  if (items.length === 0) return null;
  return (
    <PeekSection title={before.title}>
      <PeekChecks items={items.map((item) => ({ key: item.id, label: item.label, status: item.status,
        note: noteOf(item, on), late: item.status === 'open' && dueWords(item.due_on, on).endsWith('late') }))} />
    </PeekSection>
  );
}

function Happened({ row }: { row: LicenseRow }) {
  const read = useEndpoint(licenseEndpoints.events, { params: { licenseId: row.id },
    query: { per_page: 4, sort_by: 'created_at', sort_direction: 'desc' } });
  if (read.isError) return null;
  if (!read.data || read.isPlaceholderData) return <PeekWait title="Last happenings" lines={3} />;
  return (
    <PeekEvents events={read.data.data.map((event) => ({ id: event.id, what: whatOf(event), who: event.actor_name,
      when: event.created_at }))} />
  );
}
