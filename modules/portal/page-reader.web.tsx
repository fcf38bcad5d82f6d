/**
 * Reads a perusal page by page: each page is a picture with the reader's name in it, drawn by the server when it is
 * turned to. Keys: arrows and Page Up, Page Down turn, Home and End jump, + and - enlarge, T shows the page as text.
 */
import { ChevronLeft, ChevronRight, Image, Minus, Plus, TextInitial } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ResponseOf } from '#kit/endpoint.ts';
import { urlOf } from '#kit/client.ts';
import { portalPerusalEndpoints } from '#modules/stock/perusal/perusal.contract.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button, IconButton } from '#web/controls/button/button.tsx';
import { EmptyState, Skeleton } from '#web/data/empty-state.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { useQueryValues } from '#web/navigation/navigation.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { usePortal } from './portal-parts.web.tsx';
import { keyOf, ZOOMS } from './page-keys.web.ts';
import styles from './page-reader.module.css';

type Perusal = ResponseOf<typeof portalPerusalEndpoints.show>['data'];
interface PageReaderProps { perusal: Perusal;
  /** A page did not come: the perusal may have ended meanwhile. */
  onLost: () => void }

/** The page stands in the address: reloading, or a link to oneself, opens the same one. */
function usePage(pages: number): [number, (page: number) => void] {
  const { values, set } = useQueryValues();
  const page = Math.min(Math.max(1, Math.trunc(Number(values.get('page'))) || 1), pages);
  return [page, (next) => set({ page: String(Math.min(Math.max(1, next), pages)) })];
}

export function PageReader({ perusal, onLost }: PageReaderProps) {
  const [page, turn] = usePage(perusal.pages);
  const [zoom, setZoom] = useState(ZOOMS.indexOf(100));
  const [asText, setAsText] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const action = keyOf(event, { page, pages: perusal.pages, zoom });
      if (!action) return;
      event.preventDefault();
      if (action.page !== undefined) turn(action.page);
      if (action.zoom !== undefined) setZoom(action.zoom);
      if (action.text) setAsText((old) => !old);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  });
  const part = perusal.parts.findLast((one) => one.first_page <= page);
  return (
    <section className={styles.reader} aria-label={`Pages of ${perusal.show_title}`}>
      <div className={styles.bar} role="toolbar" aria-label="Reading">
        <span className={styles.group}>
          <IconButton label="Page before" shortcut="←" icon={<Glyph icon={ChevronLeft} size={18} />}
            reason={page === 1 ? 'This is the first page' : undefined} onClick={() => turn(page - 1)} />
          <PageNumber page={page} pages={perusal.pages} onTurn={turn} />
          <IconButton label="Next page" shortcut="→" icon={<Glyph icon={ChevronRight} size={18} />}
            reason={page === perusal.pages ? 'This is the last page' : undefined} onClick={() => turn(page + 1)} />
        </span>
        {perusal.parts.length > 1 && (
          <span className={styles.parts}>
            <AsyncSelect<number> label="Part" hideLabel value={part?.first_page ?? 1}
              options={perusal.parts.map((one) => ({ value: one.first_page, label: one.name }))}
              onChange={(first) => turn(first ?? 1)} />
          </span>
        )}
        <span className={styles.group}>
          {!asText && (
            <>
              <IconButton label="Smaller" shortcut="−" icon={<Glyph icon={Minus} size={18} />}
                reason={zoom === 0 ? 'This is the smallest' : undefined} onClick={() => setZoom(zoom - 1)} />
              <span className={styles.zoom}>{ZOOMS[zoom]}%</span>
              <IconButton label="Larger" shortcut="+" icon={<Glyph icon={Plus} size={18} />}
                reason={zoom === ZOOMS.length - 1 ? 'This is the largest' : undefined}
                onClick={() => setZoom(zoom + 1)} />
            </>
          )}
          <Button onClick={() => setAsText(!asText)} icon={<Glyph icon={asText ? Image : TextInitial} size={18} />}>
            {asText ? 'As a page' : 'As text'}
          </Button>
        </span>
      </div>
      <p className="gr-hidden" role="status">Page {page} of {perusal.pages}</p>
      {asText ? <PageText perusal={perusal} page={page} onLost={onLost} />
        : <Sheet key={page} perusal={perusal} page={page} width={ZOOMS[zoom] ?? 100} onLost={onLost} />}
      <p className={styles.note} data-print="hide">
        Every page carries the name of who reads it, and we keep a record of it. It is not to be copied, passed on or
        performed.
      </p>
    </section>
  );
}

/** Typed and confirmed with Enter, or left: half a number turns no page. */
function PageNumber({ page, pages, onTurn }: { page: number; pages: number; onTurn: (page: number) => void }) {
  const [typed, setTyped] = useState<string | null>(null);
  const leave = (): void => {
    const wanted = Number(typed);
    if (typed !== null && Number.isInteger(wanted) && wanted > 0) onTurn(wanted);
    setTyped(null);
  };
  return (
    <label className={styles.page}>
      <span className="gr-hidden">Page</span>
      <input inputMode="numeric" value={typed ?? String(page)} size={3} onFocus={(event) => event.target.select()}
        onChange={(event) => setTyped(event.target.value)} onBlur={leave}
        onKeyDown={(event) => { if (event.key === 'Enter') leave(); }} />
      <span>of {pages}</span>
    </label>
  );
}

interface SheetProps extends PageReaderProps { page: number; width: number }

function Sheet({ perusal, page, width, onLost }: SheetProps) {
  const { customerId } = usePortal();
  const [state, setState] = useState<'loading' | 'there' | 'failed'>('loading');
  const [attempt, setAttempt] = useState(0);
  if (state === 'failed') {
    return (
      <div className={styles.ground}>
        <EmptyState role="alert" title="This page did not come" text="The connection may be away for a moment."
          action={<Button onClick={() => { setState('loading'); setAttempt(attempt + 1); }}>Try again</Button>} />
      </div>
    );
  }
  return (
    <div className={styles.ground} tabIndex={0} role="group" aria-label={`Page ${page}`}
      aria-busy={state === 'loading'}>
      <img key={attempt} className={styles.sheet} style={{ width: `${width}%` }} draggable={false}
        data-state={state} alt={`Page ${page} of ${perusal.pages}. Press T to read it as text.`}
        src={urlOf(portalPerusalEndpoints.page, { id: customerId, perusalId: perusal.id, page })}
        onLoad={() => setState('there')} onError={() => { setState('failed'); onLost(); }} />
    </div>
  );
}

function PageText({ perusal, page, onLost }: PageReaderProps & { page: number }) {
  const { customerId } = usePortal();
  const read = useEndpoint(portalPerusalEndpoints.pageText,
    { params: { id: customerId, perusalId: perusal.id, page } });
  const text = read.isPlaceholderData ? undefined : read.data?.data.text;
  return (
    <div className={styles.ground} tabIndex={0} role="group" aria-label={`Page ${page} as text`}
      aria-busy={text === undefined && !read.isError}>
      <article className={styles.text}>
        {read.isError && <EmptyState role="alert" title="This page did not come" text={read.error.message}
          action={<Button onClick={() => { void read.refetch(); onLost(); }}>Try again</Button>} />}
        {text === undefined && !read.isError && [82, 74, 88, 60].map((part) =>
          <p key={part}><Skeleton width={`${part}%`} height={14} /></p>)}
        {text === '' && <p>This page holds no text, only a picture.</p>}
        {text !== undefined && text !== '' && <p className={styles.words}>{text}</p>}
      </article>
    </div>
  );
}
