/** The parts that position themselves. A shell brings them along; a page before sign-in loads them when needed. */
import { createContext } from 'react';
import type { FieldHelp } from '../field/field-help.tsx';
import type { Tip } from './tip.tsx';

export interface TipParts { Tip: typeof Tip; FieldHelp: typeof FieldHelp }
export const TipContext = createContext<TipParts | null>(null);
