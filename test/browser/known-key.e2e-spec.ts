import type { Page } from 'playwright-core';
import { createApiKey, rotateApiKey } from '../factories/api-keys.js';
import { createColleague, createMember, type Member, removeMember } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { embed, rowOf } from './setup/api-keys.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';
import { measureOverflow, narrowWindow } from './setup/narrow-window.js';
import type { Visitor } from './setup/visitor.js';

const dashboard = openDashboard();

describe('The page of a key whose secret a removed member knows', () => {
  it(
    'should name them, warn before a rotation, and keep warning until the previous secret is revoked',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { service } = dashboard;
      const owner = await createMember(service);
      const grace = await createColleague(service, owner, 'Grace Hopper');
      const { id } = await createApiKey(service, grace, 'Search indexer');
      await removeMember(service, grace, owner);
      await visitor.visit(owner, `/dashboard/keys/${id}`);
      const warning = page.getByRole('status').filter({ hasText: 'Grace Hopper, who is no longer a member, knows' });
      await expect(warning.getByText('Rotate the key')).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      expect(await measureOverflow(page)).toBe(0);

      await page.getByRole('button', { name: 'Rotate' }).click();
      const dialog = page.getByRole('dialog', { name: 'Rotate key' });
      await expect(dialog.getByText(/^Grace Hopper, .* can use the current secret until it's revoked/)).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Rotate key' }).click();
      await expect(page.getByRole('region', { name: 'Your new key' })).toBeFocused();

      await page.goto(`/dashboard/keys/${id}`);
      const previous = page.getByRole('status').filter({ hasText: 'Previous secret' });
      await expect(previous.getByText('Grace Hopper, who is no longer a member, knows it.')).toBeVisible();
      await expect(page.getByText('knows the secret of this key')).toBeHidden();
      await previous.getByRole('button', { name: 'Revoke now' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke now' }).click();
      await expect(page.getByText('Grace Hopper, who is no longer a member').first()).toBeHidden();
    }, narrowWindow),
  );
});

describe('A key that a removed member knows', () => {
  it(
    'should be marked in the list of all keys, on its page and on the page of the person, with their name',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { service } = dashboard;
      const owner = await createMember(service);
      const grace = await createColleague(service, owner, 'Grace Hopper');
      const { id } = await createApiKey(service, grace, 'Search indexer');
      await createApiKey(service, owner, 'Mail classifier');
      await removeMember(service, grace, owner);
      const badges = page.getByTitle('Grace Hopper, who is no longer a member, knows the current secret.');
      await page.setViewportSize({ width: 1440, height: 900 });
      await visitor.visit(owner, '/dashboard/keys');
      await expect(
        rowOf(page, 'Search indexer').getByText(/^Known to removed members: Grace Hopper, who/),
      ).toBeVisible();
      expect(await badges.count()).toBe(1);
      expect(await findAccessibilityViolations(page)).toEqual([]);
      for (const path of [`keys/${id}`, `members/${grace.userId}`]) {
        await page.goto(`/dashboard/${path}`);
        await expect(badges).toBeVisible();
        expect(await findAccessibilityViolations(page)).toEqual([]);
      }
    }),
  );
});

describe('The page of a removed member', () => {
  const others = (page: Page) => page.getByRole('region', { name: 'Keys of others', exact: true });

  it(
    'should list keys of others whose secrets they know from rotating them, until someone else rotates these',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { service } = dashboard;
      const owner = await createMember(service);
      const grace = await createColleague(service, owner, 'Grace Hopper');
      const key = await createApiKey(service, owner, 'Mail classifier');
      await createApiKey(service, owner, 'Never rotated');
      await rotateApiKey(service, key, grace);
      const path = `/dashboard/members/${grace.userId}`;
      await visitor.visit(owner, path);
      await expect(page.getByText('Grace Hopper created no API keys that still exist.')).toBeVisible();
      await page.waitForLoadState('networkidle');
      expect(await others(page).count()).toBe(0);
      await removeMember(service, grace, owner);
      await page.reload();
      await expect(others(page).getByText('Grace Hopper rotated this key and still knows a secret')).toBeVisible();
      expect(await others(page).locator('tbody').getByRole('link').allInnerTexts()).toEqual(['Mail classifier']);
      await expect(others(page).getByText(/^Known to removed members: Grace Hopper/)).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      expect(await measureOverflow(page)).toBe(0);
      await others(page).getByRole('link', { name: 'View all known to removed members' }).click();
      await expect(page.getByText('1–1 of 1')).toBeVisible();
      await rotateApiKey(service, key, owner);
      await page.goto(path);
      await expect(page.getByText('Grace Hopper created no API keys that still exist.')).toBeVisible();
      await page.waitForLoadState('networkidle');
      expect(await others(page).count()).toBe(0);
    }, narrowWindow),
  );
});

/** Creates a key that a removed member knows, and one whose previous secret they know, with a grace period. */
async function createKnownKeys() {
  const { service } = dashboard;
  const owner = await createMember(service);
  const grace = await createColleague(service, owner, 'Grace Hopper');
  const known = await createApiKey(service, grace, 'Mail classifier');
  const rotated = await createApiKey(service, grace, 'Search indexer');
  await removeMember(service, grace, owner);
  await rotateApiKey(service, rotated, owner, 3600);
  return { owner, known, rotated };
}

async function openBulkRotation(visitor: Visitor, owner: Member, query = ''): Promise<void> {
  const { page } = visitor;
  await visitor.visit(owner, `/dashboard/keys?state=known-to-former-members${query}`);
  await page.getByRole('checkbox', { name: 'Select all keys' }).check();
  await page.getByRole('group', { name: 'Selected keys' }).getByRole('button', { name: 'Rotate' }).click();
}

