/**
 * All results of the search (XR16): the best of every kind, one kind as a list, or what lies in the trash. What is
 * looked for stands in the address. Keys: / leads to the field, arrows and j/k move over the results, Enter opens.
 */
import { useEffect, useRef } from 'react';
import { spell } from '#kernel/text/english.ts';
import { Button } from '#web/controls/button/button.tsx';
import { SearchInput } from '#web/controls/field/search-input.tsx';
import { Badge, PHASES, PhaseBadge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { EmptyState, Skeleton } from '#web/data/empty-state.tsx';
import { NotLoaded } from '#web/data/not-loaded.tsx';
import { isTyping, singleKeysOff } from '#web/data/use-row-keys.ts';
import { Glyph } from '#web/layout/icons.tsx';
import { PageContent } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { AppLink, useQueryValues } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint, useList } from '#web/query/use-endpoint.ts';
import { SEARCH_KINDS, SEARCH_SHORTEST, searchEndpoints, type SearchGroup, type SearchHit } from './search.contract.ts';
import { countOf, KINDS, plainStatus, searchHref } from './search-words.web.ts';
import styles from './search.module.css';

const kindOptions = SEARCH_KINDS.map((value) => ({ value, label: KINDS[value].many }));
const filters = [{ name: 'entity', label: 'Kind', options: kindOptions }];

function Status({ hit }: { hit: SearchHit }) {
  if (hit.status === null) return null;
  if (hit.entity === 'license' && hit.status in PHASES) return <PhaseBadge phase={hit.status} small />;
  return <Badge small tone="outline">{plainStatus(hit.status)}</Badge>;
}

const columns: readonly Column<SearchHit>[] = [
  { id: 'title', header: 'Name', kind: 'title', fixed: true, width: 300, cell: (row) => row.title },
  { id: 'number', header: 'Number', kind: 'code', width: 250, cell: (row) => <Numbers hit={row} /> },
  { id: 'detail', header: 'More', kind: 'muted', width: 260, cell: (row) => row.detail },
  { id: 'entity', header: 'Kind', kind: 'muted', width: 170, cell: (row) => KINDS[row.entity].many },
  { id: 'status', header: 'Status', kind: 'badge', width: 130, cell: (row) => <Status hit={row} /> },
];

export default function SearchPage() {
  const { values, set } = useQueryValues();
  const may = useMay();
  const search = (values.get('search') ?? '').trim();
  const trash = values.get('view') === 'trash' && may('search_index.list_trash');
  const field = useRef<HTMLInputElement>(null);
  const flat = trash || values.get('entity') !== null;
  useEffect(() => { if (search === '') field.current?.focus(); }, [search]);
  useSearchKeys(field);
  return (
    <>
      <PageHeader title={trash ? 'Search in the trash' : 'Search'}
        subtitle="Every record you may read, by number or words">
        {may('search_index.list_trash') && (
          <Button variant="quiet" onClick={() => set({ view: trash ? null : 'trash', page: null, entity: null })}>
            {trash ? 'Back to the search' : 'Trash'}
          </Button>
        )}
      </PageHeader>
      {flat ? <FlatList trash={trash} /> : (
        <PageContent>
          <div className={styles.field}>
            <SearchInput label="Search for a number or words" value={search} shortcut="/" inputRef={field}
              placeholder="Number, name or words"
              onChange={(text) => set({ search: text.trim() || null, page: null })} />
          </div>
          <Overview search={search} />
        </PageContent>
      )}
    </>
  );
}

/** One kind, or the trash, as a list of its own. */
function FlatList({ trash }: { trash: boolean }) {
  const list = useList(trash ? searchEndpoints.trash : searchEndpoints.list, {},
    { filters: ['entity'], views: false, perPage: 25 });
  const asked = list.search.search.length >= SEARCH_SHORTEST;
  return (
    <DataTable label={trash ? 'Found in the trash' : 'Search results'} {...list} exportOf={undefined} columns={columns}
      filters={filters} rowKey={(row) => row.id} rowHref={(row) => row.href} searchPlaceholder="Number, name or words"
      empty={asked ? { title: 'Nothing found', text: 'No record that you may read matches.' }
        : { title: 'Search for records', text: 'Type at least two letters or a number.' }} />
  );
}

