import type { Page } from 'playwright-core';
import type { Permission } from '../../src/access/permissions.js';
import { createApiKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { findBarriers } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';
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
  await page.getByText('Using the key').waitFor();
}

/** What the heat map says of two texts, by their places from 1. */
async function readSimilarity(page: Page, one: number, other: number): Promise<number> {
  const row = page.getByRole('table', { name: 'Similarity of the texts' }).getByRole('row').nth(one);
  return Number(
    await row
      .getByRole('cell')
      .nth(other - 1)
      .textContent(),
  );
}

describe('The key of the playground', () => {
  it(
    'should be created for an hour at a click, and once at a double click',
    dashboard.test(async (visitor) => {
      const { token } = await openPlayground(visitor);
      const now = Date.now();
      await visitor.page.getByRole('button', { name: 'Use a temporary key' }).dblclick();
      await visitor.page.getByText('Using the key').waitFor();
      const { body } = await call(dashboard.service.url, 'GET /api-keys', { token });
      expect(body).toMatchObject({ total: 1, apiKeys: [{ name: 'Playground' }] });
      const { apiKeys } = body as { apiKeys: { expiresAt: string }[] };
      const lifetimeMinutes = (Date.parse(apiKeys[0]?.expiresAt ?? '') - now) / 60_000;
      expect(Math.round(lifetimeMinutes)).toBe(60);
    }),
  );

  it(
    'should be pasted by who may not create any',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await openPlayground(visitor, { permissions: ['get-api-keys'] });
      expect(await page.getByRole('button', { name: 'Use a temporary key' }).count()).toBe(0);
      await pasteKey(page, (await createApiKey(dashboard.service, member)).key);
      await page.getByText('Using the key').waitFor();
    }),
  );

  it(
    "should be refused in the service's own words when it is not valid",
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await openPlayground(visitor);
      await pasteKey(page, 'kc_wrong');
      await page.getByText('The API key is not valid.').waitFor();
      expect(await page.getByRole('alert').count()).toBe(0);
    }),
  );

  it(
    'should be asked for again once it is deleted',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await openPlayground(visitor);
      const { id, key } = await createApiKey(dashboard.service, member);
      await pasteKey(page, key);
      await page.getByText('Using the key').waitFor();
      await call(dashboard.service.url, `DELETE /api-keys/${id}`, { token: member.token });
      await page.getByRole('button', { name: 'Compare' }).click();
      await page.getByText('The API key is not valid.').first().waitFor();
      await page.getByRole('textbox', { name: 'API key' }).waitFor();
    }),
  );

  it(
    'should never be in the address, in a storage or in a command',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { key } = await createApiKey(dashboard.service, await openPlayground(visitor));
      await pasteKey(page, key);
      await page.getByRole('region', { name: 'curl command' }).getByText('$KEYCARD_API_KEY').waitFor();
      const kept = await page.evaluate('JSON.stringify([location.href, localStorage, sessionStorage])');
      expect(kept).not.toContain(key);
      expect(await page.content()).not.toContain(key);
    }),
  );
});

describe('Embeddings in the playground', () => {
  it(
    'should show what means the same as more alike than what does not',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await openPlayground(visitor);
      await useTemporaryKey(page);
      await page.getByRole('button', { name: 'Compare' }).click();
      await page.getByText('512 dimensions').waitFor();
      expect(await readSimilarity(page, 1, 1)).toBe(1);
      const paraphrase = await readSimilarity(page, 1, 2);
      expect(paraphrase).toBeGreaterThan(await readSimilarity(page, 1, 3));
      expect(paraphrase).toBeGreaterThan(await readSimilarity(page, 1, 4));
    }),
  );

  it(
    'should be counted in the usage at once, also where there was none a moment ago',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await openPlayground(visitor);
      await page.getByRole('link', { name: 'Usage' }).click();
      await page.getByRole('link', { name: 'Try a request in the playground' }).click();
      await useTemporaryKey(page);
      await page.getByRole('button', { name: 'Compare' }).click();
      await page.getByText('512 dimensions').waitFor();
      await page.getByRole('link', { name: 'Usage' }).click();
      await page.getByRole('group', { name: 'Requests' }).getByText('1 answered').waitFor();
    }),
  );

  it(
    'should compare two to eight texts, none of them empty',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await openPlayground(visitor);
      await useTemporaryKey(page);
      for (let count = 4; count < 8; count++) await page.getByRole('button', { name: 'Add a text' }).click();
      expect(await page.getByRole('button', { name: 'Add a text' }).count()).toBe(0);
      await page.getByRole('button', { name: 'Compare' }).click();
      await page.getByText('Write a text, or remove the field').first().waitFor();
      for (let count = 8; count > 2; count--) await page.getByRole('button', { name: `Remove text ${count}` }).click();
      expect(await page.getByRole('button', { name: /^Remove text/ }).count()).toBe(0);
      await page.getByRole('button', { name: 'Compare' }).click();
      await page.getByText('512 dimensions').waitFor();
      expect(await page.getByRole('rowheader').count()).toBe(2);
    }),
  );

  it.each(['light', 'dark'] as const)(
    'should hinder nobody in %s colours',
    dashboard.test(async (visitor, colorScheme: 'light' | 'dark') => {
      const { page } = visitor;
      await page.emulateMedia({ colorScheme });
      await openPlayground(visitor);
      expect(await findBarriers(page)).toEqual([]);
      await useTemporaryKey(page);
      await page.getByRole('button', { name: 'Compare' }).click();
      await page.getByText('512 dimensions').waitFor();
      expect(await findBarriers(page)).toEqual([]);
    }),
  );
});
