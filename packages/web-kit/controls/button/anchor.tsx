/** Anchor of a popup, for one drawn before the popup's part was loaded: renders nothing itself. */
import { useImperativeHandle, type Ref, type RefObject } from 'react';

export interface AnchorProps { of: RefObject<HTMLElement | null>; ref?: Ref<HTMLElement | null> }

export function Anchor({ of, ref }: AnchorProps) {
  useImperativeHandle<HTMLElement | null, HTMLElement | null>(ref, () => of.current, [of]);
  return null;
}
