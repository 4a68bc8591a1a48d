import { createTheme } from '@mantine/core';

/** What the whole dashboard looks like, beyond Mantine's defaults. */
export const theme = createTheme({
  primaryColor: 'indigo',
  // In the dark, the brighter shades leave too little contrast below white text.
  primaryShade: { light: 7, dark: 8 },
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  headings: { fontFamily: "'Inter Variable', system-ui, sans-serif", fontWeight: '600' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // Never cut off: what badges say is short.
    Badge: { defaultProps: { tt: 'none', miw: 'max-content' } },
    Modal: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Drawer: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    // Mantine leaves the button out of the order of the Tab key.
    PasswordInput: {
      defaultProps: { visibilityToggleButtonProps: { 'aria-label': 'Show password', tabIndex: 0 } },
    },
    // It stands between the items, and screen readers take it for one; without it, the first item gets the focus.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
  },
});
