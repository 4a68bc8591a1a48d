import { insertAuditEvents } from '../factories/audit-log.js';
import { createMember, type Member } from '../factories/organizations.js';
import { openDashboard } from './setup/dashboard.js';

const dashboard = openDashboard();
let owner: Member;

beforeEach(async () => {
  owner = await createMember(dashboard.service);
});

describe('After a rejected form, the focus', () => {
  it(
    'should move to the first invalid password',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.visit(owner, '/dashboard/account');
      await page.getByRole('button', { name: 'Change password' }).press('Enter');
      const password = page.getByLabel('Current password', { exact: true });
      await expect(password).toBeFocused();
      expect(await password.getAttribute('aria-invalid')).toBe('true');
    }),
  );
});

describe('The texts of the playground', () => {
  it(
    'should keep the focus when one is added or removed',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.visit(owner, '/dashboard/playground');
      const add = page.getByRole('button', { name: 'Add text' });
      for (let number = 5; number <= 8; number += 1) {
        await add.press('Enter');
        await expect(page.getByRole('textbox', { name: `Text ${number}` })).toBeFocused();
      }
      await expect(add).toBeHidden();
      for (let count = 8; count > 2; count -= 1) {
        await page.getByRole('button', { name: 'Remove text 1' }).press('Enter');
        await expect(add).toBeFocused();
      }
      expect(await page.getByRole('button', { name: /^Remove text/ }).count()).toBe(0);
    }),
  );
});

describe('After a request, the focus', () => {
  it(
    'should return to the button that sent it',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.visit(owner, '/dashboard/playground');
      await page.getByRole('button', { name: 'Use a temporary key' }).press('Enter');
      await page.getByText('Trained for English').waitFor();
      const compare = page.getByRole('button', { name: 'Compare' });
      await compare.press('Enter');
      await page.getByRole('table', { name: 'Text similarity' }).waitFor();
      await expect(compare).toBeFocused();
    }),
  );

  it(
    'should move to the heading of the section if there is nothing left to save',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.visit(owner, '/dashboard/organization');
      const name = page.getByRole('textbox', { name: 'Name' });
      await name.fill('Northwind');
      await page.getByRole('button', { name: 'Save changes' }).press('Enter');
      await page.getByText('Settings saved.').waitFor();
      await expect(page.getByRole('heading', { name: 'Settings' })).toBeFocused();
      await page.keyboard.press('Tab');
      await expect(name).toBeFocused();
    }),
  );

  it(
    'should move from “Load more” to the first of the new events',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const event = { actorEmail: 'ada@example.com', targetName: 'ada@example.com', action: 'sign-in' } as const;
      const occurredAt = new Date('2026-03-01T10:00:00Z');
      await insertAuditEvents(
        dashboard.service,
        owner,
        Array.from({ length: 110 }, () => ({ ...event, occurredAt })),
      );
      await visitor.visit(owner, '/dashboard/audit-log');
      const more = page.getByRole('button', { name: 'Load more' });
      const events = page.getByRole('main').getByRole('listitem');
      await more.press('Enter');
      await expect(events.nth(50)).toBeFocused();
      await more.press('Enter');
      await expect(events.nth(100)).toBeFocused();
      await more.waitFor({ state: 'detached' });
    }),
  );
});
