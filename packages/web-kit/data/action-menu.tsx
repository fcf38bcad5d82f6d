/**
 * More than two secondary actions: a button that opens a list of them. Arrow keys, type-ahead and Escape included. The
 * list comes when the pointer or the focus is on the button.
 */
import { Ellipsis } from 'lucide-react';
import { cloneElement, useState, type ComponentProps, type ReactElement, type ReactNode } from 'react';
import { late, useLateOpener } from '#web/controls/late/late.ts';
import { Glyph } from '#web/layout/icons.tsx';
import type { MenuAction } from './action-list.tsx';
import styles from './action-menu.module.css';

export type { MenuAction };

const listPart = late(() => import('./action-list.tsx'));

export interface ActionMenuProps {
  actions: readonly MenuAction[];
  label?: string | undefined;
  /** The opener; three dots unless given. Takes a ref and button properties. */
  target?: ReactElement<ComponentProps<'button'>> | undefined;
  heading?: ReactNode;
}

export function ActionMenu({ actions, label = 'More actions', target, heading }: ActionMenuProps) {
  const [open, setOpen] = useState(false);
  const { part, opener, id, props } = useLateOpener(listPart, 'menu', open, setOpen);
  if (actions.length === 0) return null;
  const button = target ?? (
    <button type="button" className={styles.dots} aria-label={label} title={label} data-icon-only>
      <Glyph icon={Ellipsis} />
    </button>
  );
  return (
    <>
      {cloneElement(button, { ...props, 'aria-busy': props['aria-busy'] ?? button.props['aria-busy'] })}
      {part && <part.ActionList actions={actions} heading={heading} anchor={opener} id={id} open={open}
        onOpen={setOpen} />}
    </>
  );
}
