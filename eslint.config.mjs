import js from '@eslint/js';
import reactHooks from 'eslint-plugin-react-hooks';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

/**
 * The folders of src/ and the folders each may import. A folder can only list folders above it, so there are no cycles.
 * `admin`, `cluster`, `startup` and the files directly in src/ may import everything. Tables refer to each other in both
 * directions, so entities may be imported from everywhere.
 */
const folders = {
  common: [],
  engines: ['common'],
  config: ['common', 'engines'],
  metrics: ['common'],
  tracing: ['common'],
  access: ['common'],
  database: ['common', 'config', 'metrics', 'access'],
  events: ['common', 'database', 'access'],
  audit: ['common', 'config', 'database', 'access', 'metrics', 'events'],
  health: ['common', 'access'],
  dashboard: ['common'],
  limits: ['common', 'config', 'database', 'audit'],
  usage: ['common', 'config', 'database', 'access', 'audit', 'limits'],
  'api-keys': ['common', 'config', 'database', 'access', 'audit', 'limits', 'usage'],
  organizations: ['common', 'config', 'database', 'access', 'audit', 'limits', 'api-keys'],
  'service-accounts': ['common', 'database', 'access', 'audit', 'organizations'],
  auth: ['common', 'config', 'database', 'access', 'audit', 'organizations', 'service-accounts', 'metrics'],
  webhooks: ['common', 'config', 'database', 'access', 'events', 'audit', 'metrics'],
  retention: ['common', 'config', 'database', 'audit', 'metrics', 'usage'],
  'ai-gateway': [
    'common',
    'config',
    'database',
    'access',
    'metrics',
    'tracing',
    'health',
    'engines',
    'events',
    'limits',
    'api-keys',
    'usage',
  ],
};

/** The maximum number of folders between src/ and a file. */
const maxDepth = 6;

const onlyEngines = { regex: '/document-reader/', message: 'Only src/engines may import document-reader/.' };

const folderBoundaries = Object.entries(folders).flatMap(([folder, allowed], index, entries) => {
  const names = entries.map(([name]) => name);
  const below = allowed.filter((name) => !names.slice(0, index).includes(name));
  if (below.length > 0) throw new Error(`${folder} must be listed below ${below.join(', ')}.`);
  const denied = [...names, 'admin', 'cluster', 'startup'].filter((name) => name !== folder && !allowed.includes(name));
  const message = `src/${folder} may import only ${['itself', ...allowed].join(', ')} (see eslint.config.mjs).`;
  // From a file in src/auth/oidc, `../limits` is src/auth/limits, and only `../../limits` is src/limits.
  return Array.from({ length: maxDepth }, (_, above) => {
    const depth = above + 1;
    const patterns = [{ regex: String.raw`^(\.\./){${depth}}(${denied.join('|')})/(?!.*\.entity\.js$)`, message }];
    if (folder !== 'engines') patterns.push(onlyEngines);
    return {
      files: [`src/${folder}/${'*/'.repeat(above)}*.ts`],
      ignores: ['**/*.spec.ts'],
      rules: { 'no-restricted-imports': ['error', { patterns }] },
    };
  });
});

const serviceRules = {
  regex: String.raw`^(\.\./)+src/`,
  message: 'Import rules shared with the service from @rules.',
};

/** Forbids imports of paths that match, including lazy ones, which `no-restricted-imports` doesn't check. */
const forbidImports = (files, ...patterns) => ({
  files,
  rules: {
    'no-restricted-imports': ['error', { patterns }],
    'no-restricted-syntax': [
      'error',
      ...patterns.map(({ regex, message }) => ({
        selector: `ImportExpression[source.value=/${regex.replaceAll('/', String.raw`\/`)}/]`,
        message,
      })),
    ],
  },
});

/** The folders of dashboard/src that combine features. All others, except the features themselves, are shared by them. */
const combiningFolders = ['command-palette', 'layout', 'pages'];

const combinations = {
  regex: String.raw`^(\.\./)+((features|${combiningFolders.join('|')})/|(main|route-guards|router)\.js$)`,
  message: `Only ${combiningFolders.join(', ')} and the router may import features and each other (see eslint.config.mjs).`,
};

/** Keeps features of the dashboard independent. New features and shared folders are covered automatically. */
const dashboardBoundaries = [
  forbidImports(['dashboard/src/**'], serviceRules),
  {
    ...forbidImports(['dashboard/src/*/**'], serviceRules, combinations),
    ignores: combiningFolders.map((folder) => `dashboard/src/${folder}/**`),
  },
  ...Array.from({ length: maxDepth }, (_, depth) =>
    forbidImports([`dashboard/src/features/*/${'*/'.repeat(depth)}*`], serviceRules, combinations, {
      // From a file in features/usage/charts, `../limits` is features/usage/limits, and only `../../limits` a feature.
      regex: String.raw`^(\.\./){${depth + 1}}[^.]`,
      message: "Features can't import each other. Move what they share to a folder such as dashboard/src/common.",
    }),
  ),
];

/**
 * document-reader/ is a package of its own, which imports nothing outside of its folder. Its tests and its benchmark may
 * import the helpers listed here, which know nothing of the service.
 */
const sharedHelpers = ['bench/cpu-time', 'test/setup/temporary-folder', 'test/setup/wait-for'];

const packageBoundary = Array.from({ length: maxDepth }, (_, depth) => {
  const outside = String.raw`^(\.\./){${depth + 1}}`;
  const message = 'document-reader/ may import only itself and packages (see eslint.config.mjs).';
  const rule = (regex) => ({ 'no-restricted-imports': ['error', { patterns: [{ regex, message }] }] });
  const folders = '*/'.repeat(depth);
  return [
    { files: [`document-reader/${folders}*.ts`], rules: rule(`${outside}(?!(${sharedHelpers.join('|')})\\.js$)`) },
    { files: [`document-reader/${folders}*.ts`], ignores: ['document-reader/{bench,test}/**'], rules: rule(outside) },
  ];
}).flat();

export default defineConfig(
  globalIgnores(['**/dist', 'build', 'coverage', '.keycard', 'dashboard/src/api/schema.d.ts']),
  js.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      // `import type` on an injected class would erase the constructor metadata that Nest needs for injection.
      '@typescript-eslint/consistent-type-imports': 'off',
      '@typescript-eslint/no-extraneous-class': 'off',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/engines/**'],
    rules: { 'no-restricted-imports': ['error', { patterns: [onlyEngines] }] },
  },
  ...folderBoundaries,
  ...packageBoundary,
  {
    files: ['src/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'NewExpression[callee.object.name="pg"], NewExpression[callee.name=/^(Client|ClientBase)$/]',
          message: 'Use FaultTolerantClient, which requires complete connection options.',
        },
      ],
    },
  },
  { files: ['dashboard/**/*.tsx', 'dashboard/**/*.ts'], extends: [reactHooks.configs.flat.recommended] },
  ...dashboardBoundaries,
  {
    files: ['**/*.mjs', '**/*.cjs'],
    languageOptions: { globals: { process: 'readonly', console: 'readonly', Buffer: 'readonly', URL: 'readonly' } },
  },
);
