import type { Page } from 'playwright-core';
import { allPermissions } from '../../src/access/permissions.js';
import { createApiKeyWith } from '../factories/api-keys.js';
import { recordKeyCreation } from '../factories/audit-log.js';
import { createColleague, createMember, type Member, removeMember } from '../factories/organizations.js';
import { createServiceAccount, deleteServiceAccount, tokenOf } from '../factories/service-accounts.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';
import type { Visitor } from './setup/visitor.js';

const dashboard = openDashboard();
let owner: Member;
let colleague: Member;

beforeEach(async () => {
  owner = await createMember(dashboard.service);
  colleague = await createColleague(dashboard.service, owner, 'Grace Hopper');
  await recordKeyCreation(dashboard.service, owner, 'Key of the owner');
  await recordKeyCreation(dashboard.service, colleague, 'Key of Grace');
});

const emailOf = ({ userId }: Member) => `${userId}@example.com`;
const actorField = (page: Page) => page.getByRole('combobox', { name: 'Actor' });
const option = (page: Page, name: string) => page.getByRole('option', { name });
const events = (page: Page) => page.getByRole('main').getByRole('listitem');

/** Opens the audit log as this member and collects the paths of its requests. */
async function openLog(visitor: Visitor, member: Member): Promise<{ page: Page; paths: string[] }> {
  const { page } = visitor;
  const paths: string[] = [];
  page.on('request', (request) => paths.push(new URL(request.url()).pathname));
  await visitor.visit(member, '/dashboard/audit-log');
  await expect(events(page).first()).toBeVisible();
  return { page, paths };
}

