import { createTheme } from '@mantine/core';

/** Mantine's scroll area is inside the listbox, where screen readers and keyboards can't focus it. The listbox scrolls. */
const listbox = {
  defaultProps: { withScrollArea: false },
  styles: { options: { maxHeight: 320, overflowY: 'auto' as const } },
};

/** Changes to Mantine's defaults. */
export const theme = createTheme({
  primaryColor: 'indigo',
  // In dark mode, brighter shades have too little contrast with white text.
  primaryShade: { light: 7, dark: 8 },
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  headings: { fontFamily: "'Inter Variable', system-ui, sans-serif", fontWeight: '600' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // Badge texts are short and must not be cut off.
    Badge: { defaultProps: { tt: 'none', miw: 'max-content' } },
    // By default, dropdowns and tooltips are appended to the body, outside all landmarks. Every page has a `<main>`.
    Popover: { defaultProps: { portalProps: { target: 'main' } } },
    Tooltip: { defaultProps: { portalProps: { target: 'main' } } },
    Select: listbox,
    MultiSelect: listbox,
    TagsInput: listbox,
    Autocomplete: listbox,
    Modal: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Drawer: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    // A dropdown is positioned before it has a width. Centered, it would start in the middle of its field, widen the page
    // of a phone, and so hide itself.
    Combobox: { defaultProps: { position: 'bottom-start' } },
    // Inside a dialog, `<header>` would count as a second banner of the page.
    ModalHeader: { defaultProps: { role: 'none' } },
    DrawerHeader: { defaultProps: { role: 'none' } },
    // Mantine removes the button from the tab order.
    PasswordInput: {
      defaultProps: { visibilityToggleButtonProps: { 'aria-label': 'Show password', tabIndex: 0 } },
    },
    // Screen readers announce the placeholder as an item. Without it, the first item gets the focus.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
  },
});
