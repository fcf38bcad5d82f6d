/**
 * The command palette (LOOK.md 8, picture 10): one field, groups of places to go to, keys all the way. What stands in
 * it is given from outside; the native dialog keeps the focus inside and gives it back.
 */
import { Search, X } from 'lucide-react';
import { useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { spell } from '#kernel/text/english.ts';
import { Keys } from '#web/data/code-text.tsx';
import { Glyph, type Icon } from '#web/layout/icons.tsx';
import { useNavigation } from '#web/navigation/navigation.tsx';
import styles from './command-palette.module.css';

export interface PaletteItem {
  /** Target of the item; otherwise `run` is its action. */
  href?: string | undefined;
  run?: (() => void) | undefined;
  label: string;
  /** In muted after the label: customer and number. */
  detail?: string | null | undefined;
  icon: Icon;
  /** At the right end: a badge. */
  aside?: ReactNode;
}
export interface PaletteGroup { label: string; items: readonly PaletteItem[] }

export interface CommandPaletteProps {
  text: string;
  onText: (text: string) => void;
  groups: readonly PaletteGroup[];
  /** Records are still being looked for. */
  searching?: boolean | undefined;
  onClose: () => void;
}

/** The label with what was typed in garnet. */
function Marked({ label, text }: { label: string; text: string }) {
  const wanted = text.trim().toLowerCase();
  const at = wanted === '' ? -1 : label.toLowerCase().indexOf(wanted);
  if (at < 0) return label;
  return <>{label.slice(0, at)}<mark>{label.slice(at, at + wanted.length)}</mark>{label.slice(at + wanted.length)}</>;
}

function Option({ item, id, active, text, onOpen, onPoint }: {
  item: PaletteItem; id: string; active: boolean; text: string; onOpen: () => void; onPoint: () => void;
}) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => { if (active) place.current?.scrollIntoView({ block: 'nearest' }); }, [active]);
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the keys are the field's
    <div role="option" id={id} tabIndex={-1} aria-selected={active} className={styles.option} ref={place}
      onClick={onOpen} onPointerMove={onPoint}>
      <Glyph icon={item.icon} />
      <span className={styles.label}><Marked label={item.label} text={text} /></span>
      {item.detail && <span className={styles.detail}>{item.detail}</span>}
      {item.aside && <span className={styles.aside}>{item.aside}</span>}
    </div>
  );
}

const SEARCH = spell`Search licenses, customers, invoices and pages`;

export function CommandPalette({ text, onText, groups, searching, onClose }: CommandPaletteProps) {
  const base = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [at, setAt] = useState(0);
  const { go } = useNavigation();
  const shown = groups.filter((group) => group.items.length > 0);
  const items = shown.flatMap((group) => group.items);
  const active = Math.min(at, items.length - 1);
  const idOf = (index: number) => `${base}-${index}`;
  // Before the browser paints and before the element goes: closing gives the focus back to where it was.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  useEffect(() => setAt(0), [text]);

  function open(item: PaletteItem | undefined) {
    if (!item) return;
    onClose();
    if (item.href !== undefined) go(item.href);
    // Once the palette has given the focus back: what opens now takes it from there.
    else requestAnimationFrame(() => item.run?.());
  }
  function onKey(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && items.length > 0) setAt((active + step + items.length) % items.length);
    else if (event.key === 'Enter') open(items[active]);
    else return;
    event.preventDefault();
  }
  let index = -1;
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- Escape closes too
    <dialog ref={dialog} className={styles.dialog} aria-label="Search and go to" onCancel={onClose}
      onClick={(event) => { if (event.target === dialog.current) onClose(); }}>
      <div className={styles.head}>
        <Glyph icon={Search} size={18} />
        <input type="text" role="combobox" aria-label={SEARCH} aria-expanded
          aria-controls={`${base}-list`} aria-autocomplete="list" autoComplete="off" spellCheck={false}
          aria-activedescendant={active >= 0 ? idOf(active) : undefined} value={text}
          placeholder={SEARCH} onKeyDown={onKey}
          onChange={(event) => onText(event.target.value)} />
        <button type="button" className={styles.close} aria-label="Close search, esc" onClick={onClose}>
          <Keys keys={['esc']} /><Glyph icon={X} size={20} />
        </button>
      </div>
      <div role="listbox" id={`${base}-list`} aria-label="Results" className={styles.list} aria-busy={searching}>
        {shown.map((group, place) => (
          <div key={group.label} role="group" aria-labelledby={`${base}-group-${place}`}>
            <div id={`${base}-group-${place}`} className={styles.group}>{group.label}</div>
            {group.items.map((item) => {
              index += 1;
              const own = index;
              return <Option key={`${group.label} ${item.href ?? item.label}`} item={item} id={idOf(own)}
                active={own === active} text={text} onOpen={() => open(item)} onPoint={() => setAt(own)} />;
            })}
          </div>
        ))}
      </div>
      <div className={styles.foot}>
        <span><Keys keys={['↑', '↓']} /> move</span><span><Keys keys={['↵']} /> open</span>
        <span className={styles.count} role="status">
          {searching ? 'Searching' : items.length === 0 ? 'Nothing matches'
            : text.trim() === '' ? '' : `${items.length} ${items.length === 1 ? 'result' : 'results'}`}
        </span>
      </div>
    </dialog>
  );
}
