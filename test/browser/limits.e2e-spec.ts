import type { Locator, Page } from 'playwright-core';
import type { Limit } from '../../src/limits/limit.js';
import { createApiKey } from '../factories/api-keys.js';
import { setLimits } from '../factories/limits.js';
import { createMember } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { waitFor } from '../setup/wait-for.js';
import { chooseAction, confirmSaved, createKey, embed, openKeys, signInNewMember } from './setup/api-keys.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';
import { measureOverflow, narrowWindow } from './setup/narrow-window.js';
import { readTotal } from './setup/usage.js';
import type { Visitor } from './setup/visitor.js';

const dashboard = openDashboard();

const rowOf = (dialog: Locator, number: number) => dialog.getByRole('group', { name: `Limit ${number}`, exact: true });
const barOf = (page: Page, limit: string) => page.getByRole('group', { name: limit, exact: true });
const percentUsed = (page: Page, limit: string) =>
  barOf(page, limit).getByRole('progressbar').getAttribute('aria-valuenow');

const dialogOverflow =
  "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('[role=dialog]'))";

/** Adds a row and fills it in with the keyboard focus that the row has got. */
async function addLimit(dialog: Locator, number: number, { max, metric, per }: Limit): Promise<void> {
  await dialog.getByRole('button', { name: 'Add limit' }).click();
  await dialog.page().keyboard.type(String(max));
  await rowOf(dialog, number).getByRole('combobox', { name: 'What to count' }).selectOption(metric);
  await rowOf(dialog, number)
    .getByRole('combobox', { name: 'Period' })
    .selectOption(per ?? '');
}

async function openLimitsOfNewKey(visitor: Visitor): Promise<Locator> {
  await openKeys(dashboard, visitor);
  await visitor.page.getByRole('button', { name: 'Create your first key' }).click();
  const dialog = visitor.page.getByRole('dialog', { name: 'Create key' });
  await dialog.getByRole('button', { name: 'Limits and restrictions' }).click();
  return dialog;
}

