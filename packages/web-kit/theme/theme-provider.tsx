/**
 * Everything a screen needs around it to look right: tokens, faces, Mantine's variables, dark mode, the nonce for
 * injected style elements (recipe.md 6). One per application, outermost.
 */
import { MantineProvider, useMantineColorScheme } from '@mantine/core';
import { setNonce } from 'get-nonce';
import { useState, type ReactNode } from 'react';
import './mantine.css';
import './tokens.css';
import './fonts.css';
import './global.css';
import './print.css';
import { darkModeManager } from './color-scheme.ts';
import { cssVariables, theme } from './theme.ts';

/** The nonce that the server wrote into the page for this answer; empty in development. */
export function pageNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
}

export function ThemeProvider({ children }: { children: ReactNode }) {
  const [manager] = useState(() => {
    const nonce = pageNonce();
    if (nonce) setNonce(nonce);
    return darkModeManager();
  });
  return (
    <MantineProvider theme={theme} defaultColorScheme="light" colorSchemeManager={manager}
      cssVariablesResolver={cssVariables} getStyleNonce={pageNonce} deduplicateCssVariables={false}>
      {children}
    </MantineProvider>
  );
}

/** Dark mode and its switch: `const {dark, toggle} = useDarkMode()`. */
export function useDarkMode(): { dark: boolean; toggle: () => void; set: (dark: boolean) => void } {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const dark = colorScheme === 'dark';
  return {
    dark,
    toggle: () => setColorScheme(dark ? 'light' : 'dark'),
    set: (value) => setColorScheme(value ? 'dark' : 'light'),
  };
}
