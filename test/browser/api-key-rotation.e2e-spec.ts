import { createApiKey } from '../factories/api-keys.js';
import { chooseAction, confirmSaved, embed, expire, openKeys, readNewKey, rowOf } from './setup/api-keys.js';
import { openDashboard } from './setup/dashboard.js';

const dashboard = openDashboard();

describe('Rotating a key', () => {
  it(
    'should let both keys go on for as long as was chosen',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { key } = await createApiKey(dashboard.service, await openKeys(dashboard, visitor), 'Search indexer');
      await page.reload();
      await chooseAction(page, 'Search indexer', 'Rotate');
      await page.getByRole('combobox', { name: 'Keep accepting' }).selectOption('As long as you choose');
      await page.getByRole('textbox', { name: 'How long' }).fill('8');
      await page.getByRole('combobox', { name: 'Unit' }).selectOption('days');
      await page.getByRole('button', { name: 'Rotate key' }).click();
      await page.getByText('Use at most 7 days.').waitFor();
      await page.getByRole('textbox', { name: 'How long' }).fill('2');
      await page.getByRole('button', { name: 'Rotate key' }).click();
      const rotated = await readNewKey(page);
      await page.getByText(/^The old key is accepted until \d+ \w+ \d{4}, /).waitFor();
      expect([await embed(dashboard.service, key), await embed(dashboard.service, rotated)]).toEqual([200, 200]);
      await confirmSaved(page);
      await rowOf(page, 'Search indexer')
        .getByText(`${rotated.slice(0, 8)}…`)
        .waitFor();
    }),
  );

  it(
    'should stop the old key at once when that was chosen',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { key } = await createApiKey(dashboard.service, await openKeys(dashboard, visitor), 'Search indexer');
      await page.reload();
      await chooseAction(page, 'Search indexer', 'Rotate');
      await page.getByRole('combobox', { name: 'Keep accepting' }).selectOption('No time: stop it now');
      await page.getByRole('button', { name: 'Rotate key' }).click();
      const rotated = await readNewKey(page);
      await page.getByText('The old key is refused from now on.').waitFor();
      expect([await embed(dashboard.service, key), await embed(dashboard.service, rotated)]).toEqual([401, 200]);
    }),
  );

  it(
    'should not be possible once the key has expired, and say why',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { id } = await createApiKey(dashboard.service, await openKeys(dashboard, visitor), 'Trial');
      await expire(dashboard.service, id);
      await page.reload();
      await rowOf(page, 'Trial').getByText('Expired').waitFor();
      await page.getByRole('button', { name: 'Actions for Trial' }).click();
      await page.getByText('An expired key cannot be rotated.').waitFor();
      expect(await page.getByRole('menuitem', { name: 'Rotate' }).isDisabled()).toBe(true);
    }),
  );
});
