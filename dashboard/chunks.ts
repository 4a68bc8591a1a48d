// By default, the bundler splits shared modules into about fifty small files, which compress badly.

/** Also used by Swagger UI. */
const react = 'react|react-dom|scheduler|use-sync-external-store|tslib';

/** Other libraries that every page of the dashboard uses. */
const libraries = [
  // Swagger UI uses another.
  '@tanstack/(?!(react-virtual|virtual-core)/)[^/]+',
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
  'Skeleton|Stack|Text|TextInput|ThemeIcon|Title|Transition|UnstyledButton|VisuallyHidden',
].join('|');

/** Mantine components of most tables, and what they're built of. */
const tableComponents = 'Checkbox|Combobox|InlineInput|NativeSelect|Pagination|ScrollArea|Table';
const tableParts = [
  'ui/(ClearFiltersButton|DataTable|RequirePermission|RowMenu|SearchField|Segments|SortableHeader|TablePagination)',
  'hooks/(use-last-page-redirect|use-narrower-than|use-scroll-overflow|use-url-text)',
  'lib/(focus-if-scrolling|lift-toasts|pasted-secret)',
].join('|');

/** What the pages with keys share, apart from their dialogs. */
const keyParts = [
  'features/api-keys/(key-actions|known-secrets|use-enable-key|details/describe-holder|list/(KnownBadge|StateBadge|key-columns))',
  'common/(api-keys/|people/PersonLink)',
].join('|');

/** What pages with figures share, such as the overview and the usage page. */
const figures = [
  'dashboard/src/common/(models/models|usage/|limits/(describe-limit|limit-level|month-cost|use-currency))',
  'dashboard/src/lib/time-zone',
  'common/rules/(forecast|limit-rules|meters|month-forecast)',
].join('|');

/** What pages with reports of usage share. */
const usage = [
  '@mantine/core/esm/components/ColorSwatch/',
  'dashboard/src/features/usage/(charts|compare|describe|filters|measures|MeasureTiles|meters|month-budget|unpriced-requests|usage)',
  'dashboard/src/(common/(failures|limits/use-expected-rest)|lib/save-file)',
  'common/rules/csv-line',
].join('|');

/** What pages with several filters share. */
const filters = [
  '@mantine/core/esm/components/(MultiSelect|Pill|PillsInput)/',
  'dashboard/src/(common/people/(creators|people)|ui/clear-button-props)',
].join('|');

/**
 * Files of a page are requested six at a time, so many small ones take longer than their size: a table had fifty, over a
 * second on a slow connection.
 */
export const chunkGroups = [
  { name: 'preload', test: /preload-helper|modulepreload-polyfill/ },
  { name: 'react', test: new RegExp(`/node_modules/(${react})/`) },
  { name: 'libraries', test: new RegExp(`/node_modules/(${libraries.join('|')})/`) },
  { name: 'components', test: new RegExp(`/node_modules/@mantine/core/esm/(core|components/(${firstComponents}))/`) },
  // What the first page imports. `main.tsx` must stay an entry.
  {
    name: 'start',
    tags: ['$initial' as const],
    test: /\/(node_modules|common\/rules|dashboard\/src\/(?!docs\/|main\.tsx))/,
  },
  {
    name: 'parts',
    test: /@tabler\/icons-react|dashboard\/src\/(ui\/Time|hooks\/use-now|lib\/(exact-times|fold-text|format-time))/,
    minShareCount: 2,
  },
  {
    name: 'tables',
    test: new RegExp(`@mantine/core/esm/components/(${tableComponents})/|dashboard/src/(${tableParts})`),
    minShareCount: 2,
  },
  { name: 'keys', test: new RegExp(`dashboard/src/(${keyParts})`), minShareCount: 2 },
  { name: 'figures', test: new RegExp(figures), minShareCount: 2 },
  { name: 'usage', test: new RegExp(usage), minShareCount: 2 },
  { name: 'filters', test: new RegExp(filters), minShareCount: 2 },
];
