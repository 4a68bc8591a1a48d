import type { Locator } from 'playwright-core';
import { createRestrictedKey } from '../../factories/api-keys.js';
import { createMember, type Member } from '../../factories/organizations.js';
import type { Dashboard } from './dashboard.js';
import type { Visitor } from './visitor.js';

type KeySettings = Parameters<typeof createRestrictedKey>[2];

/** Opens the dialog that changes all keys of a new organization. */
export async function openBulkChanges(
  { service }: Dashboard,
  visitor: Visitor,
  setting: 'Limits' | 'Tags',
  keys: KeySettings[],
): Promise<{ member: Member; ids: string[]; dialog: Locator }> {
  const member = await createMember(service);
  const ids: string[] = [];
  for (const key of keys) ids.push((await createRestrictedKey(service, member, key)).id);
  await visitor.visit(member, '/dashboard/keys');
  return { member, ids, dialog: await selectAndChange(visitor, setting, keys.length) };
}

/** Opens the dialog that changes all keys of the list. */
export async function selectAndChange({ page }: Visitor, setting: 'Limits' | 'Tags', count: number): Promise<Locator> {
  await page.getByRole('checkbox', { name: 'Select all keys' }).check();
  await page.getByRole('group', { name: 'Selected keys' }).getByRole('button', { name: 'Change' }).click();
  await page.getByRole('menuitem', { name: setting }).click();
  return page.getByRole('dialog', { name: `Change ${setting.toLowerCase()} of ${count} keys` });
}