describe('Previous secrets that are revoked together', () => {
  it(
    'should be one change of the audit log',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { service } = dashboard;
      const owner = await createMember(service);
      for (const name of ['Search indexer', 'Mail classifier']) {
        await rotateApiKey(service, await createApiKey(service, owner, name), owner, 3600);
      }
      await visitor.visit(owner, '/dashboard/keys');
      await page.getByRole('checkbox', { name: 'Select all keys' }).check();
      await page.getByRole('group', { name: 'Selected keys' }).getByRole('button', { name: 'Revoke previous' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke previous secrets of 2 keys' }).click();
      await expect(page.getByRole('dialog')).toBeHidden();
      await page.goto('/dashboard/audit-log');
      await expect(page.getByText('revoked the previous secrets of 2 keys')).toBeVisible();
    }),
  );
});

describe('A key that was rotated after a member who knows it was removed', () => {
  it(
    'should differ from others on the overview, in the list and in the dialog that rotates several keys',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { owner } = await createKnownKeys();
      await visitor.visit(owner, '/dashboard');
      const attention = page.getByRole('region', { name: 'Needs attention' });
      await expect(attention.getByText(/^Search indexer rotated$/)).toBeVisible();
      await expect(attention.getByText(/^Mail classifier$/).first()).toBeVisible();
      await openBulkRotation(visitor, owner);
      const dialog = page.getByRole('dialog', { name: 'Rotate 2 keys' });
      const rotated = /^Rotated; removed members know only the previous secret, until \d/;
      const itemOf = (name: string) => dialog.getByRole('listitem').filter({ hasText: name });
      await expect(itemOf('Search indexer').getByText(rotated)).toBeVisible();
      expect(await itemOf('Mail classifier').getByText(rotated).count()).toBe(0);
      await expect(dialog.getByText('The previous secret of Search indexer is revoked immediately.')).toBeVisible();
      await expect(dialog.getByText('can use 1 of these keys until the current secret is revoked.')).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await expect(rowOf(page, 'Search indexer').getByText(rotated)).toBeVisible();
      expect(await rowOf(page, 'Mail classifier').getByText(rotated).count()).toBe(0);
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }),
  );

  it(
    'should be left out of the rotation, or lose its previous secret instead, without a rotation of its own',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { service } = dashboard;
      const { owner, known, rotated } = await createKnownKeys();
      await openBulkRotation(visitor, owner);
      await page.getByRole('button', { name: "Don't rotate this key" }).click();
      const dialog = page.getByRole('dialog', { name: 'Rotate 1 key' });
      await expect(dialog.getByLabel('Revoke the current secrets')).toBeFocused();
      await expect(dialog.getByRole('listitem')).toBeVisible();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      expect(await embed(service, rotated.key)).toBe(200);

      await openBulkRotation(visitor, owner);
      await page.getByRole('button', { name: 'Revoke the previous secret instead' }).click();
      await expect(dialog.getByLabel('Revoke the current secrets')).toBeFocused();
      await expect(
        page.getByText('Previous secret of Search indexer revoked. Requests using it are now rejected.'),
      ).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Rotate keys' }).click();
      await expect(page.getByRole('region', { name: 'Your new keys' })).toBeFocused();
      expect(await embed(service, rotated.key)).toBe(401);
      expect(await embed(service, known.key)).toBe(200);
      const { body } = await call(service.url, `GET /audit-events?action=api-key.rotate`, { token: owner.token });
      expect(body).toMatchObject({ auditEvents: [{ target: { id: known.id } }, { target: { id: rotated.id } }] });
    }),
  );

  it(
    'should lose its previous secret along with other selected keys that were rotated',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { service } = dashboard;
      const { owner, known, rotated } = await createKnownKeys();
      await visitor.visit(owner, '/dashboard/keys');
      await page.getByRole('checkbox', { name: 'Select all keys' }).check();
      const revoke = page
        .getByRole('group', { name: 'Selected keys' })
        .getByRole('button', { name: 'Revoke previous' });
      await revoke.click();
      const dialog = page.getByRole('dialog', { name: 'Revoke previous secrets of 1 key' });
      await expect(dialog.getByRole('listitem').filter({ hasText: 'Search indexer' })).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      expect(await embed(service, rotated.key)).toBe(200);
      await dialog.getByRole('button', { name: 'Revoke previous secrets of 1 key' }).click();
      await expect(
        page.getByText('Previous secret of Search indexer revoked. Requests using it are now rejected.'),
      ).toBeVisible();
      await expect(revoke).toBeHidden();
      expect(await embed(service, rotated.key)).toBe(401);
      expect(await embed(service, known.key)).toBe(200);
    }),
  );

  it(
    'should need no rotation if it is the only one, in a narrow window',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { owner, rotated } = await createKnownKeys();
      await openBulkRotation(visitor, owner, '&name=search');
      const dialog = page.getByRole('dialog', { name: 'Rotate 1 key' });
      const revoke = dialog.getByRole('button', { name: 'Revoke the previous secret instead' });
      await revoke.waitFor();
      expect(await dialog.getByRole('button', { name: /^Don't rotate/ }).count()).toBe(0);
      expect(await measureOverflow(page)).toBe(0);
      await revoke.click();
      await dialog.waitFor({ state: 'detached' });
      await expect(page.getByText('No matching keys')).toBeVisible();
      expect(await embed(dashboard.service, rotated.key)).toBe(401);
    }, narrowWindow),
  );
});
