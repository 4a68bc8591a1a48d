import { createApiKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { unknownIds } from '../factories/unknown-ids.js';
import { confirmDeletion, confirmSaved, embed, expire, readNewKey } from './setup/api-keys.js';
import { findBarriers } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';
import { measureOverflow, narrowWindow } from './setup/narrow-window.js';

const dashboard = openDashboard();

describe('The page of a key', () => {
  it(
    'should tell who created it, and follow what is done with it',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await createMember(dashboard.service);
      const { id, key } = await createApiKey(dashboard.service, member, 'Search indexer');
      await visitor.signInAs(member);
      await page.goto(`/dashboard/keys/${id}`);
      await page.getByText('by A member').waitFor();
      await page
        .locator('dl')
        .getByText(`${key.slice(0, 8)}…`)
        .waitFor();

      await page.getByRole('button', { name: 'Rename' }).click();
      await page.getByRole('textbox', { name: 'Name' }).fill('Nightly batch');
      await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
      await page.getByRole('heading', { name: 'Nightly batch' }).waitFor();

      await page.getByRole('button', { name: 'Rotate' }).click();
      await page.getByRole('button', { name: 'Rotate key' }).click();
      const rotated = await readNewKey(page);
      await confirmSaved(page);
      await page
        .locator('dl')
        .getByText(`${rotated.slice(0, 8)}…`)
        .waitFor();

      await page.getByRole('button', { name: 'Delete' }).click();
      await confirmDeletion(page, 'Nightly batch');
      await page.getByRole('heading', { name: 'No keys yet' }).waitFor();
      expect(new URL(page.url()).pathname).toBe('/dashboard/keys');
      expect([await embed(dashboard.service, key), await embed(dashboard.service, rotated)]).toEqual([401, 401]);
      await page.goBack();
      await page.getByRole('heading', { name: 'There is no such key' }).waitFor();
    }),
  );

  it.each(unknownIds.map((id) => [id.slice(0, 40), id]))(
    'should say that there is no key %s, and lead back',
    dashboard.test(async (visitor, _shown: string, id: string) => {
      const { page } = visitor;
      await visitor.signInAs(await createMember(dashboard.service));
      await page.goto(`/dashboard/keys/${id}`);
      await page.getByRole('heading', { name: 'There is no such key' }).waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await page.getByRole('link', { name: 'All keys' }).click();
      await page.getByRole('heading', { name: 'No keys yet' }).waitFor();
    }),
  );

  it(
    "should not show another organization's key",
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { id } = await createApiKey(dashboard.service, await createMember(dashboard.service));
      await visitor.signInAs(await createMember(dashboard.service));
      await page.goto(`/dashboard/keys/${id}`);
      await page.getByRole('heading', { name: 'There is no such key' }).waitFor();
    }),
  );

  it(
    'should show what a role allows to see and to do, and no more',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await createMember(dashboard.service, { permissions: ['get-api-keys'] });
      const { id } = await createApiKey(dashboard.service, member, 'Search indexer');
      await visitor.signInAs(member);
      await page.goto(`/dashboard/keys/${id}`);
      await page.getByRole('heading', { name: 'Search indexer' }).waitFor();
      expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
      expect(await page.getByRole('main').getByRole('heading', { level: 2 }).count()).toBe(0);
    }),
  );

  it(
    'should say why an expired key cannot be rotated',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await createMember(dashboard.service);
      const { id } = await createApiKey(dashboard.service, member, 'Trial');
      await expire(dashboard.service, id);
      await visitor.signInAs(member);
      await page.goto(`/dashboard/keys/${id}`);
      await page.getByText('Expired', { exact: true }).waitFor();
      expect(await page.getByRole('button', { name: 'Rotate' }).isDisabled()).toBe(true);
      await page.getByRole('button', { name: 'Rename' }).focus();
      await page.keyboard.press('Tab');
      await page.getByRole('tooltip', { name: 'An expired key cannot be rotated.' }).waitFor();
    }),
  );

  it.each(['light', 'dark'] as const)(
    'should hinder nobody in %s colours',
    dashboard.test(async (visitor, colorScheme: 'light' | 'dark') => {
      const { page } = visitor;
      const member = await createMember(dashboard.service);
      const { id } = await createApiKey(dashboard.service, member, 'Search indexer');
      await visitor.signInAs(member);
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(narrowWindow.viewport);
      await page.goto(`/dashboard/keys/${id}`);
      await page.getByRole('heading', { name: 'Search indexer' }).waitFor();
      expect(await measureOverflow(page)).toBe(0);
      expect(await findBarriers(page)).toEqual([]);
    }),
  );
});
