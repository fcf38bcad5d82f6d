/** The open part of an ActionMenu, with all that places it beside its opener. */
import { Menu } from '@mantine/core';
import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import { Anchor } from '#web/controls/button/anchor.tsx';
import { focusBack } from '#web/controls/focus-back.ts';
import { Glyph, type Icon } from '#web/layout/icons.tsx';
import { AppLink } from '#web/navigation/navigation.tsx';
import styles from './action-menu.module.css';

export interface MenuAction {
  label: string;
  icon?: Icon | undefined;
  onSelect?: (() => void) | undefined;
  /** Leads somewhere instead of doing something. */
  href?: string | undefined;
  danger?: boolean | undefined;
  /** Why it is not possible now; the item is then disabled and says so (U38). */
  reason?: string | undefined;
  /** A rule above the item. */
  divided?: boolean | undefined;
}

export interface ActionListProps {
  anchor: RefObject<HTMLElement | null>;
  /** Of the opener; the list has the same with '-dropdown'. */
  id: string;
  open: boolean;
  onOpen: (open: boolean) => void;
  actions: readonly MenuAction[];
  heading?: ReactNode;
}

export function ActionList({ anchor, id, open, onOpen, actions, heading }: ActionListProps) {
  // Opened where it stands: only then does it know from where the focus came.
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => setIsOpen(open), [open]);
  const list = useRef<HTMLDivElement>(null);
  return (
    // The focus goes to the first entry: a menu holds entries alone, and no place before them.
    <Menu opened={isOpen} onChange={onOpen} id={id} position="bottom-end" width={220} returnFocus
      withInitialFocusPlaceholder={false} classNames={{ dropdown: styles.list ?? '' }}
      onExitTransitionEnd={() => focusBack(anchor.current, list.current)}>
      <Menu.Target><Anchor of={anchor} /></Menu.Target>
      <Menu.Dropdown ref={list}>
        {heading && <div className={styles.heading}>{heading}</div>}
        {actions.map((action) => <Entry key={action.label} action={action} />)}
      </Menu.Dropdown>
    </Menu>
  );
}

/** A menu goes with the press on its entry: what the entry opens gives the focus back to the menu's button. */
function focusOpener(entry: Element): void {
  const opener = entry.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  if (opener) document.getElementById(opener)?.focus();
}

function Entry({ action }: { action: MenuAction }) {
  const content = (
    <>
      {action.icon && <Glyph icon={action.icon} size={15} />}
      <span>{action.label}{action.reason && <small>{action.reason}</small>}</span>
    </>
  );
  const look = { className: styles.item, 'data-danger': action.danger || undefined };
  const { href } = action;
  return (
    <>
      {action.divided && <Menu.Divider className={styles.rule} />}
      {href !== undefined && !action.reason
        ? <Menu.Item {...look} renderRoot={(props) => <AppLink {...props} href={href} />}>{content}</Menu.Item>
        : action.reason
          // The keyboard comes to it and hears why; without a place for the focus Escape would not close the menu.
          ? <Menu.Item {...look} aria-disabled closeMenuOnClick={false}>{content}</Menu.Item>
          : <Menu.Item {...look}
            onClick={(event) => { focusOpener(event.currentTarget); action.onSelect?.(); }}>{content}</Menu.Item>}
    </>
  );
}