describe('Limits of an API key', () => {
  it(
    'should accept a pasted number with the separators of any country',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const dialog = await openLimitsOfNewKey(visitor);
      await addLimit(dialog, 1, { max: 7, metric: 'requests', per: 'day' });
      const maximum = dialog.getByRole('textbox', { name: 'Maximum' });
      await page.evaluate("navigator.clipboard.writeText('1.000')");
      await maximum.press('ControlOrMeta+A');
      await maximum.press('ControlOrMeta+V');
      await waitFor(async () => (await maximum.inputValue()) === '1,000');
    }),
  );

  it(
    'should keep an amount of money that was entered before its unit',
    dashboard.test(async (visitor) => {
      const dialog = await openLimitsOfNewKey(visitor);
      await addLimit(dialog, 1, { max: '45.50', metric: 'cost', per: 'month' });
      const maximum = dialog.getByRole('textbox', { name: 'Maximum' });
      expect(await maximum.inputValue()).toMatch(/^45\.50?$/);
      await dialog.getByRole('button', { name: 'Add limit' }).click();
      await visitor.page.keyboard.type('45.5');
      await dialog.getByRole('button', { name: 'Create key' }).click();
      await expect(rowOf(dialog, 2).getByText('Enter a whole number from 1 to 1,000,000,000,000.')).toBeVisible();
    }),
  );

  it(
    'should accept a pasted amount with a currency sign, and refuse one with two meanings',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const dialog = await openLimitsOfNewKey(visitor);
      await addLimit(dialog, 1, { max: 1, metric: 'cost', per: 'month' });
      const maximum = dialog.getByRole('textbox', { name: 'Maximum' });
      const paste = async (text: string) => {
        await page.evaluate(`navigator.clipboard.writeText('${text}')`);
        await maximum.press('ControlOrMeta+A');
        await maximum.press('ControlOrMeta+V');
      };
      for (const text of ['$45.50', '45,50 $', ' USD 45.50 ', '45.5 USD']) {
        await paste(text);
        await maximum.blur();
        await waitFor(async () => (await maximum.inputValue()) === '45.50');
      }
      await paste('$1,500');
      await dialog.getByRole('textbox', { name: 'Name' }).fill('Search indexer');
      await dialog.getByRole('button', { name: 'Create key' }).click();
      await expect(rowOf(dialog, 1).getByText('Enter 1500 or 1.50: 1,500 can mean both.')).toBeVisible();
      await paste('$1,500.00');
      await createKey(page, 'Search indexer');
      await confirmSaved(page);
      await page.getByRole('link', { name: 'Search indexer' }).click();
      await expect(barOf(page, '1,500.00 per month')).toBeVisible();
    }),
  );

  it(
    'should be set when it is created, with the focus on the first invalid field, and show what a request used',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const dialog = await openLimitsOfNewKey(visitor);
      await addLimit(dialog, 1, { max: 4, metric: 'requests', per: 'day' });
      await addLimit(dialog, 2, { max: 0, metric: 'requests', per: 'day' });
      const name = dialog.getByRole('textbox', { name: 'Name' });
      await dialog.getByRole('button', { name: 'Create key' }).click();
      await expect(name).toBeFocused();
      await name.fill('Search indexer');
      await dialog.getByRole('button', { name: 'Create key' }).click();
      await expect(rowOf(dialog, 2).getByText('Enter a whole number from 1 to 1,000,000,000,000.')).toBeVisible();
      const maximum = rowOf(dialog, 2).getByRole('textbox', { name: 'Maximum' });
      await expect(maximum).toBeFocused();
      await maximum.fill('1000000000000');
      await dialog.getByRole('button', { name: 'Create key' }).click();
      await expect(rowOf(dialog, 2).getByText('There is already a limit on requests per day.')).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await rowOf(dialog, 2).getByRole('combobox', { name: 'What to count' }).selectOption('tokens');
      const key = await createKey(page, 'Search indexer');
      await confirmSaved(page);
      await page.getByRole('link', { name: 'Search indexer' }).click();
      await expect(page.getByText('1,000,000,000,000 left')).toBeVisible();
      expect(await percentUsed(page, '4 requests per day')).toBe('0');

      expect(await embed(dashboard.service, key)).toBe(200);
      await page.reload();
      await expect(page.getByText('3 left')).toBeVisible();
      await expect(page.getByText('1 used', { exact: true })).toBeVisible();
      expect(await percentUsed(page, '4 requests per day')).toBe('25');
      await expect(page.getByText(/^Resets in/).first()).toBeVisible();
    }),
  );

  it(
    'should be changed and removed, and show an error of the service at its row',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await signInNewMember(dashboard, visitor);
      const { id } = await createApiKey(dashboard.service, member, 'Search indexer');
      await setLimits(dashboard.service, { keyId: id }, [
        { metric: 'requests', per: 'minute', max: 60 },
        { metric: 'requests', per: 'day', max: 1000 },
      ]);
      await page.goto('/dashboard/keys');
      await chooseAction(page, 'Search indexer', 'Limits and restrictions');
      const dialog = page.getByRole('dialog', { name: 'Limits and restrictions for Search indexer' });
      const save = dialog.getByRole('button', { name: 'Save' });
      await rowOf(dialog, 2).getByRole('textbox', { name: 'Maximum' }).fill('2000');

      await page.route('**/api-keys/*', (route) =>
        route.continue({ postData: (route.request().postData() ?? '').replace('2000', '0') }),
      );
      await save.click();
      await expect(rowOf(dialog, 2).getByText('must be an integer between 1 and 1000000000000')).toBeVisible();
      await page.unroute('**/api-keys/*');

      await dialog.getByRole('button', { name: 'Remove limit 1' }).click();
      await expect(rowOf(dialog, 2)).toBeHidden();
      await save.click();
      await page.getByRole('link', { name: 'Search indexer' }).click();
      await expect(barOf(page, '2,000 requests per day')).toBeVisible();
      expect(await page.getByRole('progressbar').count()).toBe(1);

      await page.getByRole('button', { name: 'Limits and restrictions' }).click();
      await dialog.getByRole('button', { name: 'Remove limit 1' }).click();
      await save.click();
      await page.getByRole('progressbar').waitFor({ state: 'detached' });
      const { body } = await call(dashboard.service.url, `GET /api-keys/${id}`, { token: member.token });
      expect(body).toMatchObject({ limits: [] });
    }),
  );

  it(
    'should be labeled in the editor, which warns of a new budget that is already used up',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await signInNewMember(dashboard, visitor);
      const { id, key } = await createApiKey(dashboard.service, member, 'Search indexer');
      expect(await embed(dashboard.service, key)).toBe(200);
      await page.goto(`/dashboard/keys/${id}`);
      await page.getByRole('button', { name: 'Limits and restrictions' }).click();
      const dialog = page.getByRole('dialog');
      await addLimit(dialog, 1, { max: 1, metric: 'tokens', per: 'day' });
      const warning = dialog.getByText(/^\d+ already used, so requests are rejected until it resets\.$/);
      await expect(warning).toBeVisible();
      await dialog.getByRole('button', { name: 'Options of limit 1' }).click();
      await expect(dialog.getByText('Increase by', { exact: true })).toBeVisible();
      await expect(dialog.getByText('Until', { exact: true })).toBeVisible();
      const effect = 'adds an event to the audit log and sends limit.threshold_reached to webhooks, once per period.';
      await expect(dialog.getByText(`Reaching one ${effect}`)).toBeVisible();
      await dialog.getByLabel('Increase by').fill('1000');
      await dialog.getByLabel('Until').fill('2999-01-01T00:00');
      await expect(warning).toBeHidden();
      const increase = dialog.getByText(/^1,001 tokens per day until 1 Jan 2999.*, then 1\b/i);
      await expect(increase).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Options of limit 1' }).click();
      await expect(increase).toBeVisible();
      await dialog.getByRole('textbox', { name: 'Maximum' }).fill('7');
      await expect(dialog.getByText(/^1,007 tokens per day until .*, then 7$/)).toBeVisible();
    }),
  );

  it(
    'should be named with a temporary increase that applies, until when, and what applies afterwards',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await signInNewMember(dashboard, visitor);
      const { id } = await createApiKey(dashboard.service, member, 'Search indexer');
      const increase = { by: 500, until: '2999-01-01T00:00:00Z' };
      await setLimits(dashboard.service, { keyId: id }, [{ metric: 'tokens', per: 'day', max: 1000, increase }]);
      await page.goto(`/dashboard/keys/${id}`);
      const bar = page.getByRole('group', { name: /^1,500 tokens per day until .* 2999, .*, then 1,000$/ });
      await expect(bar.getByText('1,500 left')).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }),
  );

  it(
    'should fit a narrow window and be legible in light and dark mode',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await signInNewMember(dashboard, visitor);
      const { id, key } = await createApiKey(dashboard.service, member, 'Search indexer');
      await setLimits(dashboard.service, { keyId: id }, [
        { metric: 'requests', per: 'minute', max: 1 },
        { metric: 'tokens', per: 'month', max: 1e12 },
        { metric: 'requests', per: 'week', max: 1000, notifyAt: [80, 100] },
      ]);
      expect(await embed(dashboard.service, key)).toBe(200);
      await page.goto(`/dashboard/keys/${id}`);
      expect(await barOf(page, '1 request per minute').getByText('alerts').count()).toBe(0);
      await expect(barOf(page, '1,000,000,000,000 tokens per month').getByText('No alerts')).toBeVisible();
      await expect(barOf(page, '1,000 requests per week').getByText('Alerts at 80%, 100%')).toBeVisible();
      await expect(barOf(page, '1 request per minute').getByText('Refills continuously')).toBeVisible();
      await expect(page.getByText(/^Fully available again/)).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      expect(await measureOverflow(page)).toBe(0);

      await page.getByRole('button', { name: 'Limits and restrictions' }).click();
      const dialog = page.getByRole('dialog');
      await expect(rowOf(dialog, 2)).toBeVisible();
      expect(await page.evaluate<number>(dialogOverflow)).toBe(0);
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }, narrowWindow),
  );
});

