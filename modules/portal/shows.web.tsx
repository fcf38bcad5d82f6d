/** Shows the customer may apply for: search, kind, facts. */
import { ChevronRight } from 'lucide-react';
import { portalEndpoints } from '#modules/licensing/portal/portal.contract.ts';
import type { ResponseOf } from '#kit/endpoint.ts';
import { SegmentedControl } from '#web/controls/radio-group.tsx';
import { SearchInput } from '#web/controls/search-input.tsx';
import { Button } from '#web/controls/button.tsx';
import { EmptyState } from '#web/data/empty-state.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { Card } from '#web/layout/portal-shell.tsx';
import { AppLink, useQueryValues } from '#web/navigation/navigation.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { Pager, PortalHead, Reading, usePortal } from './portal-parts.web.tsx';
import { showFacts, showsTabs } from './show-words.web.ts';
import styles from './portal.module.css';

type Show = ResponseOf<typeof portalEndpoints.shows>['data'][number];
type Kind = 'all' | Show['type'];
const KINDS: readonly { value: Kind; label: string }[] = [
  { value: 'all', label: 'All' }, { value: 'play', label: 'Plays' }, { value: 'musical', label: 'Musicals' },
];

function ShowItem({ show, base }: { show: Show; base: string }) {
  return (
    <li>
      <AppLink href={`${base}/shows/${show.id}`} className={styles.item}>
        <span className={styles.itemText}>
          <strong className={styles.work}>{show.title}</strong>
          <span>{[show.authors_credit, ...showFacts(show)].filter(Boolean).join(', ')}</span>
        </span>
        <span className={styles.itemSide}><Glyph icon={ChevronRight} size={18} /></span>
      </AppLink>
    </li>
  );
}

export default function Shows() {
  const { customerId, base } = usePortal();
  const { values, set } = useQueryValues();
  const search = values.get('search') ?? '';
  const type = values.get('type');
  const kind: Kind = type === 'play' || type === 'musical' ? type : 'all';
  const read = useEndpoint(portalEndpoints.shows, {
    params: { id: customerId },
    query: { page: Number(values.get('page') ?? 1) || 1, per_page: 20, ...(search && { search }),
      ...(kind !== 'all' && { type: kind }) },
  });
  return (
    <>
      <PortalHead title="Shows" tabs={showsTabs(base)}
        facts={['See what it would cost for your house, and whether your dates are free']} />
      <div className={styles.filters}>
        <SearchInput label="Search by title or author" value={search}
          onChange={(text) => set({ search: text || null, page: null })} />
        <SegmentedControl label="Kind" hideLabel value={kind} choices={KINDS}
          onChange={(value) => set({ type: value === 'all' ? null : value, page: null })} />
      </div>
      <Reading read={read}>
        {({ data, meta }) => (
          <Card>
            {data.length === 0
              ? <EmptyState title="No show matches" text="Try another word, or look at all shows."
                  action={<Button onClick={() => set({ search: null, type: null, page: null })}>Show all</Button>} />
              : <ul className={styles.list}>{data.map((show) => <ShowItem key={show.id} show={show}
                base={base} />)}</ul>}
            <Pager meta={meta} />
          </Card>
        )}
      </Reading>
    </>
  );
}