describe('The actor filter of the audit log', () => {
  it(
    "should find members by name, and load them only when it's used",
    dashboard.test(async (visitor) => {
      const { page, paths } = await openLog(visitor, owner);
      expect(paths).not.toContain('/audit-events/actors');
      await actorField(page).fill('grace');
      await expect(option(page, `Grace Hopper ${emailOf(colleague)}`)).toBeVisible();
      expect(await page.getByRole('option').count()).toBe(1);
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.keyboard.press('Enter');
      await expect(events(page).getByText('Key of the owner')).toBeHidden();
      await expect(events(page).getByText('Key of Grace')).toBeVisible();
      expect(await actorField(page).inputValue()).toBe(emailOf(colleague));
      await expect(page.getByRole('listbox')).toBeHidden();
      await page.goBack();
      await expect(events(page).getByText('Key of the owner')).toBeVisible();
      expect(await actorField(page).inputValue()).toBe('');
    }),
  );

  it(
    'should add one history entry when an option is selected with the arrow keys',
    dashboard.test(async (visitor) => {
      const { page } = await openLog(visitor, owner);
      await actorField(page).fill('e');
      await expect(option(page, 'Grace Hopper')).toBeVisible();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await expect(events(page).getByText('Key of the owner')).toBeHidden();
      await page.goBack();
      await expect(events(page).getByText('Key of the owner')).toBeVisible();
      expect(await actorField(page).inputValue()).toBe('');
    }),
  );

  it(
    'should be set by the link in an event',
    dashboard.test(async (visitor) => {
      const { page } = await openLog(visitor, owner);
      await page.getByRole('button', { name: /^Details: .* Key of Grace/ }).click();
      await page.getByRole('link', { name: `Events by ${emailOf(colleague)}` }).click();
      await expect(events(page).getByText('Key of the owner')).toBeHidden();
      expect(await actorField(page).inputValue()).toBe(emailOf(colleague));
    }),
  );

  it.each(['present', 'deleted'])(
    'should find a %s service account by name',
    dashboard.test(async (visitor, state: string) => {
      const account = await createServiceAccount(dashboard.service, owner);
      const token = await tokenOf(dashboard.service, account);
      await createApiKeyWith(dashboard.service, { token }, 'Key of the pipeline');
      if (state === 'deleted') await deleteServiceAccount(dashboard.service, account, owner);
      const { page } = await openLog(visitor, owner);
      await actorField(page).fill('deploy');
      await option(page, `${account.name} Service account`).click();
      await expect(events(page).getByText('Key of the owner')).toBeHidden();
      await expect(events(page).getByText('Key of the pipeline')).toBeVisible();
      expect(await actorField(page).inputValue()).toBe(account.name);
      await page.reload();
      await expect(events(page).getByText('Key of the pipeline')).toBeVisible();
      await expect(page.locator(`input[value="${account.name}"]`)).toBeVisible();
      await page.getByRole('button', { name: 'Clear actor' }).press('Enter');
      await expect(events(page).getByText('Key of the owner')).toBeVisible();
      await expect(actorField(page)).toBeFocused();
    }),
  );

  it(
    'should search actors beyond the first page',
    dashboard.test(async (visitor) => {
      for (let number = 1; number <= 25; number += 1) {
        const member = await createColleague(dashboard.service, owner, `Member ${number}`);
        await recordKeyCreation(dashboard.service, member, `Key ${number}`);
      }
      const { page } = await openLog(visitor, owner);
      await actorField(page).fill('member 25');
      await option(page, 'Member 25').click();
      await expect(events(page).getByText('Key of the owner')).toBeHidden();
      await expect(events(page).getByText('Key 25', { exact: true })).toBeVisible();
    }),
  );

  it(
    'should find former members by name, even if none of their events is on the page',
    dashboard.test(async (visitor) => {
      await removeMember(dashboard.service, colleague, owner);
      for (let number = 1; number <= 50; number += 1)
        await recordKeyCreation(dashboard.service, owner, `Key ${number}`);
      const { page } = await openLog(visitor, owner);
      expect(await page.getByText('Key of Grace').count()).toBe(0);
      await actorField(page).fill('hopper');
      await option(page, `Grace Hopper ${emailOf(colleague)}`).click();
      await expect(events(page).getByText('Key of Grace')).toBeVisible();
      expect(await events(page).count()).toBe(1);
    }),
  );

  it(
    'should accept any full email, such as the email of a former member',
    dashboard.test(async (visitor) => {
      await dashboard.service.query('delete from memberships where id = $1', [colleague.membershipId]);
      const { page } = await openLog(visitor, owner);
      await actorField(page).fill(emailOf(colleague));
      await page.keyboard.press('Enter');
      await expect(events(page).getByText('Key of the owner')).toBeHidden();
      await expect(events(page).getByText('Key of Grace')).toBeVisible();
    }),
  );

  it(
    "should reject text that matches no one and isn't a full email",
    dashboard.test(async (visitor) => {
      const { page } = await openLog(visitor, owner);
      await actorField(page).fill('no such member');
      await page.keyboard.press('Enter');
      await expect(page.getByText('No match. Enter a full email.')).toBeVisible();
      await page.keyboard.press('Tab');
      expect(await actorField(page).inputValue()).toBe('');
      expect(await events(page).count()).toBe(2);
    }),
  );

  it(
    "should suggest emails, but no names, to users who can't list members",
    dashboard.test(async (visitor) => {
      const permissions = allPermissions.filter((permission) => permission !== 'get-members');
      const auditor = await createColleague(dashboard.service, owner, 'Auditor', { permissions });
      const { page, paths } = await openLog(visitor, auditor);
      await page.getByRole('button', { name: /^Details: .* Key of Grace/ }).click();
      await expect(page.getByRole('link', { name: `Events by ${emailOf(colleague)}` })).toBeVisible();
      await actorField(page).fill(colleague.userId);
      await expect(option(page, emailOf(colleague))).toBeVisible();
      expect(await page.getByText('Grace Hopper').count()).toBe(0);
      await page.keyboard.press('Enter');
      await expect(events(page).getByText('Key of the owner')).toBeHidden();
      expect(await actorField(page).inputValue()).toBe(emailOf(colleague));
      expect(paths).not.toContain('/members');
    }),
  );
});
