/**
 * States: icon, word and a soft ground, never colour alone (LOOK.md 6). `PhaseBadge` knows the ten phases of a
 * licence; `Badge` is for everything else.
 */
import {
  Calculator, CircleCheck, CircleDashed, CircleSlash, CircleX, Hourglass, Lock, PenLine, Send, Theater,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { spell } from '#kernel/text/english.ts';
import { Glyph, type Icon } from '#web/layout/icons.tsx';
import styles from './badge.module.css';

export type Tone =
  | 'neutral' | 'info' | 'brass' | 'ok' | 'garnet' | 'violet' | 'warn' | 'error' | 'outline';

export interface BadgeProps {
  tone?: Tone | undefined;
  icon?: Icon | undefined;
  small?: boolean | undefined;
  title?: string | undefined;
  children: ReactNode;
}

export function Badge({ tone = 'neutral', icon, small, title, children }: BadgeProps) {
  return (
    <span className={styles.badge} data-tone={tone} data-small={small || undefined} title={title}>
      {icon && <Glyph icon={icon} size={13} />}
      {children}
    </span>
  );
}

export interface PhaseLook { label: string; icon: Icon; tone: Tone }

/** Words, icon and tone of every phase (domain.md 1.1, LOOK.md 6). */
export const PHASES = {
  draft: { label: 'Draft', icon: CircleDashed, tone: 'neutral' },
  sent: { label: 'Offer sent', icon: Send, tone: 'info' },
  accepted: { label: 'Accepted', icon: PenLine, tone: 'brass' },
  licensed: { label: 'Licensed', icon: CircleCheck, tone: 'ok' },
  in_production: { label: 'In production', icon: Theater, tone: 'garnet' },
  settlement: { label: 'Settlement', icon: Calculator, tone: 'violet' },
  closed: { label: 'Closed', icon: Lock, tone: 'neutral' },
  expired: { label: 'Expired', icon: Hourglass, tone: 'outline' },
  declined: { label: 'Declined', icon: CircleSlash, tone: 'outline' },
  cancelled: { label: spell`Canceled`, icon: CircleX, tone: 'error' },
} as const satisfies Record<string, PhaseLook>;
export type Phase = keyof typeof PHASES;

/** The look of a phase; an unknown one shows its own name plainly. */
export function phaseLook(phase: string): PhaseLook {
  return (PHASES as Record<string, PhaseLook>)[phase] ?? { label: phase, icon: CircleDashed, tone: 'outline' };
}

export function PhaseBadge({ phase, small }: { phase: string; small?: boolean | undefined }) {
  const look = phaseLook(phase);
  return <Badge tone={look.tone} icon={look.icon} small={small}>{look.label}</Badge>;
}
