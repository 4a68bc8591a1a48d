import type { Locator, Page } from 'playwright-core';
import type { Permission } from '../../../src/access/permissions.js';
import { createMember, type Member } from '../../factories/organizations.js';
import type { TestApp } from '../../setup/test-app.js';
import { call } from '../../setup/call.js';
import type { Dashboard } from './dashboard.js';
import type { Visitor } from './visitor.js';

/** Signs in a new member, by default with all permissions, before the first page is opened. */
export async function signInNewMember(
  { service }: Dashboard,
  visitor: Visitor,
  permissions?: Permission[],
): Promise<Member> {
  const member = await createMember(service, { permissions });
  await visitor.signInAs(member);
  return member;
}

/** Opens the API keys page as a new member. */
export async function openKeys(dashboard: Dashboard, visitor: Visitor): Promise<Member> {
  const member = await signInNewMember(dashboard, visitor);
  await visitor.page.goto('/dashboard/keys');
  return member;
}

/** Finds the row of a key in the list. */
export function rowOf(page: Page, name: string): Locator {
  const link = page.getByRole('link', { name, exact: true });
  return page.getByRole('table', { name: 'API keys' }).getByRole('row').filter({ has: link });
}

/** The text in a column of a key in the list. */
export async function textOf(page: Page, name: string, column: string): Promise<string> {
  const headers = await page.getByRole('columnheader').allInnerTexts();
  const position = headers.findIndex((header) => header.trim() === column);
  return rowOf(page, name).getByRole('cell').nth(position).innerText();
}

/** Chooses an action in the menu of a key in the list. */
export async function chooseAction(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

/** Fills in the Create key dialog and returns the new key. */
export async function createKey(page: Page, name: string): Promise<string> {
  const dialog = page.getByRole('dialog', { name: 'Create key' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
  await dialog.getByRole('button', { name: 'Create key' }).click();
  return readNewKey(page);
}

/** Returns the key shown in the dialog. */
export async function readNewKey(page: Page): Promise<string> {
  return page.getByRole('region', { name: 'Your new key' }).innerText();
}

/** Confirms that the new key is saved, which closes the dialog. */
export async function confirmSaved(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Save your key' });
  await dialog.getByRole('checkbox', { name: "I've saved this key" }).check();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.waitFor({ state: 'detached' });
}

/** Types the name of the key and confirms its deletion. */
export async function confirmDeletion(page: Page, name: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Delete key' });
  await dialog.getByRole('textbox').fill(name);
  await dialog.getByRole('button', { name: 'Delete key' }).click();
}

/** Sends a request with the key, by default to the embedded model, and returns the response status. */
export async function embed({ url }: TestApp, key: string, model = 'universal-sentence-encoder-lite'): Promise<number> {
  const body = { model, input: 'Hello, world' };
  return (await call(url, 'POST /v1/embeddings', { token: key, body })).status;
}

/** Moves the expiry of a key to a minute ago. */
export async function expire({ query }: TestApp, id: string): Promise<void> {
  await query(`update api_keys set expires_at = now() - interval '1 minute' where id = $1`, [id]);
}