function Overview({ search }: { search: string }) {
  const wanted = search.length >= SEARCH_SHORTEST;
  const read = useEndpoint(searchEndpoints.all, { query: { search } }, { enabled: wanted });
  if (!wanted) {
    return <EmptyState title="Search for records"
      text={spell`Type at least two letters or a number: a customer, a show, a license, an invoice, a person.`} />;
  }
  if (read.isError && !read.data) {
    return <NotLoaded title="The search did not answer" read={read} />;
  }
  if (!read.data) {
    return (
      <div className={styles.waiting} aria-busy="true">
        {[180, 320, 300, 260, 340].map((width) => <Skeleton key={width} width={width} height={16} />)}
      </div>
    );
  }
  const { groups, fuzzy } = read.data.data;
  const total = groups.reduce((sum, group) => sum + group.total, 0);
  const exact = groups.every((group) => group.total_is_exact);
  return (
    <div data-fetching={read.isPlaceholderData || undefined} className={styles.results}>
      <p className={styles.count} role="status">
        {groups.length === 0 ? '' : fuzzy ? `Nothing is called “${search}”. These are close:`
          : `${total}${exact ? '' : '+'} ${total === 1 ? 'record' : 'records'}`}
      </p>
      {groups.length === 0 && (
        <EmptyState title={`Nothing found for “${search}”`}
          text="Check the spelling, or try fewer words. Only records that your rights open are searched." />
      )}
      {groups.map((group) => <Group key={group.entity} group={group} search={search} fuzzy={fuzzy} />)}
    </div>
  );
}

function Group({ group, search, fuzzy }: { group: SearchGroup; search: string; fuzzy: boolean }) {
  const words = KINDS[group.entity];
  const more = group.total > group.rows.length || !group.total_is_exact;
  const id = `search-${group.entity}`;
  return (
    <section aria-labelledby={id} className={styles.group}>
      <h2 id={id}>{words.many}<span className={styles.total}>{countOf(group)}</span></h2>
      <ul className={styles.rows}>
        {group.rows.map((hit) => (
          <li key={hit.id}>
            <AppLink href={hit.href} className={styles.hit} data-search-hit>
              <Glyph icon={words.icon} size={17} />
              <span className={styles.text}>
                <span className={styles.title}><Marked text={hit.title} wanted={search} /></span>
                <span className={styles.detail}>{hit.detail}</span>
              </span>
              {hit.number && <span className={styles.number}><Numbers hit={hit} wanted={search} /></span>}
              <Status hit={hit} />
            </AppLink>
          </li>
        ))}
      </ul>
      {more && !fuzzy && (
        <AppLink href={searchHref(search, group.entity)} className="gr-link">
          All {countOf(group)} {words.many.toLowerCase()}
        </AppLink>
      )}
    </section>
  );
}

/** The number that is valid now, the one it had before beside it. */
function Numbers({ hit: { number, former_number: former }, wanted = '' }: { hit: SearchHit; wanted?: string }) {
  return (
    <>
      {number !== null && <Marked text={number} wanted={wanted} />}
      {former !== null && <small> formerly <Marked text={former} wanted={wanted} /></small>}
    </>
  );
}

/** Highlights the typed text wherever it occurs verbatim. */
function Marked({ text, wanted }: { text: string; wanted: string }) {
  const at = wanted === '' ? -1 : text.toLowerCase().indexOf(wanted.toLowerCase());
  if (at < 0) return text;
  return <>{text.slice(0, at)}<mark>{text.slice(at, at + wanted.length)}</mark>{text.slice(at + wanted.length)}</>;
}

/** / to the field; arrows and j/k from result to result, out of the field too. */
function useSearchKeys(field: { current: HTMLInputElement | null }): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const arrow = event.key === 'ArrowDown' || event.key === 'ArrowUp';
      const inField = event.target === field.current;
      if (isTyping(event) && !(inField && arrow)) return;
      if (event.key === '/' && !singleKeysOff()) { event.preventDefault(); field.current?.focus(); return; }
      const step = { ArrowDown: 1, ArrowUp: -1, ...(singleKeysOff() ? {} : { j: 1, k: -1 }) }[event.key];
      const hits = [...document.querySelectorAll<HTMLElement>('[data-search-hit]')];
      if (step === undefined || hits.length === 0) return;
      event.preventDefault();
      const now = hits.findIndex((hit) => hit === document.activeElement);
      const next = now + step;
      if (next < 0) field.current?.focus();
      else hits[Math.min(next, hits.length - 1)]?.focus();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [field]);
}
