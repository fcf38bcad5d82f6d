/**
 * Buttons. One primary per page, named after its result; danger for what cannot be undone; quiet for small actions.
 *
 * A pending button keeps its place and its words, shows the spinner and ignores presses, so a second click never
 * sends a second command. A button that is refused for now stays focusable and says why (U38): pass `reason`.
 */
import type { ComponentProps, MouseEvent, ReactElement, ReactNode } from 'react';
import { Spinner } from './spinner.tsx';
import { Tip } from './tip.tsx';
import styles from './button.module.css';

export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger';
export type ButtonSize = 'small' | 'regular' | 'large';

type CommonProps = {
  variant?: ButtonVariant | undefined;
  size?: ButtonSize | undefined;
  pending?: boolean | undefined;
  /** Why the action is not possible now; the button is then disabled and tells it in a tooltip. */
  reason?: string | undefined;
};
export type ButtonProps = CommonProps & Omit<ComponentProps<'button'>, 'children'> & {
  icon?: ReactNode;
  iconAfter?: ReactNode;
  wide?: boolean | undefined;
  children: ReactNode;
};

function classOf(...names: (string | false | undefined)[]): string {
  return names.filter(Boolean).join(' ');
}

function withReason(reason: string | undefined, button: ReactElement): ReactElement {
  return reason ? <Tip text={reason}>{button}</Tip> : button;
}

export function Button(props: ButtonProps) {
  const {
    variant = 'secondary', size = 'regular', pending = false, reason, icon, iconAfter, wide, className, onClick,
    children, type = 'button', ...rest
  } = props;
  const held = pending || Boolean(reason);
  return withReason(reason, (
    <button {...rest} type={type} aria-busy={pending || undefined} aria-disabled={held || undefined}
      className={classOf(
        styles.button, styles[variant], size !== 'regular' && styles[size], wide && styles.wide, className,
      )}
      onClick={held ? (event: MouseEvent) => event.preventDefault() : onClick}>
      {pending ? <Spinner /> : icon}
      {children}
      {iconAfter}
    </button>
  ));
}

export type IconButtonProps = CommonProps & Omit<ComponentProps<'button'>, 'children'> & {
  /** Name for screen readers and text of the tooltip: there is no icon-only button without one (LOOK.md 3). */
  label: string;
  shortcut?: string | undefined;
  icon: ReactNode;
};

export function IconButton(props: IconButtonProps) {
  const {
    variant = 'quiet', size = 'regular', pending = false, reason, label, shortcut, icon, className, onClick,
    type = 'button', ...rest
  } = props;
  const held = pending || Boolean(reason);
  return (
    <Tip text={reason ? `${label}: ${reason}` : label} shortcut={shortcut}>
      <button {...rest} type={type} aria-label={label} aria-busy={pending || undefined}
        aria-disabled={held || undefined}
        className={classOf(
          styles.button, styles[variant], styles.icon, size !== 'regular' && styles[size], className,
        )}
        onClick={held ? (event: MouseEvent) => event.preventDefault() : onClick}>
        {pending ? <Spinner /> : icon}
      </button>
    </Tip>
  );
}
