/** Opens the help panel from the bar of an area, or with the key `?`; its articles are loaded at the first opening. */
import { CircleHelp } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState, type ComponentType } from 'react';
import { isTyping, singleKeysOff } from '#web/data/use-row-keys.ts';
import { Glyph } from '#web/layout/icons.tsx';
import { useAddress } from '#web/navigation/navigation.tsx';
import type { HelpArticle } from './help-search.ts';
import { onOpenArticle } from './open-article.ts';
import bar from '#web/layout/bar-tool.module.css';

export interface Help { articles: readonly HelpArticle[]; started: readonly string[] }
interface OpenHelp {
  path: string;
  /** Id of the article that is read first. */
  article: string | null;
  onClose: () => void;
}
export type HelpPanelOf = ComponentType<OpenHelp>;

/** The panel of one area, made once: `const StaffHelp = lazyHelp(() => import('./help/staff-help.ts')...)`. */
export function lazyHelp(load: () => Promise<Help>): HelpPanelOf {
  return lazy(async () => {
    const [{ HelpPanel }, help] = await Promise.all([import('./help-panel.tsx'), load()]);
    return { default: (props: OpenHelp) => <HelpPanel {...help} {...props} /> };
  });
}

export function HelpButton({ panel: Panel }: { panel: HelpPanelOf }) {
  const [open, setOpen] = useState(false);
  const [article, setArticle] = useState<string | null>(null);
  const { path } = useAddress();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '?' || event.defaultPrevented || isTyping(event) || singleKeysOff()) return;
      event.preventDefault();
      setArticle(null);
      setOpen((before) => !before);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  useEffect(() => onOpenArticle((id) => { setArticle(id); setOpen(true); }), []);
  return (
    <>
      <button type="button" className={bar.tool} aria-label="Help" title="Help (?)" aria-keyshortcuts="?"
        aria-expanded={open} ref={button} onClick={() => { setArticle(null); setOpen(!open); }}>
        <Glyph icon={CircleHelp} size={17} />
      </button>
      {open && (
        <Suspense fallback={null}>
          <Panel key={article} path={path} article={article}
            onClose={() => { setOpen(false); button.current?.focus(); }} />
        </Suspense>
      )}
    </>
  );
}
