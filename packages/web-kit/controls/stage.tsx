/**
 * Where browser tests put a control: the component library's provider and styles, nothing else of the application.
 * `staged(<TextField .../>)` renders it; the answer is that of vitest-browser-react.
 */
import '@mantine/core/styles.layer.css';
import '@mantine/dates/styles.layer.css';
import { MantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';
import { render } from 'vitest-browser-react';
import { TipProvider } from './tip.tsx';

export function Stage({ children }: { children: ReactNode }) {
  return (
    <MantineProvider env="test">
      <TipProvider>{children}</TipProvider>
    </MantineProvider>
  );
}

export function staged(children: ReactNode) {
  return render(children, { wrapper: Stage });
}
