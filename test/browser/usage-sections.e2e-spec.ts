import type { Page } from 'playwright-core';
import { createApiKey, createApiKeyWith } from '../factories/api-keys.js';
import { setLimits } from '../factories/limits.js';
import { pricedModels } from '../factories/models.js';
import { createMember, type Member } from '../factories/organizations.js';
import { createServiceAccount, tokenOf } from '../factories/service-accounts.js';
import { recordUsage, recordUsageAt } from '../factories/usage.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';
import { measureOverflow, phone } from './setup/narrow-window.js';

const dashboard = openDashboard({
  config: { models: pricedModels({ perMillionTokens: { input: '2' } }, { perThousandPages: '10' }), currency: 'EUR' },
});
const model = 'universal-sentence-encoder-lite';
/** A euro's worth. */
const inputTokens = 500_000;

let member: Member;
let apiKeyId: string;

beforeEach(async () => {
  member = await createMember(dashboard.service);
  apiKeyId = (await createApiKey(dashboard.service, member, 'Search indexer')).id;
});

/** A page with a section about usage, and the key that the usage is of. */
interface Subject {
  path: string;
  keyId: string;
}

const subjects: [name: string, create: () => Promise<Subject>][] = [
  ['a key', () => Promise.resolve({ path: `/dashboard/keys/${apiKeyId}`, keyId: apiKeyId })],
  ['a person', () => Promise.resolve({ path: `/dashboard/members/${member.userId}`, keyId: apiKeyId })],
  [
    'a service account',
    async () => {
      const account = await createServiceAccount(dashboard.service, member);
      const token = await tokenOf(dashboard.service, account);
      const { id: keyId } = await createApiKeyWith(dashboard.service, { token }, 'Of the pipeline');
      return { path: `/dashboard/members/service-accounts/${account.id}`, keyId };
    },
  ],
];

/** The calendar month, some months ago. */
function monthsAgo(count: number): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - count, 15)).toISOString().slice(0, 7);
}

/** Such as "September". */
const nameOf = (month: string) => new Date(`${month}-15`).toLocaleDateString('en', { month: 'long' });

const facts = (keyId: string, count: number) =>
  Array.from({ length: count }, () => ({ organizationId: member.organizationId, apiKeyId: keyId, model, inputTokens }));

const recordIn = (month: string, keyId: string, count: number) =>
  recordUsageAt(dashboard.service, `${month}-20T10:00:00Z`, facts(keyId, count));

const section = (page: Page) => page.getByRole('region', { name: 'Usage', exact: true });
const figure = (page: Page, name: string) => section(page).getByRole('group', { name, exact: true });
const measure = (page: Page, name: string) => section(page).getByRole('radio', { name, exact: true });

describe.each(subjects)('The usage of %s', (_name, create) => {
  it(
    'should keep month and measure in the URL, which the back button undoes',
    dashboard.test(async (visitor) => {
      const { path, keyId } = await create();
      await recordIn(monthsAgo(1), keyId, 2);
      await recordUsage(dashboard.service, facts(keyId, 1));
      const { page } = visitor;
      await visitor.visit(member, path);
      await section(page).getByText('Month', { exact: true }).click();
      const months = section(page).getByRole('combobox', { name: 'Month' });
      await months.selectOption(monthsAgo(1));
      await expect(figure(page, 'Requests').getByText('2', { exact: true })).toBeVisible();
      await measure(page, 'Cost').check();
      await page.waitForURL(`**${path}?month=${monthsAgo(1)}&measure=cost`);
      await expect(section(page).getByRole('img', { name: 'Chart by day: cost €2.00' })).toBeVisible();
      await page.reload();
      await expect(section(page).getByRole('img', { name: 'Chart by day: cost €2.00' })).toBeVisible();
      expect(await months.inputValue()).toBe(monthsAgo(1));
      await page.goBack();
      await expect(section(page).getByRole('img', { name: 'Chart by day: 2 requests, 0 failed (0.0%)' })).toBeVisible();
      await page.goBack();
      await expect(section(page).getByRole('img', { name: 'Chart by day: 1 request, 0 failed (0.0%)' })).toBeVisible();
      expect(await months.inputValue()).toBe(monthsAgo(0));
      await page.goBack();
      await expect(months).toBeHidden();
      expect(new URL(page.url()).search).toBe('');
    }),
  );

  it(
    'should be compared with the month before, and say if that has data only from some day on',
    dashboard.test(async (visitor) => {
      const { path, keyId } = await create();
      await recordIn(monthsAgo(1), keyId, 3);
      await recordIn(monthsAgo(2), keyId, 2);
      const { page } = visitor;
      await visitor.visit(member, `${path}?month=${monthsAgo(1)}&measure=cost`);
      const name = nameOf(monthsAgo(2));
      const part = new RegExp(`^\\+50\\.0% vs\\. ${name} \\(data only from 20\\s\\p{L}+\\)$`, 'u');
      for (const title of ['Cost', 'Requests']) await expect(figure(page, title).getByText(part)).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await section(page).getByRole('link', { name: 'View details' }).click();
      await page.waitForURL(/\/dashboard\/usage\?/);
      await expect(page.getByRole('heading', { level: 1, name: 'Usage' })).toBeVisible();
      await expect(page.getByRole('group', { name: 'Cost', exact: true }).getByText(part)).toBeVisible();
      expect(await page.getByRole('radio', { name: 'Cost', exact: true }).isChecked()).toBe(true);
      await recordIn(monthsAgo(3), keyId, 1);
      await page.goto(`${path}?month=${monthsAgo(1)}`);
      for (const title of ['Cost', 'Requests']) {
        await expect(figure(page, title).getByText(`+50.0% vs. ${name}`, { exact: true })).toBeVisible();
      }
    }),
  );
});

describe('The usage of a key', () => {
  it(
    'should explain its forecast only if the limits above do not',
    dashboard.test(async (visitor) => {
      const { service } = dashboard;
      await service.query(`update api_keys set created_at = now() - interval '30 days' where id = $1`, [apiKeyId]);
      for (let daysAgo = 14; daysAgo >= 0; daysAgo -= 1) {
        const time = new Date(Date.now() - daysAgo * 24 * 3_600_000).toISOString();
        await recordUsageAt(service, time, facts(apiKeyId, 1));
      }
      const { page } = visitor;
      const explanation = page.getByText(/^Forecasts expect today and the remaining days/);
      await visitor.visit(member, `/dashboard/keys/${apiKeyId}?month=${monthsAgo(0)}`);
      await expect(figure(page, 'Cost').getByText(/^Forecast: €/)).toBeVisible();
      expect(await explanation.count()).toBe(1);
      await setLimits(service, { keyId: apiKeyId }, [{ metric: 'cost', per: 'month', max: 500e9 }]);
      await page.reload();
      await expect(page.getByRole('region', { name: 'Limits', exact: true }).locator(explanation)).toBeVisible();
      await expect(figure(page, 'Cost').getByText(/^Forecast: €/)).toBeVisible();
      expect(await explanation.count()).toBe(1);
    }),
  );

  it(
    'should fit a phone',
    dashboard.test(async (visitor) => {
      await recordUsage(dashboard.service, facts(apiKeyId, 1));
      const { page } = visitor;
      await visitor.visit(member, `/dashboard/keys/${apiKeyId}?month=${monthsAgo(0)}`);
      await expect(figure(page, 'Cost')).toBeVisible();
      expect(await measureOverflow(page)).toBe(0);
    }, phone),
  );
});
