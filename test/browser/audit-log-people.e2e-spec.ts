import type { Page } from 'playwright-core';
import { allPermissions } from '../../src/access/permissions.js';
import { recordKeyCreation } from '../factories/audit-log.js';
import { createMember, type Member } from '../factories/organizations.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';
import type { Visitor } from './setup/visitor.js';

const dashboard = openDashboard();
let owner: Member;
let colleague: Member;

beforeEach(async () => {
  owner = await createMember(dashboard.service);
  colleague = await join('Grace Hopper');
  await recordKeyCreation(dashboard.service, owner, 'Key of the owner');
  await recordKeyCreation(dashboard.service, colleague, 'Key of Grace');
});

async function join(name: string, options: Parameters<typeof createMember>[1] = {}): Promise<Member> {
  const member = await createMember(dashboard.service, { organizationId: owner.organizationId, ...options });
  await dashboard.service.query('update users set name = $2 where id = $1', [member.userId, name]);
  return member;
}

const emailOf = ({ userId }: Member) => `${userId}@example.com`;
const who = (page: Page) => page.getByRole('combobox', { name: 'Who' });
const option = (page: Page, name: string) => page.getByRole('option', { name });
const events = (page: Page) => page.getByRole('main').getByRole('listitem');

/** The audit log as this member sees it, and the paths that it asks the service for. */
async function openLog(visitor: Visitor, member: Member): Promise<{ page: Page; paths: string[] }> {
  const { page } = visitor;
  const paths: string[] = [];
  page.on('request', (request) => paths.push(new URL(request.url()).pathname));
  await visitor.visit(member, '/dashboard/audit-log');
  await events(page).first().waitFor();
  return { page, paths };
}

describe('Whose events the audit log shows', () => {
  it(
    'should be chosen by name, from members who are asked for only then',
    dashboard.test(async (visitor) => {
      const { page, paths } = await openLog(visitor, owner);
      expect(paths).not.toContain('/members');
      await who(page).fill('grace');
      await option(page, `Grace Hopper ${emailOf(colleague)}`).waitFor();
      expect(await page.getByRole('option').count()).toBe(1);
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.keyboard.press('Enter');
      await events(page).getByText('Key of the owner').waitFor({ state: 'hidden' });
      await events(page).getByText('Key of Grace').waitFor();
      expect(await who(page).inputValue()).toBe(emailOf(colleague));
      await page.getByRole('listbox').waitFor({ state: 'hidden' });
      await page.goBack();
      await events(page).getByText('Key of the owner').waitFor();
      expect(await who(page).inputValue()).toBe('');
    }),
  );

  it(
    'should be chosen by arrow key without a step to anybody else',
    dashboard.test(async (visitor) => {
      const { page } = await openLog(visitor, owner);
      await who(page).fill('e');
      await option(page, 'Grace Hopper').waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await events(page).getByText('Key of the owner').waitFor({ state: 'hidden' });
      await page.goBack();
      await events(page).getByText('Key of the owner').waitFor();
      expect(await who(page).inputValue()).toBe('');
    }),
  );

  it(
    'should be followed from an event, which also says how who did it is called',
    dashboard.test(async (visitor) => {
      const { page } = await openLog(visitor, owner);
      await page.getByRole('button', { name: /^Details: .* Key of Grace/ }).click();
      await page.getByRole('link', { name: 'Everything by Grace Hopper' }).click();
      await events(page).getByText('Key of the owner').waitFor({ state: 'hidden' });
      expect(await who(page).inputValue()).toBe(emailOf(colleague));
    }),
  );

  it(
    'should be found among more members than one page has',
    dashboard.test(async (visitor) => {
      for (let number = 1; number <= 12; number += 1) await join(`Member ${number}`);
      const { page } = await openLog(visitor, owner);
      await who(page).fill('member 12');
      await option(page, 'Member 12').click();
      await page.getByRole('heading', { name: 'Nothing like this has happened' }).waitFor();
    }),
  );

  it(
    'should be anybody whose whole address is typed, as of somebody who has left',
    dashboard.test(async (visitor) => {
      await dashboard.service.query('delete from memberships where id = $1', [colleague.membershipId]);
      const { page } = await openLog(visitor, owner);
      await who(page).fill(emailOf(colleague));
      await page.keyboard.press('Enter');
      await events(page).getByText('Key of the owner').waitFor({ state: 'hidden' });
      await events(page).getByText('Key of Grace').waitFor();
    }),
  );

  it(
    'should stay as they are for a part of an address that is nobody',
    dashboard.test(async (visitor) => {
      const { page } = await openLog(visitor, owner);
      await who(page).fill('nobody has this');
      await page.keyboard.press('Enter');
      await page.getByText('No one found. Enter a full email.').waitFor();
      await page.keyboard.press('Tab');
      expect(await who(page).inputValue()).toBe('');
      expect(await events(page).count()).toBe(2);
    }),
  );

  it(
    'should be typed, with those of the page as suggestions, by who may not list members',
    dashboard.test(async (visitor) => {
      const permissions = allPermissions.filter((permission) => permission !== 'get-members');
      const auditor = await join('Auditor', { permissions });
      const { page, paths } = await openLog(visitor, auditor);
      await page.getByRole('button', { name: /^Details: .* Key of Grace/ }).click();
      await page.getByRole('link', { name: `Everything by ${emailOf(colleague)}` }).waitFor();
      await who(page).fill(colleague.userId);
      await option(page, emailOf(colleague)).waitFor();
      expect(await page.getByText('Grace Hopper').count()).toBe(0);
      await page.keyboard.press('Enter');
      await events(page).getByText('Key of the owner').waitFor({ state: 'hidden' });
      expect(await who(page).inputValue()).toBe(emailOf(colleague));
      expect(paths).not.toContain('/members');
    }),
  );
});
