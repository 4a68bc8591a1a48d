import type { Page } from 'playwright-core';
import type { Permission } from '../../src/access/permissions.js';
import { ExpiredKeysService } from '../../src/api-keys/expired/expired-keys.service.js';
import { createApiKey } from '../factories/api-keys.js';
import { setLimits } from '../factories/limits.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { waitFor } from '../setup/wait-for.js';
import { chooseAction, confirmDeletion } from './setup/api-keys.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';
import { narrowWindow } from './setup/narrow-window.js';
import type { Visitor } from './setup/visitor.js';

const dashboard = openDashboard();

async function openPlayground(visitor: Visitor, options: { permissions?: Permission[] } = {}): Promise<Member> {
  const member = await createMember(dashboard.service, options);
  await visitor.visit(member, '/dashboard/playground');
  return member;
}

async function pasteKey(page: Page, key: string): Promise<void> {
  await page.getByRole('textbox', { name: 'API key' }).fill(key);
  await page.getByRole('button', { name: 'Use this key' }).click();
}

async function useTemporaryKey(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Use a temporary key' }).click();
  await page.getByText('Using key').waitFor();
}

/** Reads the similarity of two texts from the heat map, by their numbers. */
async function readSimilarity(page: Page, one: number, other: number): Promise<number> {
  const row = page.getByRole('table', { name: 'Text similarity' }).getByRole('row').nth(one);
  return Number(
    await row
      .getByRole('cell')
      .nth(other - 1)
      .textContent(),
  );
}

describe('The similarity of texts', () => {
  it(
    'should be scrolled into the window of a phone',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await openPlayground(visitor);
      await useTemporaryKey(page);
      await page.getByRole('button', { name: 'Compare' }).tap();
      const figures = page.getByText('1 = same meaning, 0 = unrelated');
      await figures.waitFor();
      const isShown = async () => {
        const { y, height } = (await figures.boundingBox()) ?? { y: Infinity, height: 0 };
        return y + height <= narrowWindow.viewport.height;
      };
      await waitFor(isShown);
    }, narrowWindow),
  );
});

