/**
 * A menu whose list is loaded when a hand or the keyboard comes near its opener: the first paint needs the opener only.
 * For frames; a page's own menus are ActionMenu.
 */
import { cloneElement, useEffect, useLayoutEffect, useRef, useState, type ReactElement } from 'react';
import type { ActionMenu, ActionMenuProps } from './action-menu.tsx';

const load = (): Promise<typeof ActionMenu> => import('./action-menu.tsx').then((file) => file.ActionMenu);

/** Of what the opener is told until the list is there. */
interface Opener { onPointerEnter: () => void; onFocus: () => void; onClick: () => void }

export function LateActionMenu({ target, ...menu }: ActionMenuProps & { target: ReactElement<Partial<Opener>> }) {
  const place = useRef<HTMLSpanElement>(null);
  const [near, setNear] = useState(false);
  const [asked, setAsked] = useState(false);
  const [Menu, setMenu] = useState<{ of: typeof ActionMenu } | null>(null);
  const focused = useRef(false);
  useEffect(() => {
    if (!near) return undefined;
    let here = true;
    void load().then((of) => {
      if (!here) return;
      // The menu draws an opener of its own: whoever stood on this one stands on that one.
      focused.current = place.current?.contains(document.activeElement) ?? false;
      setMenu({ of });
    });
    return () => { here = false; };
  }, [near]);
  useLayoutEffect(() => {
    const opener = place.current?.querySelector('button');
    if (!Menu || !opener) return;
    if (focused.current || asked) opener.focus();
    // Opened by a press on its own opener, it knows where the focus returns to.
    if (asked) opener.click();
  }, [Menu, asked]);
  const come = (): void => setNear(true);
  return (
    <span ref={place} style={{ display: 'contents' }}>
      {Menu ? <Menu.of {...menu} target={target} />
        : cloneElement(target, { onPointerEnter: come, onFocus: come, onClick: () => { setAsked(true); come(); } })}
    </span>
  );
}
