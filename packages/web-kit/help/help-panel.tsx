/**
 * The help panel (SPEC.md 2, gaps G39): search box, the articles of this page, Getting Started, an article with its
 * breadcrumb and a Report link. Docked at the right and not modal: one reads it beside the page it is about.
 */
import { BookOpen, ChevronRight, Flag, X } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { SearchInput } from '#web/controls/field/search-input.tsx';
import { useRemembered } from '#web/data/remembered.ts';
import { SINGLE_KEYS_OFF } from '#web/data/use-row-keys.ts';
import { Glyph } from '#web/layout/icons.tsx';
import { articlesOf, findArticles, type HelpArticle } from './help-search.ts';
import styles from './help-panel.module.css';

export interface HelpPanelProps {
  articles: readonly HelpArticle[];
  /** Ids of the Getting Started list. */
  started: readonly string[];
  /** Address of the page one is on: its articles come first. */
  path: string;
  /** Id of the article that is read first; null begins with the lists. */
  article?: string | null | undefined;
  onClose: () => void;
}

function Entries({ title, articles, onChoose }: {
  title: string; articles: readonly HelpArticle[]; onChoose: (id: string) => void;
}) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className={styles.heading}>{title}</h3>
      <ul className={styles.entries} aria-labelledby={id}>
        {articles.map((article) => (
          <li key={article.id}>
            <button type="button" className={styles.entry} onClick={() => onChoose(article.id)}>
              <Glyph icon={BookOpen} /><span>{article.title}</span><Glyph icon={ChevronRight} size={14} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A mail with the article and the page in it; whom it goes to is the reader's choice. */
function reportHref(article: HelpArticle): string {
  const subject = encodeURIComponent(`Help: ${article.title}`);
  return `mailto:?subject=${subject}&body=${encodeURIComponent(`${window.location.href}\n\n`)}`;
}

function Article({ article, onHome }: { article: HelpArticle; onHome: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => { heading.current?.focus({ preventScroll: true }); }, [article.id]);
  return (
    <article>
      <nav aria-label="Help breadcrumb">
        <ol className={styles.crumbs}>
          <li><button type="button" onClick={onHome}>Home</button></li>
          <li><span aria-current="page">{article.title}</span></li>
        </ol>
      </nav>
      <h3 className={styles.articleTitle} tabIndex={-1} ref={heading}>{article.title}</h3>
      {article.body.map((paragraph) => <p key={paragraph} className={styles.paragraph}>{paragraph}</p>)}
      <p className={styles.report}>
        Is something wrong or missing here? <a href={reportHref(article)} className="gr-link">
          <Glyph icon={Flag} size={14} /> Report</a>
      </p>
    </article>
  );
}

/** Keys of a single letter get in the way of speech input: whoever wants none switches them off (WCAG 2.1.4). */
function SingleKeys() {
  const [off, setOff] = useRemembered(SINGLE_KEYS_OFF, false);
  return (
    <div className={styles.keys}>
      <Checkbox label="Single-key shortcuts" value={!off} onChange={(on) => setOff(!on)}
        caption="Such as / to search, j and k in a list and ? for help. Kept in this browser." />
    </div>
  );
}

export function HelpPanel({ articles, started, path, article: asked = null, onClose }: HelpPanelProps) {
  const id = useId();
  const [search, setSearch] = useState('');
  const [open, setOpen] = useState<string | null>(asked);
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => { if (asked === null) box.current?.focus(); }, [asked]);
  const article = articles.find((one) => one.id === open);
  const found = findArticles(articles, search);
  const here = articlesOf(articles, path).filter((one) => !started.includes(one.id)).slice(0, 3);
  const first = started.flatMap((one) => articles.filter((candidate) => candidate.id === one));
  const home = () => { setOpen(null); setSearch(''); box.current?.focus(); };
  return (
    <aside className={styles.panel} aria-labelledby={id} data-print="hide"
      onKeyDown={(event) => { if (event.key === 'Escape') { event.stopPropagation(); onClose(); } }}>
      <div className={styles.head}>
        <h2 id={id} className={styles.title}>Help</h2>
        <button type="button" className={styles.close} aria-label="Close help" onClick={onClose}>
          <Glyph icon={X} size={17} />
        </button>
      </div>
      <div className={styles.search}>
        <SearchInput label="Search help" value={search} inputRef={box}
          onChange={(text) => { setSearch(text); setOpen(null); }} />
      </div>
      <div className={styles.body}>
        {article && <Article article={article} onHome={home} />}
        {!article && search.trim() !== '' && (found.length > 0
          ? <Entries title="Found" articles={found} onChoose={setOpen} />
          : <p className={styles.none} role="status">No article has these words. Try fewer or others.</p>)}
        {!article && search.trim() === '' && (
          <>
            {here.length > 0 && <Entries title="For this page" articles={here} onChoose={setOpen} />}
            <Entries title="Getting Started" articles={first} onChoose={setOpen} />
            <SingleKeys />
          </>
        )}
      </div>
    </aside>
  );
}