describe('The API key of the playground', () => {
  it(
    'should be created for an hour, and only once on a double click',
    dashboard.test(async (visitor) => {
      const { token } = await openPlayground(visitor);
      const now = Date.now();
      await visitor.page.getByRole('button', { name: 'Use a temporary key' }).dblclick();
      await expect(visitor.page.getByText('Using key')).toBeVisible();
      const { body } = await call(dashboard.service.url, 'GET /api-keys', { token });
      expect(body).toMatchObject({ total: 1, apiKeys: [{ name: 'Playground' }] });
      const { apiKeys } = body as { apiKeys: { expiresAt: string }[] };
      const lifetimeMinutes = (Date.parse(apiKeys[0]?.expiresAt ?? '') - now) / 60_000;
      expect(Math.round(lifetimeMinutes)).toBe(60);
    }),
  );

  it(
    'should be deleted when the user chooses another one or closes the page',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await openPlayground(visitor);
      const countKeys = async () => {
        const { body } = await call(dashboard.service.url, 'GET /api-keys', { token: member.token });
        return (body as { total: number }).total;
      };
      await useTemporaryKey(page);
      await page.getByRole('button', { name: 'Use another key' }).click();
      await waitFor(async () => (await countKeys()) === 0);
      await useTemporaryKey(page);
      await page.getByRole('link', { name: 'Overview' }).click();
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      expect(await countKeys()).toBe(1);
      await page.goto('/docs');
      await waitFor(async () => (await countKeys()) === 0);
    }),
  );

  it(
    'should be deleted automatically once it has expired, for users who may not delete keys, too',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await openPlayground(visitor, { permissions: ['get-api-keys', 'create-api-keys'] });
      await expect(page.getByText('expires in 1 hour and is then deleted')).toBeVisible();
      await useTemporaryKey(page);
      await page.getByRole('link', { name: 'API keys', exact: true }).click();
      const keys = page.getByRole('table', { name: 'API keys' });
      await keys.getByRole('link', { name: 'Playground', exact: true }).click();
      await expect(page.getByText(/, then deleted$/)).toBeVisible();
      await dashboard.service.query(`update api_keys set expires_at = now() - interval '10 minutes'`);
      await dashboard.service.app.get(ExpiredKeysService).run();
      await page.reload();
      await expect(page.getByRole('heading', { name: 'Key not found' })).toBeVisible();
    }),
  );

  it(
    "should be entered by users who can't create one",
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await openPlayground(visitor, { permissions: ['get-api-keys'] });
      expect(await page.getByRole('button', { name: 'Use a temporary key' }).count()).toBe(0);
      await pasteKey(page, (await createApiKey(dashboard.service, member)).key);
      await expect(page.getByText('Using key')).toBeVisible();
    }),
  );

  it(
    "should be rejected if it isn't complete, and not spend a request of a limited key",
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await openPlayground(visitor);
      const { id, key } = await createApiKey(dashboard.service, member);
      await setLimits(dashboard.service, { keyId: id }, [{ metric: 'requests', per: 'day', max: 1 }]);
      await pasteKey(page, key.slice(0, 20));
      await expect(page.getByText('Paste the whole key.')).toBeVisible();
      expect(await page.getByRole('alert').count()).toBe(0);
      await pasteKey(page, key);
      await page.getByRole('button', { name: 'Compare' }).click();
      await expect(page.getByText('512 dimensions')).toBeVisible();
    }),
  );

  it(
    'should be rejected if it is unknown, expired or disabled, and stay in the field',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await openPlayground(visitor);
      const { id, key } = await createApiKey(dashboard.service, member);
      const requested: string[] = [];
      page.on('request', (request) => requested.push(request.url()));
      const foreign = await createApiKey(dashboard.service, await createMember(dashboard.service));
      await pasteKey(page, foreign.key);
      await expect(page.getByText(`No key of this organization starts with ${foreign.key.slice(0, 8)}.`)).toBeVisible();
      await dashboard.service.query(`update api_keys set expires_at = now() - interval '1 hour' where id = $1`, [id]);
      await pasteKey(page, key);
      await expect(page.getByText('This key has expired. Extend it, or use another key.')).toBeVisible();
      await dashboard.service.query('update api_keys set enabled = false, expires_at = null where id = $1', [id]);
      await pasteKey(page, key);
      await expect(page.getByText('This key is disabled. Enable it, or use another key.')).toBeVisible();
      expect(await page.getByRole('textbox', { name: 'API key' }).inputValue()).toBe(key);
      expect(requested.filter((url) => url.includes(key.slice(0, 9)))).toEqual([]);
      await dashboard.service.query('update api_keys set enabled = true where id = $1', [id]);
      await pasteKey(page, key);
      await expect(page.getByText('Using key')).toBeVisible();
    }),
  );

  it(
    'should be requested again after it is deleted',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await openPlayground(visitor);
      const { id, key } = await createApiKey(dashboard.service, member);
      await pasteKey(page, key);
      await expect(page.getByText('Using key')).toBeVisible();
      await call(dashboard.service.url, `DELETE /api-keys/${id}`, { token: member.token });
      await page.getByRole('button', { name: 'Compare' }).click();
      await expect(page.getByText('The API key is unknown, expired, revoked or deleted.').first()).toBeVisible();
      await expect(page.getByRole('textbox', { name: 'API key' })).toBeVisible();
    }),
  );

  it(
    'should be requested again after it is deleted on another page',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await openPlayground(visitor);
      await useTemporaryKey(page);
      await page.getByRole('link', { name: 'API keys', exact: true }).click();
      await chooseAction(page, 'Playground', 'Delete');
      await confirmDeletion(page, 'Playground');
      await expect(page.getByText('Playground deleted.')).toBeVisible();
      await page.getByRole('link', { name: 'Playground', exact: true }).click();
      await expect(page.getByText(/^No key of this organization starts with kc_\w{5}\./)).toBeVisible();
      await useTemporaryKey(page);
    }),
  );

  it(
    'should never appear in the URL, browser storage or curl command',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { key } = await createApiKey(dashboard.service, await openPlayground(visitor));
      await pasteKey(page, key);
      await expect(page.getByRole('group', { name: 'curl command' }).getByText('$KEYCARD_API_KEY')).toBeVisible();
      const stored = await page.evaluate('JSON.stringify([location.href, localStorage, sessionStorage])');
      expect(stored).not.toContain(key);
      expect(await page.content()).not.toContain(key);
    }),
  );
});

