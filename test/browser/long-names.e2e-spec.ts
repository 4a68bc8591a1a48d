import type { Locator, Page } from 'playwright-core';
import type { CreatedInvitationDto } from '../../src/organizations/invitations/dto/invitation.dto.js';
import { createApiKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { recordUsageAt } from '../factories/usage.js';
import { call } from '../setup/call.js';
import { openDashboard } from './setup/dashboard.js';
import { measureOverflow, narrowWindow } from './setup/narrow-window.js';

const dashboard = openDashboard();
/** Has no place to break a line. */
const longName = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
let owner: Member;
let other: Member;
let invitation: CreatedInvitationDto;

beforeEach(async () => {
  owner = await createMember(dashboard.service);
  const { organizationId } = owner;
  const email = `${'x'.repeat(64)}@${owner.userId}.example.com`;
  other = await createMember(dashboard.service, { organizationId, email, permissions: ['get-members'] });
  const { query, url } = dashboard.service;
  await query('update users set name = $2 where id = any($1)', [[owner.userId, other.userId], longName]);
  await query('update roles set name = $2 where id = $1', [other.roleId, longName]);
  await query('update organizations set name = $2 where id = $1', [organizationId, longName]);
  const body = { email: `invited-${email.slice(8)}`, roleId: other.roleId };
  invitation = (await call(url, 'POST /members', { token: owner.token, body })).body as CreatedInvitationDto;
});

interface Box {
  scrollWidth: number;
  clientWidth: number;
}

async function heightOf(element: Locator): Promise<number> {
  return (await element.boundingBox())?.height ?? Infinity;
}

/** Returns how many pixels wider the content is than the element. */
const overflowOf = (element: Locator) =>
  element.evaluate(({ scrollWidth, clientWidth }: Box) => scrollWidth - clientWidth);

/** Returns the x coordinate of the right edge. */
async function rightEdgeOf(element: Locator): Promise<number> {
  const { x, width } = (await element.boundingBox()) ?? { x: Infinity, width: 0 };
  return x + width;
}

/** Returns how many pixels wider the content is than the open dialog. */
async function overflowOfDialog(page: Page): Promise<number> {
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  return overflowOf(dialog);
}

describe('A name of 80 characters without spaces', () => {
  it.each([1280, 1440])(
    'should take two lines in the list of keys at %i pixels, beside tags and failures, and be complete when pointed at',
    dashboard.test(async (visitor, width: number) => {
      const { page } = visitor;
      await page.setViewportSize({ width, height: 900 });
      const { id: apiKeyId } = await createApiKey(dashboard.service, owner, longName);
      const tags = `{production,"a tag of several words"}`;
      await dashboard.service.query('update api_keys set tags = $2 where id = $1', [apiKeyId, tags]);
      const { organizationId } = owner;
      await recordUsageAt(dashboard.service, new Date().toISOString(), [
        { organizationId, apiKeyId, model: 'a-model' },
        { organizationId, apiKeyId, model: 'a-model', outcome: 'failure' },
      ]);
      await visitor.visit(owner, '/dashboard/keys');
      const name = page.locator(`a[href='/dashboard/keys/${apiKeyId}']`);
      await name.waitFor();
      expect(await name.getAttribute('title')).toBe(longName);
      expect(await heightOf(name)).toBeLessThan(50);
      const tag = page.getByRole('row').getByTitle('a tag of several words');
      expect(await heightOf(tag)).toBeLessThan(20);
      const table = page.getByRole('table', { name: 'API keys' });
      expect(await overflowOf(table.locator('xpath=..'))).toBe(0);
    }),
  );

  it.each([
    '/dashboard/members',
    '/dashboard/members?view=invitations',
    '/dashboard/roles',
    '/dashboard/audit-log',
    '/dashboard/organization',
  ])(
    'should fit %s at 360 pixels',
    dashboard.test(async (visitor, path: string) => {
      const { page } = visitor;
      await visitor.visit(owner, path);
      await page.getByRole('main').getByText(longName).filter({ visible: true }).first().waitFor();
      expect(await measureOverflow(page)).toBe(0);
      // In one step, because the table shown while rows load is replaced.
      const overflows = await page
        .getByRole('table')
        .locator('xpath=..')
        .evaluateAll((nodes: Box[]) => nodes.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
      expect(Math.max(0, ...overflows)).toBe(0);
    }, narrowWindow),
  );

  it(
    'should fit the details of an audit event',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.visit(owner, '/dashboard/audit-log');
      await page.getByRole('button', { name: /^Details: .* invited/ }).click();
      await expect(page.getByRole('link', { name: 'Events about' })).toBeVisible();
      expect(await measureOverflow(page)).toBe(0);
    }, narrowWindow),
  );

  it(
    'should fit confirmation dialogs',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.visit(owner, '/dashboard/members');
      await page
        .getByRole('listitem')
        .filter({ hasText: 'xxx' })
        .getByRole('button', { name: /^Remove/ })
        .click();
      expect(await overflowOfDialog(page)).toBe(0);
      await page.keyboard.press('Escape');
      await page.getByRole('tab', { name: 'Invitations' }).click();
      await page.getByRole('button', { name: /^Actions for/ }).click();
      await page.getByRole('menuitem', { name: 'Withdraw' }).click();
      expect(await overflowOfDialog(page)).toBe(0);
    }, narrowWindow),
  );

  it(
    'should fit selects and menus',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.visit(owner, '/dashboard/members');
      await page
        .getByRole('combobox', { name: /^Role of/ })
        .first()
        .click();
      const role = page.getByRole('option', { name: longName });
      expect(await rightEdgeOf(role)).toBeLessThan(narrowWindow.viewport.width);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Menu', exact: true }).click();
      await page.getByRole('button', { name: /^Organization: / }).click();
      const item = page.getByRole('menuitem', { name: longName });
      expect(await overflowOf(item)).toBe(0);
      expect(await rightEdgeOf(item)).toBeLessThan(narrowWindow.viewport.width);
    }, narrowWindow),
  );

  it(
    'should fit the invitation page',
    dashboard.test(async ({ page }) => {
      await page.goto(invitation.link);
      await expect(page.getByRole('heading', { name: `Join ${longName}` })).toBeVisible();
      expect(await measureOverflow(page)).toBe(0);
    }, narrowWindow),
  );

  it(
    'should leave room for badges',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await dashboard.service.query(`update invitations set expires_at = now() where id = $1`, [invitation.id]);
      await visitor.visit(owner, '/dashboard/members?view=invitations');
      const badge = page.getByText('Expired', { exact: true });
      await expect(badge).toBeVisible();
      expect(await overflowOf(badge)).toBe(0);
    }, narrowWindow),
  );
});
