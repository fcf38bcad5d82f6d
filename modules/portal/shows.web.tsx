/** Shows the customer may apply for: search, kind, facts; up to three of them side by side. */
import { lazy, Suspense } from 'react';
import { Check, ChevronRight, Columns3 } from 'lucide-react';
import { portalEndpoints } from '#modules/licensing/portal/portal.contract.ts';
import type { ResponseOf } from '#kit/endpoint.ts';
import { SegmentedControl } from '#web/controls/field/radio-group.tsx';
import { SearchInput } from '#web/controls/field/search-input.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { EmptyState } from '#web/data/empty-state.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { Card } from '#web/layout/portal-shell.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { AppLink, useQueryValues } from '#web/navigation/navigation.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { COMPARED, comparedOf, toggled } from './compare-choice.web.ts';
import { CardsSkeleton, Pager, PortalHead, QueryBoundary, usePortal } from './portal-parts.web.tsx';
import { counted, factLine, sentence } from './portal-words.web.ts';
import { showFacts, showsTabs } from './show-words.web.ts';
import compare from './compare.module.css';
import styles from './portal.module.css';

type Show = ResponseOf<typeof portalEndpoints.shows>['data'][number];
type Kind = 'all' | Show['type'];
const KINDS: readonly { value: Kind; label: string }[] = [
  { value: 'all', label: 'All' }, { value: 'play', label: 'Plays' }, { value: 'musical', label: 'Musicals' },
];

/** Few compare: the part that does arrives when they do. */
const Compare = lazy(() => import('./compare.web.tsx'));

interface ShowItemProps {
  show: Show;
  base: string;
  chosen: readonly number[];
  onToggle: (id: number) => void;
}

function ShowItem({ show, base, chosen, onToggle }: ShowItemProps) {
  const picked = chosen.includes(show.id);
  const full = !picked && chosen.length >= COMPARED;
  return (
    <li className={compare.row}>
      <AppLink href={`${base}/shows/${show.id}`} className={styles.item}>
        <span className={styles.itemText}>
          <strong className={styles.work}>{show.title}</strong>
          <span>{factLine([show.authors_credit, ...showFacts(show)])}</span>
        </span>
        <span className={styles.itemSide}><Glyph icon={ChevronRight} size={18} /></span>
      </AppLink>
      <Button aria-pressed={picked} icon={<Glyph icon={picked ? Check : Columns3} />}
        {...(full && { reason: 'Three are chosen: take one away first' })} onClick={() => onToggle(show.id)}>
        <span className={compare.word}>Compare</span><span className="gr-hidden"> {show.title}</span>
      </Button>
    </li>
  );
}

/** Shows chosen so far, with a link to compare them side by side. */
function Tray({ chosen, base, night, onClear }: {
  chosen: readonly number[]; base: string; night: string | null; onClear: () => void;
}) {
  if (chosen.length === 0) return null;
  return (
    <Card>
      <div className={compare.tray}>
        <span role="status">{sentence(counted(chosen.length, 'show'))} to compare</span>
        <span className={styles.row}>
          <Button variant="quiet" onClick={onClear}>Choose again</Button>
          <ButtonLink variant="primary" href={`${base}/shows?compare=${chosen.join(',')}&side=1${
            night ? `&night=${night}` : ''}`}>Side by side</ButtonLink>
        </span>
      </div>
    </Card>
  );
}

export default function Shows() {
  const { values } = useQueryValues();
  if (!values.has('side')) return <ShowList />;
  return (
    <Suspense fallback={<CardsSkeleton cards={3} />}><Compare chosen={comparedOf(values.get('compare'))} /></Suspense>
  );
}

function ShowList() {
  const { customerId, base } = usePortal();
  const { values, set } = useQueryValues();
  const search = values.get('search') ?? '';
  const type = values.get('type');
  const kind: Kind = type === 'play' || type === 'musical' ? type : 'all';
  const chosen = comparedOf(values.get('compare'));
  const read = useEndpoint(portalEndpoints.shows, {
    params: { id: customerId },
    query: { page: Number(values.get('page') ?? 1) || 1, per_page: 20, ...(search && { search }),
      ...(kind !== 'all' && { type: kind }) },
  });
  return (
    <>
      <PortalHead title="Shows" tabs={showsTabs(base)}
        facts={['See what it would cost at your venue, and whether your dates are available']} />
      <div className={styles.filters}>
        <SearchInput label="Search by title or author" value={search}
          onChange={(text) => set({ search: text || null, page: null })} />
        <SegmentedControl label="Kind" hideLabel value={kind} choices={KINDS}
          onChange={(value) => set({ type: value === 'all' ? null : value, page: null })} />
      </div>
      <Tray chosen={chosen} base={base} night={values.get('night')} onClear={() => set({ compare: null })} />
      <QueryBoundary read={read}>
        {({ data, meta }) => (
          <Card>
            {data.length === 0
              ? <EmptyState title="No show matches" text="Try another word, or look at all shows."
                  action={<Button onClick={() => set({ search: null, type: null, page: null })}>Show all</Button>} />
              : <ul className={styles.list}>{data.map((show) => <ShowItem key={show.id} show={show} base={base}
                chosen={chosen} onToggle={(id) => set({ compare: toggled(chosen, id) })} />)}</ul>}
            <Pager meta={meta} />
          </Card>
        )}
      </QueryBoundary>
    </>
  );
}
