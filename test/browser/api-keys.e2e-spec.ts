import { createAccount } from '../factories/accounts.js';
import { createApiKey } from '../factories/api-keys.js';
import { call } from '../setup/call.js';
import { chooseAction, confirmDeletion, createKey, embed, rowOf, signInNewMember } from './setup/api-keys.js';
import { openDashboard } from './setup/dashboard.js';

const dashboard = openDashboard();

describe('An API key', () => {
  it(
    'should work from its creation until its deletion',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { service } = dashboard;
      await visitor.signIn(await createAccount(service));

      await page.getByRole('navigation').getByRole('link', { name: 'API keys' }).click();
      await page.getByRole('button', { name: 'Create your first key' }).click();
      await createKey(page, 'Search indexer');
      await page.getByRole('button', { name: 'Copy key' }).click();
      await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
      const key = await page.evaluate<string>('navigator.clipboard.readText()');
      await page.getByRole('button', { name: 'Done' }).click();
      await expect(rowOf(page, 'Search indexer').getByText('Never').first()).toBeVisible();

      await page.clock.install();
      await page.reload();
      await expect(rowOf(page, 'Search indexer').getByText('Never').first()).toBeVisible();
      expect(await embed(service, key)).toBe(200);
      await page.clock.fastForward(10_000);
      await expect(
        rowOf(page, 'Search indexer')
          .getByRole('cell')
          .nth(3)
          .getByText(/now|ago/),
      ).toBeVisible();

      await chooseAction(page, 'Search indexer', 'Delete');
      await expect(page.getByText(/Last used .+, with 1 request in the last 24 hours\./)).toBeVisible();
      await confirmDeletion(page, 'Search indexer');
      await expect(page.getByText('Search indexer deleted. Requests using it are now rejected.')).toBeVisible();
      await expect(page.getByRole('heading', { name: 'No keys yet' })).toBeVisible();
      expect(await embed(service, key)).toBe(401);
    }),
  );
});

describe('Renaming an API key', () => {
  it(
    'should update the list and restore the focus',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await createApiKey(dashboard.service, await signInNewMember(dashboard, visitor), 'Search indexer');
      await page.goto('/dashboard/keys');
      await chooseAction(page, 'Search indexer', 'Rename');
      await page.getByRole('textbox', { name: 'Name' }).fill('Nightly batch');
      await page.getByRole('button', { name: 'Rename' }).click();
      await expect(rowOf(page, 'Nightly batch')).toBeVisible();
      expect(await rowOf(page, 'Search indexer').count()).toBe(0);
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await expect(page.getByRole('button', { name: 'Actions for Nightly batch' })).toBeFocused();
    }),
  );
});

describe('An API key name with HTML and repeated spaces', () => {
  it(
    'should be rendered as plain text',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const name = `<img src=x onerror="document.title='broken'">  two  spaces`;
      await createApiKey(dashboard.service, await signInNewMember(dashboard, visitor), name);
      await page.goto('/dashboard/keys');
      await page.getByRole('link', { name: '<img src=x' }).click();
      await expect(page.getByRole('heading', { name: '<img src=x' })).toBeVisible();
      expect(await page.title()).toBe(`${name} · Keycard`.replaceAll(/\s+/g, ' '));
      expect(await page.locator('img[src="x"]').count()).toBe(0);
      await page.getByRole('button', { name: 'Delete' }).click();
      await confirmDeletion(page, name);
      await expect(page.getByRole('heading', { name: 'No keys yet' })).toBeVisible();
    }),
  );
});

describe('Deleting an API key', () => {
  it(
    'should require its name and send one request on a double click',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await signInNewMember(dashboard, visitor);
      for (const name of ['Search indexer', 'Nightly batch']) await createApiKey(dashboard.service, member, name);
      await page.goto('/dashboard/keys');
      const deletions: string[] = [];
      page.on('request', (request) => {
        if (request.method() === 'DELETE') deletions.push(request.url());
      });
      await chooseAction(page, 'Search indexer', 'Delete');
      await expect(page.getByText('This key has never been used.')).toBeVisible();
      const dialog = page.getByRole('dialog', { name: 'Delete key' });
      const button = dialog.getByRole('button', { name: 'Delete key' });
      await dialog.getByRole('textbox').fill('Search');
      expect(await button.isDisabled()).toBe(true);
      await dialog.getByRole('textbox').fill('Search indexer');
      await button.dblclick();
      await expect(rowOf(page, 'Search indexer')).toBeHidden();
      await expect(rowOf(page, 'Nightly batch')).toBeVisible();
      expect(deletions).toHaveLength(1);
    }),
  );

  it(
    'should succeed if someone else already deleted it',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await signInNewMember(dashboard, visitor);
      const { id } = await createApiKey(dashboard.service, member, 'Search indexer');
      await page.goto('/dashboard/keys');
      await chooseAction(page, 'Search indexer', 'Delete');
      await expect(page.getByText('This key has never been used.')).toBeVisible();
      await call(dashboard.service.url, `DELETE /api-keys/${id}`, { token: member.token });
      await confirmDeletion(page, 'Search indexer');
      await expect(page.getByText('Search indexer deleted.')).toBeVisible();
      await expect(page.getByRole('heading', { name: 'No keys yet' })).toBeVisible();
    }),
  );

  it(
    "should hide the number of requests from users who can't see usage",
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await signInNewMember(dashboard, visitor, ['get-api-keys', 'delete-api-keys']);
      const { key } = await createApiKey(dashboard.service, member, 'Search indexer');
      await embed(dashboard.service, key);
      await page.goto('/dashboard/keys');
      await chooseAction(page, 'Search indexer', 'Delete');
      await expect(page.getByText(/^Last used [^,]+\.$/)).toBeVisible();
    }),
  );
});

describe('A user without permission to change keys', () => {
  it(
    'should see no actions and get a 403 from the API',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await createApiKey(
        dashboard.service,
        await signInNewMember(dashboard, visitor, ['get-api-keys']),
        'Search indexer',
      );
      await page.goto('/dashboard/keys');
      await page.getByRole('button', { name: 'Actions for Search indexer' }).click();
      await expect(page.getByRole('menuitem', { name: 'Details' })).toBeVisible();
      expect(await page.getByRole('menuitem').count()).toBe(1);
      expect(await page.getByRole('button', { name: /^Create (key|your)/ }).count()).toBe(0);
      const forge = `(async () => {
        const { accessToken } = await (await fetch('/auth/refresh', { method: 'POST' })).json();
        const headers = { authorization: 'Bearer ' + accessToken, 'content-type': 'application/json' };
        const response = await fetch('/api-keys', { method: 'POST', headers, body: '{"name":"Forged"}' });
        return response.status;
      })()`;
      expect(await page.evaluate<number>(forge)).toBe(403);
    }),
  );
});
