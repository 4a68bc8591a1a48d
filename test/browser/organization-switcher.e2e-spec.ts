import type { Page } from 'playwright-core';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { findBarriers } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';

const dashboard = openDashboard();
let owner: Member;

beforeEach(async () => {
  owner = await createMember(dashboard.service);
});

const create = (name: string) =>
  call(dashboard.service.url, 'POST /organizations', { token: owner.token, body: { name } });
const switcher = (page: Page) => page.getByRole('button', { name: /^Organization: / });
const item = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true });

/** Whether an element ends within the window. */
async function isInWindow(page: Page, name: string): Promise<boolean> {
  const { y, height } = (await item(page, name).boundingBox()) ?? { y: Infinity, height: 0 };
  return y + height <= (page.viewportSize()?.height ?? 0);
}

describe('The switcher of organizations', () => {
  it(
    'should keep the way to each of many in the window, by mouse and keyboard',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      for (let number = 1; number <= 30; number += 1) await create(`Number ${number}`);
      await visitor.visit(owner, '/dashboard/organization');
      await switcher(page).click();
      await item(page, 'Number 30').waitFor();
      expect(await isInWindow(page, 'Create organization')).toBe(true);
      expect(await findBarriers(page)).toEqual([]);
      await item(page, 'Create organization').focus();
      await page.keyboard.press('ArrowUp');
      await item(page, 'Number 30').and(page.locator(':focus')).waitFor();
      expect(await isInWindow(page, 'Number 30')).toBe(true);
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Organization: Number 30' }).waitFor();
    }),
  );

  it(
    'should say that the organizations are on their way',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await create('Alpha');
      let answer = () => {};
      const isWanted = new Promise<void>((resolve) => (answer = resolve));
      await page.route('**/organizations', async (route) => {
        await isWanted;
        await route.continue();
      });
      await visitor.visit(owner, '/dashboard/members');
      await switcher(page).click();
      await item(page, 'Loading…').waitFor();
      answer();
      await item(page, 'Alpha').waitFor();
      expect(await item(page, 'Loading…').count()).toBe(0);
    }),
  );
});