describe('Embeddings in the playground', () => {
  it(
    'should rate paraphrases as more similar than unrelated texts',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await openPlayground(visitor);
      await useTemporaryKey(page);
      await page.getByRole('button', { name: 'Compare' }).click();
      await expect(page.getByText('512 dimensions')).toBeVisible();
      expect(await readSimilarity(page, 1, 1)).toBe(1);
      const paraphrase = await readSimilarity(page, 1, 2);
      expect(paraphrase).toBeGreaterThan(await readSimilarity(page, 1, 3));
      expect(paraphrase).toBeGreaterThan(await readSimilarity(page, 1, 4));
    }),
  );

  it(
    "should state the model's language, and warn of texts in another",
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await openPlayground(visitor);
      await useTemporaryKey(page);
      await expect(page.getByText('Trained for English')).toBeVisible();
      await page.getByRole('textbox', { name: 'Text 2' }).fill('Ich habe mein Passwort leider vergessen.');
      await page.getByRole('button', { name: 'Compare' }).click();
      await expect(page.getByText("The model doesn't know the language")).toBeVisible();
    }),
  );

  it(
    'should show no earlier result next to an error, and count down the time to wait',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await page.clock.install();
      const { id, key } = await createApiKey(dashboard.service, await openPlayground(visitor));
      await setLimits(dashboard.service, { keyId: id }, [{ metric: 'requests', per: 'hour', max: 1 }]);
      await pasteKey(page, key);
      await page.getByRole('button', { name: 'Compare' }).click();
      await expect(page.getByText('512 dimensions')).toBeVisible();
      await page.getByRole('button', { name: 'Compare' }).click();
      await expect(page.getByRole('alert').getByText('Rate limit exceeded')).toBeVisible();
      expect(await page.getByText('512 dimensions').count()).toBe(0);
      await expect(page.getByText('Try again in about 60 minutes.')).toBeVisible();
      await page.clock.fastForward('30:00');
      await expect(page.getByText('Try again in about 30 minutes.')).toBeVisible();
      await page.clock.fastForward('30:00');
      await expect(page.getByText('You can try again now.')).toBeVisible();
    }),
  );

  it(
    'should suggest to split long texts',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await openPlayground(visitor);
      await page.getByRole('textbox', { name: 'Text 1' }).fill('word '.repeat(201).trim());
      await expect(page.getByText('Split documents into passages of 50 to 200 words')).toBeVisible();
    }),
  );

  it(
    'should appear on the usage page immediately, and still be there when the user comes back',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await openPlayground(visitor);
      await page.getByRole('link', { name: 'Usage' }).click();
      await page.getByRole('link', { name: 'Try the playground' }).click();
      await useTemporaryKey(page);
      await page.getByRole('button', { name: 'Copy key' }).click();
      expect(await page.evaluate<string>('navigator.clipboard.readText()')).toMatch(/^kc_\w{46}$/);
      await page.getByRole('textbox', { name: 'Text 1' }).fill('Where is my invoice?');
      await page.getByRole('button', { name: 'Compare' }).click();
      await expect(page.getByText('512 dimensions')).toBeVisible();
      await page.getByRole('link', { name: 'Usage' }).click();
      await expect(page.getByRole('group', { name: 'Requests' }).getByText('1 succeeded')).toBeVisible();
      await page.getByRole('link', { name: 'Playground' }).click();
      await expect(page.getByText('Using key')).toBeVisible();
      expect(await page.getByRole('textbox', { name: 'Text 1' }).inputValue()).toBe('Where is my invoice?');
      await expect(page.getByText('512 dimensions')).toBeVisible();
      await expect(page.getByRole('link', { name: 'Playground' })).toBeFocused();
    }),
  );

  it(
    'should require two to eight non-empty texts',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await openPlayground(visitor);
      await useTemporaryKey(page);
      for (let count = 4; count < 8; count++) await page.getByRole('button', { name: 'Add text' }).click();
      expect(await page.getByRole('button', { name: 'Add text' }).count()).toBe(0);
      await page.getByRole('button', { name: 'Compare' }).click();
      await expect(page.getByText('Enter text or remove this field.').first()).toBeVisible();
      for (let count = 8; count > 2; count--) await page.getByRole('button', { name: `Remove text ${count}` }).click();
      expect(await page.getByRole('button', { name: /^Remove text/ }).count()).toBe(0);
      await page.getByRole('button', { name: 'Compare' }).click();
      await expect(page.getByText('512 dimensions')).toBeVisible();
      expect(await page.getByRole('rowheader').count()).toBe(2);
    }),
  );

  it(
    'should have no accessibility violations in light or dark mode',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await openPlayground(visitor);
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await useTemporaryKey(page);
      await page.getByRole('button', { name: 'Compare' }).click();
      await expect(page.getByText('512 dimensions')).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }),
  );
});
