/**
 * Where browser tests put a control: the application's theme, nothing else of the application.
 * `staged(<TextField .../>)` renders it; the answer is that of vitest-browser-react.
 */
import type { ReactNode } from 'react';
import { render } from 'vitest-browser-react';
import { ThemeProvider } from '#web/theme/theme-provider.tsx';

export function staged(children: ReactNode) {
  return render(children, { wrapper: ThemeProvider });
}
