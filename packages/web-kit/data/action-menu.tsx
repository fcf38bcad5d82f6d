/** More than two secondary actions: a button that opens a list of them. Arrow keys, type-ahead and Escape included. */
import { Menu } from '@mantine/core';
import { Ellipsis } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
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

export interface ActionMenuProps {
  actions: readonly MenuAction[];
  label?: string | undefined;
  /** The opener; three dots unless given. Takes a ref and button properties. */
  target?: ReactElement | undefined;
  heading?: ReactNode;
}

export function ActionMenu({ actions, label = 'More actions', target, heading }: ActionMenuProps) {
  if (actions.length === 0) return null;
  return (
    // The focus goes to the first entry: a menu holds entries alone, and no place before them.
    <Menu position="bottom-end" width={220} returnFocus withInitialFocusPlaceholder={false}
      classNames={{ dropdown: styles.list ?? '' }}>
      <Menu.Target>
        {target ?? (
          <button type="button" className={styles.dots} aria-label={label} title={label}>
            <Glyph icon={Ellipsis} />
          </button>
        )}
      </Menu.Target>
      <Menu.Dropdown>
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
