import type { Locator, Page } from 'playwright-core';
import { createApiKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { chooseAction, rowOf } from './setup/api-keys.js';
import { openDashboard } from './setup/dashboard.js';
import { createRole } from './setup/roles.js';

const dashboard = openDashboard();
let member: Member;

beforeEach(async () => {
  member = await createMember(dashboard.service);
});

async function createKeys(count: number): Promise<void> {
  for (let number = 11; number < 11 + count; number++) {
    await createApiKey(dashboard.service, member, `Key ${number}`);
  }
}

const toasts = (page: Page) => page.getByRole('alert');
const closeButton = (page: Page) => page.getByRole('button', { name: 'Close message' });

/** Disables a key, which shows a toast, and keeps that open with the mouse. */
async function showToast(page: Page, name: string): Promise<void> {
  await chooseAction(page, name, 'Disable');
  await page.getByRole('dialog').getByRole('button', { name: 'Disable key' }).click();
  await toasts(page).getByText(`${name} disabled.`).hover();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

/** Returns the y coordinates of the edges of an element. */
async function edgesOf(element: Locator): Promise<{ top: number; bottom: number }> {
  const { y, height } = (await element.boundingBox()) ?? { y: NaN, height: NaN };
  return { top: y, bottom: y + height };
}

describe('Toasts', () => {
  it.each([
    [360, 12],
    [390, 12],
    [390, 2],
    [768, 12],
    [1280, 3],
  ])(
    'should not cover the actions for selected keys at %i pixels, below %i keys',
    dashboard.test(async (visitor, width: number, count: number) => {
      const { page } = visitor;
      await page.setViewportSize({ width, height: 740 });
      await createKeys(count);
      await visitor.visit(member, '/dashboard/keys');
      const selection = page.getByRole('group', { name: 'Selected keys' });
      await rowOf(page, 'Key 11').getByRole('checkbox').check();
      await showToast(page, 'Key 12');
      const bar = await edgesOf(selection.locator('xpath=..'));
      expect((await edgesOf(toasts(page))).bottom).toBeLessThan(bar.top);
      // The end of the page may be between two pixels.
      expect(bar.bottom).toBeCloseTo(740 - 16, 0);
      await selection.getByRole('button', { name: 'Clear selection' }).click();
      await expect(selection).toBeHidden();
      expect((await edgesOf(toasts(page))).bottom).toBe(740 - 16);
    }),
  );

  it.each([
    [1366, 768],
    [390, 844],
  ])(
    'should cover neither the footer nor the close button of a drawer at %i × %i pixels',
    dashboard.test(async (visitor, width: number, height: number) => {
      const { page } = visitor;
      await page.setViewportSize({ width, height });
      const { name } = await createRole(dashboard.service, member, 'Auditor', []);
      await visitor.visit(member, '/dashboard/roles');
      await page.getByRole('button', { name: `Actions for ${name}` }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox').fill(name);
      await dialog.getByRole('button', { name: 'Delete role' }).click();
      await toasts(page).getByText(`${name} deleted.`).hover();
      await dialog.waitFor({ state: 'detached' });
      expect((await edgesOf(toasts(page))).bottom).toBe(height - 16);
      await page.getByRole('button', { name: 'Create role' }).press('Enter');
      const cancel = dialog.getByRole('button', { name: 'Cancel' });
      await expect(cancel).toBeVisible();
      await toasts(page).getByText(`${name} deleted.`).hover();
      const toast = await edgesOf(toasts(page));
      expect(toast.bottom).toBeLessThan((await edgesOf(cancel.locator('xpath=../..'))).top);
      expect(toast.top).toBeGreaterThan((await edgesOf(dialog.getByRole('button', { name: 'Close' }))).bottom);
      await cancel.click();
      await dialog.waitFor({ state: 'detached' });
      expect((await edgesOf(toasts(page))).bottom).toBe(height - 16);
    }),
  );

  it(
    'should not keep saying that a key is disabled once it is enabled',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await createKeys(1);
      await visitor.visit(member, '/dashboard/keys');
      await page.getByRole('link', { name: 'Key 11' }).click();
      await page.getByRole('switch', { name: 'Accept requests' }).press('Space');
      await page.getByRole('dialog').getByRole('button', { name: 'Disable key' }).click();
      await toasts(page).getByText('Key 11 disabled.').hover();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.getByRole('switch', { name: 'Accept requests' }).press('Space');
      await toasts(page).getByText('Key 11 enabled.').hover();
      await expect(toasts(page).getByText('Key 11 disabled.')).toBeHidden();
    }),
  );

  it(
    'should return the focus to where it came from when they are closed with the keyboard',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await createKeys(1);
      await visitor.visit(member, '/dashboard/keys');
      await showToast(page, 'Key 11');
      const search = page.getByRole('searchbox');
      await search.focus();
      await closeButton(page).focus();
      await page.keyboard.press('Enter');
      await expect(search).toBeFocused();
      await toasts(page).waitFor({ state: 'detached' });
      await expect(search).toBeFocused();
    }),
  );

  it(
    'should move the focus to the page if nothing had it before',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await createKeys(1);
      await visitor.visit(member, '/dashboard/keys');
      await showToast(page, 'Key 11');
      await page.evaluate('document.activeElement.blur()');
      await closeButton(page).focus();
      await page.keyboard.press('Enter');
      await toasts(page).waitFor({ state: 'detached' });
      await expect(page.getByRole('main')).toBeFocused();
    }),
  );

  it(
    'should not take the focus from elsewhere when they close',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await createKeys(1);
      await visitor.visit(member, '/dashboard/keys');
      await showToast(page, 'Key 11');
      await closeButton(page).focus();
      const search = page.getByRole('searchbox');
      await search.focus();
      await page.mouse.move(0, 0);
      await toasts(page).waitFor({ state: 'detached' });
      await expect(search).toBeFocused();
    }),
  );
});
