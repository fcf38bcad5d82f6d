/** One page of a PDF: drawn while it is near the screen, its words above the picture to select, hear and find. */
import { TextLayer, type PDFDocumentProxy, type PDFPageProxy } from 'pdfjs-dist';
import { useEffect, useRef, useState, type CSSProperties } from 'react';
import { piecesOf, type Find, type TextRun } from './found-text.ts';
import styles from './pdf-preview.module.css';

/** Points of the paper. */
export interface Size { width: number; height: number }

export interface PdfSheetProps {
  pdf: PDFDocumentProxy;
  /** From 1. */
  number: number;
  /** The first page's size stands for this one until it is read. */
  first: Size;
  /** px on the screen. */
  width: number;
  found: Find | null;
  /** Its middle came into view. */
  onSeen: () => void;
}

/** Distance beyond the box at which a page is rendered ahead of being seen. */
const NEAR = '600px 0px';
const FOUND = 'pdf-found';

/** Whether the sheet is near enough to be drawn; tells when its middle comes into view. */
function useNear(sheet: HTMLDivElement | null, onSeen: () => void): boolean {
  const [near, setNear] = useState(false);
  const seen = useRef(onSeen);
  useEffect(() => { seen.current = onSeen; });
  useEffect(() => {
    if (!sheet) return undefined;
    const root = sheet.parentElement;
    const drawn = new IntersectionObserver(([entry]) => setNear(entry?.isIntersecting ?? false),
      { root, rootMargin: NEAR });
    const middle = new IntersectionObserver(([entry]) => { if (entry?.isIntersecting) seen.current(); },
      { root, rootMargin: '-50% 0px -50% 0px' });
    drawn.observe(sheet);
    middle.observe(sheet);
    return () => { drawn.disconnect(); middle.disconnect(); };
  }, [sheet]);
  return near;
}

/** Draws page and words; answers how to stop. What was begun and is no longer wanted is called off. */
function draw(page: PDFPageProxy, width: number, into: { canvas: HTMLCanvasElement; text: HTMLElement },
  onText: (runs: TextRun[], divs: HTMLElement[]) => void): () => void {
  const scale = width / page.getViewport({ scale: 1 }).width;
  const viewport = page.getViewport({ scale: scale * window.devicePixelRatio });
  into.canvas.width = Math.floor(viewport.width);
  into.canvas.height = Math.floor(viewport.height);
  const picture = page.render({ canvas: into.canvas, viewport });
  picture.promise.catch(() => undefined);
  let layer: TextLayer | null = null;
  let stopped = false;
  void page.getTextContent().then(async (content) => {
    if (stopped) return;
    into.text.replaceChildren();
    layer = new TextLayer({ textContentSource: content, container: into.text, viewport: page.getViewport({ scale }) });
    await layer.render();
    if (!stopped) onText(content.items.filter((item): item is typeof item & TextRun => 'str' in item), layer.textDivs);
  }).catch(() => undefined);
  return () => { stopped = true; picture.cancel(); layer?.cancel(); };
}

/** Marks the find in the words of the page and brings it into the middle of the box, which alone scrolls. */
function mark(find: Find, runs: readonly TextRun[], divs: readonly HTMLElement[], box: HTMLElement): void {
  const ranges = piecesOf(runs, find).flatMap(({ run, from, to }) => {
    const text = divs[run]?.firstChild;
    if (!text) return [];
    const range = new Range();
    range.setStart(text, from);
    range.setEnd(text, to);
    return [range];
  });
  CSS.highlights?.set(FOUND, new Highlight(...ranges));
  if (ranges[0]) bringInto(box, ranges[0].getBoundingClientRect());
}

function bringInto(box: HTMLElement, place: DOMRect): void {
  const seen = box.getBoundingClientRect();
  box.scrollBy({ top: place.top - seen.top - seen.height / 3, left: Math.min(0, place.left - seen.left - 16) });
}

export function PdfSheet({ pdf, number, first, width, found, onSeen }: PdfSheetProps) {
  const [sheet, setSheet] = useState<HTMLDivElement | null>(null);
  const near = useNear(sheet, onSeen);
  const [page, setPage] = useState<PDFPageProxy | null>(null);
  const [words, setWords] = useState<{ runs: TextRun[]; divs: HTMLElement[] } | null>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const text = useRef<HTMLDivElement>(null);
  const drawn = near || found !== null;
  useEffect(() => {
    let here = true;
    if (drawn) void pdf.getPage(number).then((read) => { if (here) setPage(read); }).catch(() => undefined);
    return () => { here = false; };
  }, [drawn, pdf, number]);
  useEffect(() => {
    if (!drawn || !page || !canvas.current || !text.current) return undefined;
    const stop = draw(page, width, { canvas: canvas.current, text: text.current },
      (runs, divs) => setWords({ runs, divs }));
    return () => { stop(); setWords(null); };
  }, [drawn, page, width]);
  useEffect(() => {
    const box = sheet?.parentElement;
    if (!found || !sheet || !box) return undefined;
    if (words) mark(found, words.runs, words.divs, box);
    else bringInto(box, sheet.getBoundingClientRect());
    return () => { CSS.highlights?.delete(FOUND); };
  }, [found, words, sheet]);
  const size = page?.getViewport({ scale: 1 }) ?? first;
  const scale = width / size.width;
  return (
    <div ref={setSheet} className={styles.sheet} role="group" aria-label={`Page ${number}`}
      style={{ width, height: Math.round(size.height * scale), '--total-scale-factor': scale } as CSSProperties}>
      {drawn && (
        <>
          <canvas ref={canvas} className={styles.picture} aria-hidden="true" />
          <div ref={text} className={styles.words} />
        </>
      )}
    </div>
  );
}
