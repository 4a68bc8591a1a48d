import type { Page } from 'playwright-core';
import type { ExampleOrganization } from './example-organization.js';

/** One picture, which is taken once the page has its heading and has loaded what it asked for. */
interface PictureOfPage {
  /** Of the file, before `-light.png` and `-dark.png`. */
  name: string;
  path: (example: ExampleOrganization) => string;
  /** Signs nobody in. */
  isPublic?: true;
  /** What to do on the page before the picture is taken. */
  prepare?: (page: Page) => Promise<void>;
}

/** The pictures in docs/images. */
export const pages: PictureOfPage[] = [
  { name: 'sign-in', path: () => '/sign-in', isPublic: true },
  { name: 'api-keys', path: () => '/dashboard/keys' },
  // Not the dialog that follows: a key is shown nowhere but there.
  { name: 'create-key', path: () => '/dashboard/keys', prepare: fillInKey },
  { name: 'api-key', path: ({ apiKeyId }) => `/dashboard/keys/${apiKeyId}` },
  { name: 'usage', path: () => '/dashboard/usage' },
  { name: 'playground', path: () => '/dashboard/playground', prepare: compareTexts },
  { name: 'roles', path: () => '/dashboard/roles' },
  { name: 'audit-log', path: () => '/dashboard/audit-log' },
];

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
