/** A link that looks like a button: leads to a form or another screen, so that it can be opened in a new tab. */
import type { MouseEvent, ReactNode } from 'react';
import type { ButtonSize, ButtonVariant } from '#web/controls/button/button.tsx';
import button from '#web/controls/button/button.module.css';
import { AppLink } from './navigation.tsx';

export interface ButtonLinkProps {
  href: string;
  variant?: ButtonVariant | undefined;
  size?: ButtonSize | undefined;
  icon?: ReactNode;
  /** Opens beside this screen: documents. */
  newTab?: boolean | undefined;
  /** Saved under this name instead of shown. */
  download?: string | undefined;
  /** Before the link is followed; it may prevent that. */
  onClick?: ((event: MouseEvent<HTMLAnchorElement>) => void) | undefined;
  children: ReactNode;
}

export function ButtonLink(props: ButtonLinkProps) {
  const { href, variant = 'secondary', size = 'regular', icon, newTab, download, onClick, children } = props;
  const look = [button.button, button[variant], size === 'regular' ? '' : button[size]].filter(Boolean).join(' ');
  return (
    <AppLink href={href} className={look} download={download} onClick={onClick}
      data-quiet={variant === 'quiet' || undefined}
      {...(newTab && { target: '_blank', rel: 'noreferrer' })}>
      {icon}{children}
    </AppLink>
  );
}
