import js from '@eslint/js';
import reactHooks from 'eslint-plugin-react-hooks';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

/**
 * The folders of src/ and the folders each may import. A folder can only list folders above it, so there are no cycles.
 * `admin` and the files directly in src/ may import everything.
 */
const folders = {
  common: [],
  engines: ['common'],
  config: ['common', 'engines'],
  metrics: ['common'],
  tracing: ['common'],
  database: ['common', 'config', 'metrics'],
  access: ['common'],
  audit: ['common', 'access'],
  health: ['common', 'access'],
  dashboard: ['common'],
  limits: ['common', 'config', 'database'],
  organizations: ['common', 'config', 'access', 'audit', 'limits'],
  'service-accounts': ['common', 'database', 'access', 'audit', 'organizations'],
  auth: ['common', 'config', 'database', 'access', 'audit', 'organizations', 'service-accounts', 'metrics'],
  'api-keys': ['common', 'config', 'database', 'access', 'audit', 'limits'],
  usage: ['common', 'config', 'database', 'access', 'audit', 'limits'],
  retention: ['common', 'config', 'database', 'metrics', 'usage'],
  'ai-gateway': [
    'common',
    'config',
    'database',
    'access',
    'metrics',
    'tracing',
    'health',
    'engines',
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
  const denied = [...names, 'admin'].filter((name) => name !== folder && !allowed.includes(name));
  const message = `src/${folder} may import only ${['itself', ...allowed].join(', ')} (see eslint.config.mjs).`;
  // From a file in src/auth/oidc, `../limits` is src/auth/limits, and only `../../limits` is src/limits.
  return Array.from({ length: maxDepth }, (_, above) => {
    const depth = above + 1;
    const patterns = [{ regex: String.raw`^(\.\./){${depth}}(${denied.join('|')})/`, message }];
    if (folder !== 'engines') patterns.push(onlyEngines);
    return {
      files: [`src/${folder}/${'*/'.repeat(above)}*.ts`],
      ignores: ['**/*.spec.ts'],
      rules: { 'no-restricted-imports': ['error', { patterns }] },
    };
  });
});

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
  {
    files: ['dashboard/src/**'],
    ignores: ['**/*.spec.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            { regex: String.raw`^(\.\./)+src/`, message: 'Import rules shared with the service from @rules.' },
          ],
        },
      ],
    },
  },
  {
    files: ['**/*.mjs', '**/*.cjs'],
    languageOptions: { globals: { process: 'readonly', console: 'readonly', Buffer: 'readonly', URL: 'readonly' } },
  },
);
