/**
 * Wrapper of a control in browser tests: the application's theme and, as in its shells, one tooltip provider.
 * `staged(<TextField .../>)` renders it; the result is that of vitest-browser-react.
 */
import type { ReactNode } from 'react';
import { render } from 'vitest-browser-react';
import { ThemeProvider } from '#web/theme/theme-provider.tsx';
import { WithTips } from './tip/with-tips.tsx';

function Stage({ children }: { children: ReactNode }) {
  return <ThemeProvider><WithTips>{children}</WithTips></ThemeProvider>;
}

export function staged(children: ReactNode) {
  return render(children, { wrapper: Stage });
}

/**
 * Lets React and the layout finish without moving a controlled clock: `expect.poll` would move it, and a delay could
 * then never be seen to be too long.
 */
export function settled(): Promise<unknown> {
  return new Promise((resolve) => { requestAnimationFrame(() => requestAnimationFrame(resolve)); });
}

/** Fades and entrances are over: colours on their way are no colours of the product. Spinners turn on and on. */
export async function still(): Promise<void> {
  const moves = (one: Animation) => one.playState === 'running' && one.effect?.getTiming().iterations !== Infinity;
  // A fade begins with the next frame.
  do await settled(); while (document.getAnimations().some(moves));
}
