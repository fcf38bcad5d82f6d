/** Stands once in each shell: tooltips and field help are there at once, and share their skip delay. */
import type { ReactNode } from 'react';
import { FieldHelp } from '../field/field-help.tsx';
import { TipContext } from './tip-context.ts';
import { Tip, TipProvider } from './tip.tsx';

const PARTS = { Tip, FieldHelp };

export function WithTips({ children }: { children: ReactNode }) {
  return <TipContext value={PARTS}><TipProvider>{children}</TipProvider></TipContext>;
}
