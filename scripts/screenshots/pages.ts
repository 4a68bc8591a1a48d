import type { Page } from 'playwright-core';
import type { ExampleOrganization } from './example-organization.js';

/** A screenshot, taken when the page shows its heading and has finished loading. */
interface Screenshot {
  /** File name before `-light.png` and `-dark.png`. */
  name: string;
  path: (example: ExampleOrganization) => string;
  /** Without signing in. */
  isPublic?: true;
  /** Actions before the screenshot. */
  prepare?: (page: Page) => Promise<void>;
}

/** The screenshots in docs/images. */
export const pages: Screenshot[] = [
  { name: 'sign-in', path: () => '/sign-in', isPublic: true },
  { name: 'overview', path: () => '/dashboard' },
  { name: 'api-keys', path: () => '/dashboard/keys' },
  // Not the next dialog, which shows the key.
  { name: 'create-key', path: () => '/dashboard/keys', prepare: fillInKey },
  { name: 'api-key', path: ({ apiKeyId }) => `/dashboard/keys/${apiKeyId}` },
  { name: 'limits', path: ({ apiKeyId }) => `/dashboard/keys/${apiKeyId}`, prepare: editLimits },
  {
    name: 'requests',
    path: ({ apiKeyId }) => `/dashboard/keys/${apiKeyId}`,
    prepare: (page) => showSection(page, 'Latest requests'),
  },
  { name: 'usage', path: () => '/dashboard/usage?range=30d&groupBy=creator' },
  { name: 'person', path: ({ keyManagerId }) => `/dashboard/members/${keyManagerId}` },
  { name: 'models', path: () => '/dashboard/models' },
  { name: 'playground', path: () => '/dashboard/playground', prepare: compareTexts },
  { name: 'service-accounts', path: () => '/dashboard/members?view=service-accounts' },
  { name: 'roles', path: () => '/dashboard/roles' },
  { name: 'audit-log', path: () => '/dashboard/audit-log' },
];

/** Scrolls to the section with this accessible name. */
async function showSection(page: Page, name: string): Promise<void> {
  await page.getByRole('region', { name }).getByRole('row').nth(1).waitFor();
  await page.evaluate(`document.querySelector('[aria-label="${name}"]').scrollIntoView()`);
}

async function fillInKey(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Mail classifier');
  await page.getByRole('combobox', { name: 'Expires' }).selectOption({ label: '90 days' });
}

async function compareTexts(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Use a temporary key' }).click();
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.getByRole('table').waitFor();
}

async function editLimits(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Limits and restrictions' }).click();
  await page.getByRole('dialog').waitFor();
}
