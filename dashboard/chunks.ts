// By default, the bundler splits shared modules into about fifty small files, which compress badly.

/** Libraries every page uses. */
const libraries = [
  'react',
  'react-dom',
  'scheduler',
  'use-sync-external-store',
  '@tanstack',
  'openapi-fetch',
  '@mantine/form',
  '@mantine/hooks',
  '@floating-ui',
  'react-remove-scroll',
];

/** Mantine components of the sign-in page, the layout and the overview. Others are loaded on demand. */
const firstComponents = [
  'ActionIcon|Alert|Anchor|AppShell|Badge|Burger|Button|Center|CloseButton|Code|Divider|FocusTrap|Group',
  'Input|InputBase|Loader|Menu|NavLink|Overlay|Paper|PasswordInput|Popover|Portal',
  'Skeleton|Stack|Text|TextInput|ThemeIcon|Title|Tooltip|Transition|UnstyledButton|VisuallyHidden',
].join('|');

/** The two large chunks of the first visit. The bundler decides about all other modules. */
export const chunkGroups = [
  { name: 'libraries', test: new RegExp(`/node_modules/(${libraries.join('|')})/`) },
  { name: 'components', test: new RegExp(`/node_modules/@mantine/core/esm/(core|components/(${firstComponents}))/`) },
];
