import type { Page } from 'playwright-core';
import { runNode } from '../contract/run-node.js';
import { createMember } from '../factories/organizations.js';
import { confirmSaved, createKey, embed, readNewKey, rowOf, textOf } from './setup/api-keys.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';
import type { Visitor } from './setup/visitor.js';

const dashboard = openDashboard();

/** Creates a key as a new member, and returns the key shown in the dialog. */
async function showNewKey(visitor: Visitor): Promise<string> {
  const { page } = visitor;
  await visitor.signInAs(await createMember(dashboard.service));
  await page.goto('/dashboard/playground');
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('button', { name: 'Create your first key' }).click();
  return createKey(page, 'Search indexer');
}

/** Returns everything in the page, storage, history and cookies as text. */
function readTraces(page: Page): Promise<string> {
  return page.evaluate<string>(`JSON.stringify([
    document.documentElement.outerHTML,
    [...document.querySelectorAll('input, textarea')].map(({ value }) => value),
    { ...localStorage },
    { ...sessionStorage },
    location.href,
    history.state,
    document.cookie,
  ])`);
}

describe('A new key', () => {
  it(
    'should stay visible until it is saved',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const key = await showNewKey(visitor);
      const dialog = page.getByRole('dialog', { name: 'Save your key' });
      expect(await dialog.getByRole('button', { name: 'Done' }).isDisabled()).toBe(true);
      expect(await dialog.getByRole('button', { name: 'Close' }).count()).toBe(0);
      await page.keyboard.press('Escape');
      await page.mouse.click(5, 5);
      // Going back is blocked: the router goes forward again.
      await page.evaluate(`new Promise((resolve) => {
        let moves = 0;
        addEventListener('popstate', () => ++moves === 2 && resolve());
        history.back();
      })`);
      const confirmation = page.waitForEvent('dialog');
      await page.close({ runBeforeUnload: true });
      const dialogBeforeUnload = await confirmation;
      expect(dialogBeforeUnload.type()).toBe('beforeunload');
      await dialogBeforeUnload.dismiss();
      expect(await readNewKey(page)).toBe(key);
    }),
  );

  it(
    'should leave no trace in the browser once it is saved',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const key = await showNewKey(visitor);
      await expect(page.getByRole('tab', { name: 'curl' })).toBeVisible();
      expect(await readTraces(page)).toContain(key);
      await confirmSaved(page);
      await expect(rowOf(page, 'Search indexer')).toBeVisible();
      expect(await readTraces(page)).not.toContain(key.slice(10));
      await page.reload();
      await expect(rowOf(page, 'Search indexer')).toBeVisible();
      expect(await readTraces(page)).not.toContain(key.slice(10));
    }),
  );

  it(
    'should show that a request failed and why, and that the next one succeeded, in the list too',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const key = await showNewKey(visitor);
      await expect(page.getByText('Waiting for the first request…')).toBeVisible();
      expect(await embed(dashboard.service, key, 'mistyped')).toBe(404);
      await expect(page.getByRole('status').getByText('404 model_not_found')).toBeVisible();
      await expect(page.getByText('Waiting for a successful request…')).toBeVisible();
      expect(await embed(dashboard.service, key)).toBe(200);
      await expect(page.getByText('A request succeeded')).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await confirmSaved(page);
      await expect(
        rowOf(page, 'Search indexer')
          .getByText(/ago|now/)
          .nth(1),
      ).toBeVisible();
    }),
  );

  it(
    'should stay open on Escape, which moves the focus to the confirmation that it is saved',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await showNewKey(visitor);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('checkbox', { name: "I've saved this key" })).toBeFocused();
    }),
  );

  it(
    'should show that the first request was received',
    dashboard.test(async (visitor) => {
      const key = await showNewKey(visitor);
      expect(await embed(dashboard.service, key)).toBe(200);
      await expect(visitor.page.getByText('First request received')).toBeVisible();
    }),
  );

  it(
    'should be copied without the Clipboard API, which is missing over plain HTTP',
    dashboard.test(async (visitor) => {
      const { page, context } = visitor;
      await page.addInitScript(`Object.defineProperty(navigator, 'clipboard', { value: undefined })`);
      const key = await showNewKey(visitor);
      const copy = page.getByRole('button', { name: 'Copy key' });
      await copy.click();
      const copied = page.getByRole('button', { name: 'Copied' });
      await expect(copied).toBeVisible();
      await expect(copied.or(copy)).toBeFocused();
      expect(await page.getByRole('checkbox', { name: "I've saved this key" }).isChecked()).toBe(true);
      const other = await context.newPage();
      await other.goto('/sign-in');
      expect(await other.evaluate('navigator.clipboard.readText()')).toBe(key);
    }),
  );

  it(
    'should come with a Node.js example that runs unchanged',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await showNewKey(visitor);
      await page.getByRole('tab', { name: 'Node.js' }).click();
      await page.getByRole('button', { name: 'Copy Node.js example' }).click();
      await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
      const code = await page.evaluate<string>('navigator.clipboard.readText()');
      const { exitCode, output } = await runNode(['--input-type=module', '--eval', code]);
      expect(output).toMatch(/^\[\s+-?0\.\d+,/);
      expect(exitCode).toBe(0);
    }),
  );

  it(
    'should stay in place while another example is chosen, and not count as used by loading them',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const key = await showNewKey(visitor);
      const positions = new Set<number | undefined>();
      for (const language of ['curl', 'Python', 'Node.js']) {
        await page.getByRole('tab', { name: language }).click();
        positions.add((await page.getByRole('region', { name: 'Your new key' }).boundingBox())?.y);
        const code = await page.getByRole('group', { name: `${language} example` }).innerText();
        expect(code).toContain(`${dashboard.service.url}/v1`);
        expect(code).toContain(key);
        expect(code).toContain('universal-sentence-encoder-lite');
      }
      expect(positions.size).toBe(1);
      await confirmSaved(page);
      expect(await textOf(page, 'Search indexer', 'Last used')).toBe('Never');
    }),
  );
});
