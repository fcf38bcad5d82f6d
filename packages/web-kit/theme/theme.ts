/**
 * The look's tokens as Mantine reads them. `tokens.css` is the source of every colour; Mantine's own variables point
 * to it, so that a Mantine control and a hand-written one never differ.
 */
import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';

/** Ten steps of garnet: index 7 is the light theme's action, index 4 the dark theme's text and icons. */
const garnet: MantineColorsTuple = [
  '#f8ebef', '#f0dce3', '#dba9bb', '#d68aa3', '#ec94af', '#b9647f', '#b03c65', '#7d1c3f', '#651433', '#5e0f2b',
];

export const theme = createTheme({
  primaryColor: 'garnet',
  primaryShade: { light: 7, dark: 6 },
  colors: { garnet },
  autoContrast: true,
  respectReducedMotion: true,
  cursorType: 'pointer',
  fontFamily: 'var(--gr-font)',
  fontFamilyMonospace: 'var(--gr-mono)',
  fontSizes: { xs: '12px', sm: '13px', md: 'var(--gr-body)', lg: '16px', xl: '18px' },
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '14px' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  headings: { fontFamily: 'var(--gr-serif)', fontWeight: '480' },
  defaultRadius: 'md',
  focusRing: 'auto',
});

const shared = {
  '--mantine-color-body': 'var(--gr-frame)',
  '--mantine-color-text': 'var(--gr-text)',
  '--mantine-color-dimmed': 'var(--gr-muted)',
  '--mantine-color-placeholder': 'var(--gr-faint)',
  '--mantine-color-anchor': 'var(--gr-brand)',
  '--mantine-color-error': 'var(--gr-err)',
  '--mantine-color-default': 'var(--gr-surface)',
  '--mantine-color-default-hover': 'var(--gr-hover)',
  '--mantine-color-default-color': 'var(--gr-text)',
  '--mantine-color-default-border': 'var(--gr-line2)',
  '--mantine-color-disabled': 'var(--gr-sunken)',
  '--mantine-color-disabled-color': 'var(--gr-muted)',
  '--mantine-primary-color-filled': 'var(--gr-act)',
  '--mantine-primary-color-filled-hover': 'var(--gr-act-hover)',
  '--mantine-primary-color-light': 'var(--gr-brand-soft)',
  '--mantine-primary-color-light-color': 'var(--gr-on-brand-soft)',
  '--mantine-shadow-md': 'var(--gr-sh2)',
  '--mantine-shadow-xl': 'var(--gr-sh3)',
};

export const cssVariables: CSSVariablesResolver = () => ({ variables: {}, light: shared, dark: shared });
