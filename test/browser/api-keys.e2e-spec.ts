import { createAccount } from '../factories/accounts.js';
import { createApiKey } from '../factories/api-keys.js';
import { call } from '../setup/call.js';
import { chooseAction, confirmDeletion, createKey, embed, openKeys, rowOf } from './setup/api-keys.js';
import { openDashboard } from './setup/dashboard.js';

const dashboard = openDashboard();

describe('The life of a key', () => {
  it(
    'should lead from the first sign-in over its first use to its end',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { service } = dashboard;
      await visitor.signIn(await createAccount(service));

      await page.getByRole('button', { name: 'Create your first key' }).click();
      await createKey(page, 'Search indexer');
      await page.getByRole('button', { name: 'Copy key' }).click();
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      const key = await page.evaluate<string>('navigator.clipboard.readText()');
      await page.getByRole('button', { name: 'Done' }).click();
      await rowOf(page, 'Search indexer').getByText('Never').first().waitFor();

      expect(await embed(service, key)).toBe(200);
      await page.reload();
      expect(await rowOf(page, 'Search indexer').getByRole('cell').nth(3).innerText()).toMatch(/now|ago/);

      await chooseAction(page, 'Search indexer', 'Delete');
      await page.getByText(/It was last used .+, with 1 request in the last day\./).waitFor();
      await confirmDeletion(page, 'Search indexer');
      await page.getByText('Search indexer is deleted. From now on it is refused everywhere.').waitFor();
      await page.getByRole('heading', { name: 'No keys yet' }).waitFor();
      expect(await embed(service, key)).toBe(401);
    }),
  );
});

describe('Renaming a key', () => {
  it(
    'should show the new name in the list',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await createApiKey(dashboard.service, await openKeys(dashboard, visitor), 'Search indexer');
      await page.reload();
      await chooseAction(page, 'Search indexer', 'Rename');
      await page.getByRole('textbox', { name: 'Name' }).fill('Nightly batch');
      await page.getByRole('button', { name: 'Rename' }).click();
      await rowOf(page, 'Nightly batch').waitFor();
      expect(await rowOf(page, 'Search indexer').count()).toBe(0);
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      // What the dialog was opened from gets the focus again.
      await page.getByRole('button', { name: 'Actions for Nightly batch' }).and(page.locator(':focus')).waitFor();
    }),
  );

  it(
    'should show any name as the text that it is',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const name = `<img src=x onerror="document.title='broken'">  two  spaces`;
      await createApiKey(dashboard.service, await openKeys(dashboard, visitor), name);
      await page.reload();
      await page.getByRole('link', { name: '<img src=x' }).click();
      await page.getByRole('heading', { name: '<img src=x' }).waitFor();
      expect(await page.title()).toBe(`${name} · Keycard`.replaceAll(/\s+/g, ' '));
      expect(await page.locator('img[src="x"]').count()).toBe(0);
      await page.getByRole('button', { name: 'Delete' }).click();
      await confirmDeletion(page, name);
      await page.getByRole('heading', { name: 'No keys yet' }).waitFor();
    }),
  );
});

describe('Deleting a key', () => {
  it(
    'should ask for its name, and be done once, however often the button is pressed',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await openKeys(dashboard, visitor);
      for (const name of ['Search indexer', 'Nightly batch']) await createApiKey(dashboard.service, member, name);
      await page.reload();
      const deletions: string[] = [];
      page.on('request', (request) => {
        if (request.method() === 'DELETE') deletions.push(request.url());
      });
      await chooseAction(page, 'Search indexer', 'Delete');
      await page.getByText('It has never been used.').waitFor();
      const dialog = page.getByRole('dialog', { name: 'Delete key' });
      const button = dialog.getByRole('button', { name: 'Delete key' });
      await dialog.getByRole('textbox').fill('Search');
      expect(await button.isDisabled()).toBe(true);
      await dialog.getByRole('textbox').fill('Search indexer');
      await button.dblclick();
      await rowOf(page, 'Search indexer').waitFor({ state: 'detached' });
      await rowOf(page, 'Nightly batch').waitFor();
      expect(deletions).toHaveLength(1);
    }),
  );

  it(
    'should be done when somebody else was quicker',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await openKeys(dashboard, visitor);
      const { id } = await createApiKey(dashboard.service, member, 'Search indexer');
      await page.reload();
      await chooseAction(page, 'Search indexer', 'Delete');
      await page.getByText('It has never been used.').waitFor();
      await call(dashboard.service.url, `DELETE /api-keys/${id}`, { token: member.token });
      await confirmDeletion(page, 'Search indexer');
      await page.getByText('Search indexer is deleted.').waitFor();
      await page.getByRole('heading', { name: 'No keys yet' }).waitFor();
    }),
  );

  it(
    'should leave out the requests for those who may not see usage',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await openKeys(dashboard, visitor, ['get-api-keys', 'delete-api-keys']);
      const { key } = await createApiKey(dashboard.service, member, 'Search indexer');
      await embed(dashboard.service, key);
      await page.reload();
      await chooseAction(page, 'Search indexer', 'Delete');
      await page.getByText(/^It was last used [^,]+\.$/).waitFor();
    }),
  );
});

describe('A Viewer', () => {
  it(
    'should be offered no changes, and be refused when asking for them all the same',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await createApiKey(dashboard.service, await openKeys(dashboard, visitor, ['get-api-keys']), 'Search indexer');
      await page.reload();
      await page.getByRole('button', { name: 'Actions for Search indexer' }).click();
      await page.getByRole('menuitem', { name: 'Details' }).waitFor();
      expect(await page.getByRole('menuitem').count()).toBe(1);
      expect(await page.getByRole('button', { name: /^Create (key|your)/ }).count()).toBe(0);
      const forge = `(async () => {
        const { accessToken } = await (await fetch('/auth/refresh', { method: 'POST' })).json();
        const headers = { authorization: 'Bearer ' + accessToken, 'content-type': 'application/json' };
        const answer = await fetch('/api-keys', { method: 'POST', headers, body: '{"name":"Forged"}' });
        return answer.status;
      })()`;
      expect(await page.evaluate<number>(forge)).toBe(403);
    }),
  );
});
