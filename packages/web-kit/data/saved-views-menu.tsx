/** Views of a list: those one keeps, those of colleagues, and what can be done with the open one (U8, LOOK.md 5). */
import { Bookmark, Pin, Users } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { LatePopover } from '#web/controls/late/late-popover.tsx';
import { Glyph, type Icon } from '#web/layout/icons.tsx';
import { useNavigation } from '#web/navigation/navigation.tsx';
import { useAction } from '#web/query/use-action.ts';
import { savedViews, useViewCounts, type SavedView, type SavedViewsState } from '#web/query/use-saved-views.ts';
import { toast } from './toast.tsx';
import type { ColumnChoices } from './use-column-choices.ts';
import styles from './table-tools.module.css';

const SaveViewDialog = lazy(() => import('./save-view-dialog.tsx'));

export interface SavedViewsMenuProps {
  state: SavedViewsState;
  choices: ColumnChoices | undefined;
  /** Kind of screen that the views belong to. */
  of?: 'list' | 'report' | undefined;
}

export function SavedViewsMenu({ state, choices, of = 'list' }: SavedViewsMenuProps) {
  const [open, setOpen] = useState(false);
  const [naming, setNaming] = useState<'new' | 'change' | null>(null);
  const { go } = useNavigation();
  const { current, changed } = state;
  const counts = useViewCounts(state, open);
  const columns = choices?.list.filter((column) => column.shown).map((column) => column.id) ?? [];
  const update = useAction(savedViews.update, { done: 'View saved' });
  const follow = (href: string) => { setOpen(false); go(href); };
  const name = (what: 'new' | 'change') => { setOpen(false); setNaming(what); };
  return (
    <>
      <LatePopover open={open} onOpen={setOpen} position="bottom-end" width={264} label={`Views of this ${of}`}
        className={styles.popover} openerClass={styles.tool} opener={(
          <>
            <Glyph icon={Bookmark} size={15} />
            {current ? <span className={styles.toolText}>{current.name}</span> : 'Views'}
            {changed && <span className={styles.changed}> changed</span>}
          </>
        )}>
        <ViewList state={state} counts={counts} onFollow={follow}
          plain={of === 'list' ? 'Everything' : 'Plain report'} />
        <ul className={styles.verbs}>
          {current?.mine && changed && (
            <li>
              <button type="button" className={styles.option} onClick={() => {
                setOpen(false);
                void update.run({ params: { id: current.id },
                  body: { search: state.search, columns, version: current.version } });
              }}>Keep the changes in {current.name}</button>
            </li>
          )}
          {current?.mine && (
            <li>
              <button type="button" className={styles.option} onClick={() => name('change')}>
                Rename, share or remove
              </button>
            </li>
          )}
          <li>
            <button type="button" className={styles.option} onClick={() => name('new')}>Save what you see as a view
            </button>
          </li>
        </ul>
      </LatePopover>
      {naming && (
        <Suspense fallback={null}>
          <SaveViewDialog state={state} columns={columns} of={of}
            view={naming === 'change' ? current : undefined}
            onClose={() => setNaming(null)}
            onSaved={(view) => { setNaming(null); go(state.hrefOf(view), { replace: true }); toast('View saved'); }}
            onRemoved={() => { setNaming(null); go(state.plainHref, { replace: true }); }} />
        </Suspense>
      )}
    </>
  );
}

interface ViewListProps {
  state: SavedViewsState;
  counts: ReadonlyMap<number, string>;
  onFollow: (href: string) => void;
  /** The one without a view. */
  plain: string;
}

function ViewList({ state, counts, onFollow, plain }: ViewListProps) {
  const { views, current } = state;
  const mine = views.filter((view) => view.mine);
  const others = views.filter((view) => !view.mine);
  const entry = (view: SavedView) => (
    <li key={view.id}>
      <button type="button" className={styles.viewOption} aria-current={view.id === current?.id ? 'true' : undefined}
        onClick={() => onFollow(state.hrefOf(view))}>
        <span>{view.name}{!view.mine && <small>{view.owner_name}</small>}</span>
        {counts.has(view.id) && <small><em className="gr-hidden">, rows: </em>{counts.get(view.id)}</small>}
        {view.mine && view.is_default && <Mark icon={Pin} words="opens by itself" />}
        {view.mine && view.shared && <Mark icon={Users} words="shared" />}
      </button>
    </li>
  );
  return (
    <>
      <ul className={styles.choices}>
        <li>
          <button type="button" className={styles.viewOption} aria-current={current ? undefined : 'true'}
            onClick={() => onFollow(state.plainHref)}><span>{plain}</span></button>
        </li>
        {mine.map(entry)}
      </ul>
      {others.length > 0 && (
        <>
          <p className={styles.viewHeading}>From colleagues</p>
          <ul className={styles.choices}>{others.map(entry)}</ul>
        </>
      )}
    </>
  );
}

function Mark({ icon, words }: { icon: Icon; words: string }) {
  return <><Glyph icon={icon} size={14} /><em className="gr-hidden">, {words}</em></>;
}
