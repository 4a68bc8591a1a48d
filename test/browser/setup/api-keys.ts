import type { Locator, Page } from 'playwright-core';
import type { Permission } from '../../../src/access/permissions.js';
import { createMember, type Member } from '../../factories/organizations.js';
import type { TestApp } from '../../setup/test-app.js';
import { call } from '../../setup/call.js';
import type { Dashboard } from './dashboard.js';
import type { Visitor } from './visitor.js';

/** Opens the list of keys as a new member, by default one who may do everything. */
export async function openKeys(dashboard: Dashboard, visitor: Visitor, permissions?: Permission[]): Promise<Member> {
  const member = await createMember(dashboard.service, { permissions });
  await visitor.signInAs(member);
  await visitor.page.goto('/dashboard/keys');
  return member;
}

/** The row of a key in the list. */
export function rowOf(page: Page, name: string): Locator {
  const link = page.getByRole('link', { name, exact: true });
  return page.getByRole('table', { name: 'API keys' }).getByRole('row').filter({ has: link });
}

/** Chooses an action from the menu of a key in the list. */
export async function chooseAction(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

/** Fills in the dialog that creates a key and returns the key that it shows. */
export async function createKey(page: Page, name: string): Promise<string> {
  const dialog = page.getByRole('dialog', { name: 'Create key' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
  await dialog.getByRole('button', { name: 'Create key' }).click();
  return readNewKey(page);
}

/** The key that is shown this once. */
export async function readNewKey(page: Page): Promise<string> {
  return page.getByRole('region', { name: 'Your new key' }).innerText();
}

/** Leaves the dialog that shows a new key as somebody who has kept it. */
export async function confirmSaved(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Save your key' });
  await dialog.getByRole('checkbox', { name: 'I have saved this key' }).check();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.waitFor({ state: 'detached' });
}

/** Types the name of the key and deletes it. */
export async function confirmDeletion(page: Page, name: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Delete key' });
  await dialog.getByRole('textbox').fill(name);
  await dialog.getByRole('button', { name: 'Delete key' }).click();
}

/** What the embedded model answers to a request with the key. */
export async function embed({ url }: TestApp, key: string): Promise<number> {
  const body = { model: 'universal-sentence-encoder-lite', input: 'Hello, world' };
  return (await call(url, 'POST /v1/embeddings', { token: key, body })).status;
}

/** Lets a key have expired by now. */
export async function expire({ query }: TestApp, id: string): Promise<void> {
  await query(`update api_keys set expires_at = now() - interval '1 minute' where id = $1`, [id]);
}
