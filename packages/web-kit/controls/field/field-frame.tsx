/**
 * The frame of every field: label with the required asterisk, optional help, the control itself, caption, error.
 *
 * The label is a real `<label for>`; caption and error are tied to the control by `aria-describedby`, so a screen
 * reader hears why a field was refused. The asterisk is decoration: the control carries `required` itself.
 * Source: SPEC.md 2 "Text field", states S96, messages M15, M16.
 */
import { CircleAlert } from 'lucide-react';
import { lazy, Suspense, use, useId, type ReactNode } from 'react';
import type { FieldHelpContent } from './field-help.tsx';
import { TipContext } from '../tip/tip-context.ts';
import styles from './field-frame.module.css';

const LateHelp = lazy(() => import('./field-help.tsx').then((file) => ({ default: file.FieldHelp })));

function Help(props: { label: string; content: FieldHelpContent }) {
  const FieldHelp = use(TipContext)?.FieldHelp ?? LateHelp;
  return <Suspense><FieldHelp {...props} /></Suspense>;
}

export type FieldFrameProps = {
  label: string;
  /** The label stays for screen readers only: for a field whose column head or neighbour already names it. */
  hideLabel?: boolean | undefined;
  required?: boolean | undefined;
  /** A line under the control that helps before anything went wrong. */
  caption?: ReactNode;
  /** Error and how to fix it. An empty text is no error. */
  error?: string | null | undefined;
  help?: FieldHelpContent | undefined;
  /** Right end of the label row, such as the "Forgot it?" link of the sign-in page. */
  labelAside?: ReactNode;
  className?: string | undefined;
};

/** Attributes the frame passes to the control inside: ids and the state a screen reader needs. */
export type FieldAria = {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
  'aria-required': true | undefined;
};

type FrameShellProps = FieldFrameProps & {
  id?: string | undefined;
  /** A group of controls (radio, range) is named by `aria-labelledby` instead of `for`. */
  group?: boolean | undefined;
  children: (aria: FieldAria, labelId: string) => ReactNode;
};

/** Picks the frame's own props out of a field's props, so that the rest can go to the control. */
export function frameOf(props: FieldFrameProps): FieldFrameProps {
  const { label, hideLabel, required, caption, error, help, labelAside, className } = props;
  return { label, hideLabel, required, caption, error, help, labelAside, className };
}

export function FieldFrame(props: FrameShellProps) {
  const generated = useId();
  const id = props.id ?? generated;
  const captionId = props.caption ? `${id}-caption` : undefined;
  const errorId = props.error ? `${id}-error` : undefined;
  const describedBy = [errorId, captionId].filter(Boolean).join(' ') || undefined;
  const labelId = `${id}-label`;
  const text = (
    <>
      {props.label}
      {props.required && <span className={styles.required} aria-hidden="true">*</span>}
    </>
  );
  return (
    <div className={[styles.frame, props.className].filter(Boolean).join(' ')} data-field-frame>
      <div className={props.hideLabel ? styles.hidden : styles.labelRow}>
        {props.group
          ? <span id={labelId} className={styles.label}>{text}</span>
          : <label id={labelId} htmlFor={id} className={styles.label}>{text}</label>}
        {props.help && <Help label={props.label} content={props.help} />}
        {props.labelAside && <span className={styles.aside}>{props.labelAside}</span>}
      </div>
      {props.children({
        id,
        'aria-describedby': describedBy,
        'aria-invalid': props.error ? true : undefined,
        'aria-required': props.required || undefined,
      }, labelId)}
      {props.error && (
        <div id={errorId} className={styles.error} data-field-error>
          <CircleAlert size={13} strokeWidth={1.75} aria-hidden="true" />
          <span>{props.error}</span>
        </div>
      )}
      {props.caption && <div id={captionId} className={styles.caption}>{props.caption}</div>}
    </div>
  );
}