describe('Limits of an organization', () => {
  it(
    'should be shown with what all keys used, and be editable',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await createMember(dashboard.service);
      const { key } = await createApiKey(dashboard.service, member);
      await visitor.visit(member, '/dashboard/organization');
      const dialog = page.getByRole('dialog', { name: 'Organization limits' });
      await page.getByRole('button', { name: 'Edit limits' }).click();
      await addLimit(dialog, 1, { max: 5, metric: 'requests', per: 'month' });
      await dialog.getByRole('button', { name: 'Save' }).click();
      await expect(barOf(page, '5 requests per month')).toBeVisible();
      expect(await embed(dashboard.service, key)).toBe(200);
      await page.reload();
      await expect(page.getByText('4 left')).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);

      await page.getByRole('button', { name: 'Edit limits' }).click();
      await rowOf(dialog, 1).getByRole('textbox', { name: 'Maximum' }).fill('1');
      await expect(dialog.getByText('1 already used, so requests are rejected until it resets.')).toBeVisible();
      await dialog.getByRole('button', { name: 'Remove limit 1' }).click();
      await dialog.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByText('No limits. You can also limit individual keys.')).toBeVisible();
    }),
  );

  it(
    'should name the time zone in which its periods begin, unless that is UTC',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await createMember(dashboard.service);
      await setLimits(dashboard.service, member, [{ metric: 'requests', per: 'month', max: 1 }]);
      await dashboard.service.query('update limit_counters set level = 1 where owner_id = $1', [member.organizationId]);
      await visitor.visit(member, '/dashboard/organization');
      const calendar = page.getByText('Months begin at midnight in Asia/Tokyo.');
      await expect(barOf(page, '1 request per month')).toBeVisible();
      expect(await calendar.count()).toBe(0);
      const body = { timeZone: 'Asia/Tokyo' };
      await call(dashboard.service.url, 'PATCH /organizations/current', { token: member.token, body });
      await page.reload();
      await expect(calendar).toBeVisible();
      await page.goto('/dashboard');
      await expect(calendar).toBeVisible();
      await expect(page.getByText('until it resets at midnight in Asia/Tokyo or is raised.')).toBeVisible();
    }),
  );

  it(
    'should be read-only without permission',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await createMember(dashboard.service, { permissions: ['get-api-keys'] });
      await setLimits(dashboard.service, member, [{ metric: 'pages', per: 'day', max: 100 }]);
      await visitor.visit(member, '/dashboard/organization');
      await expect(barOf(page, '100 pages per day')).toBeVisible();
      expect(await page.getByRole('button', { name: 'Edit limits' }).count()).toBe(0);
    }),
  );
});

