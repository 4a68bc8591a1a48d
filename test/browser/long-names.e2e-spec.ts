import type { Locator, Page } from 'playwright-core';
import type { CreatedInvitationDto } from '../../src/organizations/invitations/dto/invitation.dto.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { openDashboard } from './setup/dashboard.js';
import { measureOverflow, narrowWindow } from './setup/narrow-window.js';

const dashboard = openDashboard();
/** Nowhere in it may a line end, unless it has to. */
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

/** By how many pixels what stands in it is wider than the element itself. */
const overflowOf = (element: Locator) =>
  element.evaluate((node: { scrollWidth: number; clientWidth: number }) => node.scrollWidth - node.clientWidth);

/** How far from the left edge of the window it ends, in pixels. */
async function rightEdgeOf(element: Locator): Promise<number> {
  const { x, width } = (await element.boundingBox()) ?? { x: Infinity, width: 0 };
  return x + width;
}

/** By how many pixels what the dialog says is wider than the dialog. */
async function measureDialog(page: Page): Promise<number> {
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  return overflowOf(dialog);
}

describe('Names of 80 characters without a space', () => {
  it.each([
    '/dashboard/members',
    '/dashboard/members?view=invitations',
    '/dashboard/roles',
    '/dashboard/audit-log',
    '/dashboard/organization',
  ])(
    'should fit into %s at 360 pixels',
    dashboard.test(async (visitor, path: string) => {
      const { page } = visitor;
      await visitor.visit(owner, path);
      await page.getByRole('main').getByText(longName).filter({ visible: true }).first().waitFor();
      expect(await measureOverflow(page)).toBe(0);
      for (const table of await page.getByRole('table').all()) {
        expect(await overflowOf(table.locator('xpath=..'))).toBeLessThanOrEqual(0);
      }
    }, narrowWindow),
  );

  it(
    'should fit into the details of an event',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.visit(owner, '/dashboard/audit-log');
      await page.getByRole('button', { name: /^Details: .* invited/ }).click();
      await page.getByRole('link', { name: 'Everything done to' }).waitFor();
      expect(await measureOverflow(page)).toBe(0);
    }, narrowWindow),
  );

  it(
    'should fit into the questions that are asked about them',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.visit(owner, '/dashboard/members');
      await page
        .getByRole('row', { name: 'xxx' })
        .getByRole('button', { name: /^Remove/ })
        .click();
      expect(await measureDialog(page)).toBe(0);
      await page.keyboard.press('Escape');
      await page.getByRole('tab', { name: 'Invitations' }).click();
      await page.getByRole('button', { name: /^Actions for/ }).click();
      await page.getByRole('menuitem', { name: 'Withdraw' }).click();
      expect(await measureDialog(page)).toBe(0);
    }, narrowWindow),
  );

  it(
    'should fit into the lists that they are chosen from',
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
    'should fit into the page of who is invited',
    dashboard.test(async ({ page }) => {
      await page.goto(invitation.link);
      await page.getByRole('heading', { name: `Join ${longName}` }).waitFor();
      expect(await measureOverflow(page)).toBe(0);
    }, narrowWindow),
  );

  it(
    'should leave room for what stands beside them',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await dashboard.service.query(`update invitations set expires_at = now() where id = $1`, [invitation.id]);
      await visitor.visit(owner, '/dashboard/members?view=invitations');
      const badge = page.getByText('Expired', { exact: true });
      await badge.waitFor();
      expect(await overflowOf(badge)).toBe(0);
    }, narrowWindow),
  );
});
