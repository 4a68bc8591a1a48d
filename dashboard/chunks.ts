// Left alone, the bundler makes some fifty small files of what pages share, which compress badly.

/** What every page runs on. */
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

/** The components of Mantine that the sign-in, the frame and the list of keys show. The others come when needed. */
const firstComponents = [
  'ActionIcon|Alert|Anchor|AppShell|Avatar|Badge|Burger|Button|Center|CloseButton|Code|Collapse|Divider|FocusTrap|Group',
  'Input|InputBase|Loader|Menu|NativeSelect|NavLink|Overlay|Pagination|Paper|PasswordInput|Popover|Portal|ScrollArea',
  'Skeleton|Stack|Table|Text|TextInput|ThemeIcon|Title|Tooltip|Transition|UnstyledButton|VisuallyHidden',
].join('|');

/** Which modules go to the two large files of the first visit; everything else is left to the bundler. */
export const chunkGroups = [
  { name: 'libraries', test: new RegExp(`/node_modules/(${libraries.join('|')})/`) },
  { name: 'components', test: new RegExp(`/node_modules/@mantine/core/esm/(core|components/(${firstComponents}))/`) },
];
