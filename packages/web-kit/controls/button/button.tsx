/**
 * Buttons. One primary per page, named after its result; danger for what cannot be undone; quiet for small actions.
 *
 * A pending button keeps its place and its words, shows the spinner and ignores presses, so a second click never
 * sends a second command. A button that is refused for now stays focusable and says why (U38): pass `reason`.
 */
import { lazy, Suspense, use, type ComponentProps, type MouseEvent, type ReactElement, type ReactNode } from 'react';
import { Spinner } from './spinner.tsx';
import { TipContext } from '../tip/tip-context.ts';
import styles from './button.module.css';

// Outside the shells (sign-in) its positioning code comes with the first tooltip, not with the first button.
const LateTip = lazy(() => import('../tip/tip.tsx').then((file) => ({ default: file.Tip })));

function Tipped({ text, shortcut, children }: { text: string; shortcut?: string | undefined; children: ReactElement }) {
  const Tip = use(TipContext)?.Tip ?? LateTip;
  return <Suspense fallback={children}><Tip text={text} shortcut={shortcut}>{children}</Tip></Suspense>;
}

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

function tipped(text: string | undefined, button: ReactElement, shortcut?: string): ReactElement {
  return text ? <Tipped text={text} shortcut={shortcut}>{button}</Tipped> : button;
}

/** Said whenever it is read, also where a scroll has closed the tooltip; of ARIA 1.3, which browsers and axe know. */
const whyHeld = (reason: string | undefined) => ({ 'aria-description': reason });

export function Button(props: ButtonProps) {
  const {
    variant = 'secondary', size = 'regular', pending = false, reason, icon, iconAfter, wide, className, onClick,
    children, type = 'button', ...rest
  } = props;
  const held = pending || Boolean(reason);
  return tipped(reason, (
    <button {...rest} type={type} aria-busy={pending || undefined} aria-disabled={held || undefined}
      {...whyHeld(reason)} data-quiet={variant === 'quiet' || undefined}
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
  /** The browser's own tooltip instead of ours: for the pages before sign-in. */
  plainTip?: boolean | undefined;
  icon: ReactNode;
};

export function IconButton(props: IconButtonProps) {
  const {
    variant = 'quiet', size = 'regular', pending = false, reason, label, shortcut, plainTip,
    icon, className, onClick, type = 'button', ...rest
  } = props;
  const held = pending || Boolean(reason);
  const text = reason ? `${label}: ${reason}` : label;
  return tipped(plainTip ? undefined : text, (
    <button {...rest} type={type} aria-label={label} aria-busy={pending || undefined} {...whyHeld(reason)}
      title={plainTip ? text : undefined} aria-disabled={held || undefined}
      className={classOf(
        styles.button, styles[variant], styles.icon, size !== 'regular' && styles[size], className,
      )}
      onClick={held ? (event: MouseEvent) => event.preventDefault() : onClick}>
      {pending ? <Spinner /> : icon}
    </button>
  ), shortcut);
}
