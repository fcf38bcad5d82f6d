/** Opens the help panel from the bar of an area, or with the key `?`; its articles are loaded at the first opening. */
import { CircleHelp } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState, type ComponentType } from 'react';
import { isTyping, singleKeysOff } from '#web/data/use-row-keys.ts';
import { Glyph } from '#web/layout/icons.tsx';
import { useAddress } from '#web/navigation/navigation.tsx';
import type { HelpArticle } from './help-search.ts';
import bar from '#web/layout/bar-tool.module.css';

export interface Help { articles: readonly HelpArticle[]; started: readonly string[] }
export type HelpPanelOf = ComponentType<{ path: string; onClose: () => void }>;

/** The panel of one area, made once: `const StaffHelp = lazyHelp(() => import('./help/staff-help.ts')...)`. */
export function lazyHelp(load: () => Promise<Help>): HelpPanelOf {
  return lazy(async () => {
    const [{ HelpPanel }, help] = await Promise.all([import('./help-panel.tsx'), load()]);
    return { default: (props: { path: string; onClose: () => void }) => <HelpPanel {...help} {...props} /> };
  });
}

export function HelpButton({ panel: Panel }: { panel: HelpPanelOf }) {
  const [open, setOpen] = useState(false);
  const { path } = useAddress();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '?' || event.defaultPrevented || isTyping(event) || singleKeysOff()) return;
      event.preventDefault();
      setOpen((before) => !before);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <button type="button" className={bar.tool} aria-label="Help" title="Help (?)" aria-keyshortcuts="?"
        aria-expanded={open} ref={button} onClick={() => setOpen(!open)}><Glyph icon={CircleHelp} size={17} /></button>
      {open && (
        <Suspense fallback={null}>
          <Panel path={path} onClose={() => { setOpen(false); button.current?.focus(); }} />
        </Suspense>
      )}
    </>
  );
}