describe('A request rejected by a limit', () => {
  it(
    'should be explained in the playground, and counted on the usage page',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await createMember(dashboard.service);
      const { id, key } = await createApiKey(dashboard.service, member, 'Search indexer');
      await setLimits(dashboard.service, { keyId: id }, [{ metric: 'requests', per: 'hour', max: 2 }]);
      await visitor.visit(member, '/dashboard/playground');
      await page.getByRole('textbox', { name: 'API key' }).fill(key);
      await page.getByRole('button', { name: 'Use this key' }).click();
      expect(await embed(dashboard.service, key)).toBe(200);
      const compare = page.getByRole('button', { name: 'Compare' });
      const alert = page.getByRole('alert');
      await compare.click();
      await page.getByRole('table', { name: 'Text similarity' }).waitFor();
      await compare.click();
      await expect(
        alert.getByText(
          /^This key's limit of 2 requests per hour is exhausted: 2 requests charged and 0 requests reserved\.$/,
        ),
      ).toBeVisible();
      await expect(alert.getByText('Try again in about 30 minutes.')).toBeVisible();

      await setLimits(dashboard.service, { keyId: id }, [{ metric: 'tokens', per: 'day', max: 1 }]);
      await compare.click();
      await expect(alert.getByText("Retrying won't help.")).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);

      await setLimits(dashboard.service, { keyId: id }, [{ metric: 'requests', per: 'day', max: 1 }]);
      expect(await embed(dashboard.service, key)).toBe(200);
      await page.getByRole('tab', { name: 'OCR' }).click();
      await page.getByRole('button', { name: 'Try an example' }).click();
      await expect(alert.getByText('Budget exceeded')).toBeVisible();
      expect(await page.getByRole('heading', { name: 'Page 1' }).count()).toBe(0);

      await page.goto('/dashboard/usage?groupBy=apiKey');
      await expect(page.getByRole('columnheader', { name: 'Rejected by a limit' })).toBeVisible();
      expect(await readTotal(page, 'Rejected by a limit')).toMatch(/^Rejected by a limit\s+3\s/);
      await page.goto('/dashboard/usage?model=universal-sentence-encoder-lite');
      await expect(
        page.getByRole('group', { name: 'Rejected by a limit' }).getByText('Mostly not recorded by model'),
      ).toBeVisible();
      await page.goto(`/dashboard/keys/${id}`);
      await expect(page.getByText('0 failed (0.0%), plus 3 rejected by a limit')).toBeVisible();
    }),
  );

  it(
    'should be explained for a budget that does not refill before it resets',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await createMember(dashboard.service);
      const { id, key } = await createApiKey(dashboard.service, member);
      await setLimits(dashboard.service, { keyId: id }, [{ metric: 'requests', per: 'month', max: 1 }]);
      expect(await embed(dashboard.service, key)).toBe(200);
      await visitor.visit(member, '/dashboard/playground');
      await page.getByRole('textbox', { name: 'API key' }).fill(key);
      await page.getByRole('button', { name: 'Use this key' }).click();
      await page.getByRole('button', { name: 'Compare' }).click();
      await expect(page.getByRole('alert').getByText("Budgets don't refill before they reset.")).toBeVisible();
    }),
  );
});
