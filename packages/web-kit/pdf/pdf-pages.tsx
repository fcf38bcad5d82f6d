/** Pages of a PDF, lazy-loaded by `PdfPreview`: one below the other, each rendered when it comes near. */
import { ChevronDown, ChevronUp, Download, Minus, Plus } from 'lucide-react';
import { GlobalWorkerOptions, getDocument, type PDFDocumentProxy } from 'pdfjs-dist';
// oxlint-disable-next-line import/default -- Vite answers the address of the built file
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { IconButton } from '#web/controls/button/button.tsx';
import { SearchInput } from '#web/controls/field/search-input.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { findIn, textOf, type Find, type TextRun } from './found-text.ts';
import { PdfSheet, type Size } from './pdf-sheet.tsx';
import type { PdfPreviewProps } from './pdf-props.ts';
import styles from './pdf-preview.module.css';

GlobalWorkerOptions.workerSrc = workerUrl;

/** Percent of the width that fits. */
const ZOOMS = [50, 75, 100, 125, 150, 200, 300] as const;
/** px: a page is never drawn wider than this to fit; reading lines of a letter page needs no more. */
const WIDEST = 900;

interface Opened { pdf: PDFDocumentProxy; size: Size }

function useDocument(url: string, onUnreadable: (() => void) | undefined): Opened | null {
  const [opened, setOpened] = useState<Opened | null>(null);
  const unreadable = useRef(onUnreadable);
  useEffect(() => { unreadable.current = onUnreadable; });
  useEffect(() => {
    const task = getDocument({ url, disableRange: true, useWasm: false });
    let here = true;
    void (async () => {
      try {
        const pdf = await task.promise;
        const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 1 });
        if (here) setOpened({ pdf, size: { width, height } });
      } catch {
        if (here) unreadable.current?.();
      }
    })();
    return () => { here = false; void task.destroy(); };
  }, [url]);
  return opened;
}

/** px between the edges of the box the pages stand in. */
function useWidth(box: HTMLElement | null): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!box) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.round(entry?.contentRect.width ?? 0)));
    observer.observe(box);
    return () => observer.disconnect();
  }, [box]);
  return width;
}

/** `finds` is null while the pages are read. */
interface Search { words: string; finds: Find[] | null; at: number }

/** The text of all pages is read with the first search. */
function useSearch(opened: Opened | null) {
  const [search, setSearch] = useState<Search>({ words: '', finds: [], at: 0 });
  const texts = useRef<Promise<string[]> | null>(null);
  const wanted = useRef('');
  const read = (pdf: PDFDocumentProxy): Promise<string[]> => Promise.all(
    Array.from({ length: pdf.numPages }, async (_, page) => {
      const { items } = await (await pdf.getPage(page + 1)).getTextContent();
      return textOf(items.filter((item): item is typeof item & TextRun => 'str' in item));
    }));
  const find = async (words: string): Promise<void> => {
    wanted.current = words;
    setSearch({ words, finds: null, at: 0 });
    if (!opened) return;
    texts.current ??= read(opened.pdf);
    const finds = findIn(await texts.current, words);
    if (wanted.current === words) setSearch({ words, finds, at: 0 });
  };
  const step = (by: 1 | -1): void => setSearch((old) => (!old.finds?.length ? old
    : { ...old, at: (old.at + by + old.finds.length) % old.finds.length }));
  return { search, find, step };
}

function SearchBar({ search, find, step }: ReturnType<typeof useSearch>) {
  const { words, finds, at } = search;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    step(event.shiftKey ? -1 : 1);
  };
  const none = finds?.length ? undefined : 'Nothing is found';
  return (
    <span className={styles.search} onKeyDown={onKeyDown}>
      <SearchInput within label="Find in the document" placeholder="Find in the document" value={words}
        onChange={(value) => void find(value)} />
      {words.trim() !== '' && (
        <>
          <span className={styles.count} role="status">{finds === null ? 'Reading'
            : finds.length === 0 ? 'Not found' : `${at + 1} of ${finds.length}`}</span>
          <IconButton label="Find before" shortcut="Shift+Enter" reason={none} onClick={() => step(-1)}
            icon={<Glyph icon={ChevronUp} size={18} />} />
          <IconButton label="Next find" shortcut="Enter" reason={none} onClick={() => step(1)}
            icon={<Glyph icon={ChevronDown} size={18} />} />
        </>
      )}
    </span>
  );
}

export default function PdfPages({ url, title, fileName, onUnreadable }: PdfPreviewProps & {
  onUnreadable?: (() => void) | undefined;
}) {
  const opened = useDocument(url, onUnreadable);
  const [box, setBox] = useState<HTMLDivElement | null>(null);
  const room = useWidth(box);
  const [zoom, setZoom] = useState<number>(ZOOMS.indexOf(100));
  const [page, setPage] = useState(1);
  const searching = useSearch(opened);
  const found = searching.search.finds?.[searching.search.at];
  const pages = opened?.pdf.numPages ?? 0;
  const width = Math.round((Math.min(room, WIDEST) * (ZOOMS[zoom] ?? 100)) / 100);
  return (
    <section className={styles.reader} aria-label={`Pages of ${title}`}>
      <div className={styles.bar} role="toolbar" aria-label="Reading" data-print="hide">
        <span className={styles.count} role="status">{pages > 0 && `Page ${page} of ${pages}`}</span>
        <span className={styles.group}>
          <IconButton label="Smaller" reason={zoom === 0 ? 'This is the smallest' : undefined}
            icon={<Glyph icon={Minus} size={18} />} onClick={() => setZoom(zoom - 1)} />
          <span className={styles.zoom}>{ZOOMS[zoom]}%</span>
          <IconButton label="Larger" reason={zoom === ZOOMS.length - 1 ? 'This is the largest' : undefined}
            icon={<Glyph icon={Plus} size={18} />} onClick={() => setZoom(zoom + 1)} />
        </span>
        <SearchBar {...searching} />
        <ButtonLink href={url} download={fileName} icon={<Glyph icon={Download} />}>Download</ButtonLink>
      </div>
      <div ref={setBox} className={styles.ground} tabIndex={0} role="group" aria-label={`${title}, pages`}
        aria-busy={opened === null}>
        {opened === null || width === 0 ? <Skeleton height={420} />
          : Array.from({ length: pages }, (_, index) => (
            <PdfSheet key={index} pdf={opened.pdf} number={index + 1} first={opened.size} width={width}
              found={found?.page === index ? found : null} onSeen={() => setPage(index + 1)} />
          ))}
      </div>
    </section>
  );
}
