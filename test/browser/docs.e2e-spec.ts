import { readFileSync } from 'node:fs';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { Page } from 'playwright-core';
import { createApiKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { waitFor } from '../setup/wait-for.js';
import { operationsOf } from '../contract/operation-gaps.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';
import { measureOverflow, narrowWindow } from './setup/narrow-window.js';
import { removeRepetition, shortenDocument } from './setup/repetition.js';

const openAll = `document.querySelectorAll('.opblock:not(.is-open) .opblock-summary-control')
  .forEach((control) => control.click())`;
const click = (operationId: string, selector: string) =>
  `document.querySelector('[id$="-${operationId}"] ${selector}').click()`;

const dashboard = openDashboard();

/** The size of the largest contentful paint so far, in pixels. */
const readLargestPaint = (page: Page) =>
  page.evaluate<number>(`new Promise((resolve) => {
    new PerformanceObserver((list) => resolve(list.getEntries().at(-1).size)).observe({
      type: 'largest-contentful-paint',
      buffered: true,
    });
  })`);

const hasFont = `document.fonts.check("1em 'Inter Variable'")`;

async function openAuthorization(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Authorize' }).first().click();
  await page.getByRole('dialog', { name: 'Authorization' }).waitFor();
}

describe('The API docs', () => {
  it(
    'should show their largest content, in its font, before they load the interactive reference',
    dashboard.test(async ({ page }) => {
      const shown = new Promise<[number, boolean]>((resolve, reject) => {
        const look = async () =>
          [await readLargestPaint(page), await page.evaluate<boolean>(hasFont)] as [number, boolean];
        void page.route('**/assets/reference-*.js', (route) => {
          void look()
            .then(resolve, reject)
            .then(() => route.continue());
        });
      });
      await page.goto('/docs');
      const [largest, isInFont] = await shown;
      expect(isInFont).toBe(true);
      await page.getByRole('button', { name: 'Authorize' }).first().waitFor();
      expect(await readLargestPaint(page)).toBe(largest);
    }),
  );

  it(
    'should have no accessibility violations before the interactive reference is loaded, and link to the dashboard',
    dashboard.test(async ({ page }) => {
      await page.route('**/assets/reference-*.js', () => undefined);
      await page.goto('/docs', { waitUntil: 'domcontentloaded' });
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.getByRole('link', { name: 'Dashboard' }).click();
      await page.waitForURL(/\/sign-in/);
    }),
  );

  it(
    'should have no accessibility violations with all operations open, after a request, and in the authorization dialog',
    dashboard.test(async ({ page }) => {
      const document = readFileSync('openapi.json', 'utf8');
      const operations = operationsOf(JSON.parse(document) as OpenAPIObject);
      await shortenDocument(page, document);
      await page.goto('/docs');
      await openAuthorization(page);
      await expect(page.getByRole('dialog').getByRole('textbox').first()).toBeFocused();
      await expect(page.getByRole('dialog').getByRole('heading', { name: 'AccessToken' })).toBeVisible();
      expect(await page.getByRole('dialog').getByText('RefreshCookie').count()).toBe(0);
      await page.getByRole('dialog').getByRole('textbox').first().fill('a token');
      await page.getByRole('dialog').getByRole('button', { name: 'Authorize' }).first().click();
      expect(await findAccessibilityViolations(page, '.dialog-ux')).toEqual([]);
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).first().click();

      for (const operation of ['createApiKey', 'uploadDocument', 'listApiKeys']) {
        await page.evaluate(click(operation, '.opblock-summary-control'));
        await page.locator(`[id$="-${operation}"] .try-out__btn`).waitFor();
        await page.evaluate(click(operation, '.try-out__btn'));
      }
      await page.getByRole('button', { name: 'Execute' }).nth(1).click();
      await page.getByRole('heading', { name: 'Server response' }).first().waitFor();
      await page
        .locator('.opblock-summary-control')
        .nth(operations.length - 1)
        .waitFor();
      await page.evaluate(openAll);
      await page
        .locator('.responses-table:not(.live-responses-table)')
        .nth(operations.length - 1)
        .waitFor();
      await removeRepetition(page);
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }),
    90_000,
  );

  it(
    'should keep the focus of the keyboard in the authorization dialog, on Execute, and with the contents',
    dashboard.test(async ({ page }) => {
      await page.goto('/docs');
      await page.keyboard.press('Tab');
      await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
      await page.keyboard.press('Enter');
      await expect(page.getByRole('main')).toBeFocused();
      await openAuthorization(page);
      await expect(page.getByRole('dialog').getByRole('textbox').first()).toBeFocused();
      for (const key of ['Tab', 'Shift+Tab']) {
        for (let times = 0; times < 20; times += 1) {
          await page.keyboard.press(key);
          await expect(page.locator('.modal-ux:focus-within')).toBeVisible();
        }
      }
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).first().press('Enter');
      const operation = page.locator('#operations-API_keys-listApiKeys');
      await operation.locator('.opblock-summary-control').press('Enter');
      await operation.getByRole('button', { name: 'Try it out' }).press('Enter');
      const execute = operation.getByRole('button', { name: 'Execute' });
      await execute.press('Enter');
      await operation.getByRole('heading', { name: 'Server response' }).waitFor();
      await expect(execute).toBeFocused();
      await page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Roles' }).press('Enter');
      await expect(page.locator('#operations-tag-Roles')).toBeFocused();
    }),
  );

  it(
    'should find operations by the keyboard, and open the one that is chosen',
    dashboard.test(async ({ page }) => {
      await page.goto('/docs');
      await page.getByRole('button', { name: 'Authorize' }).first().waitFor();
      await page.keyboard.press('Control+k');
      const field = page.getByRole('combobox', { name: 'Search the API' });
      await expect(field).toBeFocused();
      await page.keyboard.type('post {id} rotate');
      const option = page.getByRole('option', { name: 'POST /api-keys/{id}/rotate' });
      await expect(option).toBeVisible();
      expect(await findAccessibilityViolations(page, 'header')).toEqual([]);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowUp');
      expect(await option.getAttribute('aria-selected')).toBe('true');
      await page.keyboard.press('Enter');
      await expect(option).toBeHidden();
      const operation = page.locator('#operations-API_keys-rotateApiKey');
      await expect(operation.getByRole('button', { name: 'Try it out' })).toBeVisible();
      await expect(operation.locator('.opblock-summary-control')).toBeFocused();
      expect(new URL(page.url()).hash).toBe('#/API%20keys/rotateApiKey');
    }),
  );

  it(
    'should upload a document with nothing but the file and a key filled in',
    dashboard.test(async ({ page }) => {
      const { key } = await createApiKey(dashboard.service, await createMember(dashboard.service));
      await page.goto('/docs');
      const authorize = page.getByRole('button', { name: 'Authorize' }).first();
      await authorize.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Authorization' });
      const keyField = dialog.locator('#api_key_value');
      await keyField.fill(key);
      await keyField.press('Enter');
      await expect(dialog).toBeFocused();
      await page.keyboard.press('Escape');
      await expect(authorize).toBeFocused();
      const section = page.locator('[id$="-uploadDocument"]');
      await section.locator('.opblock-summary-control').click();
      await section.getByRole('button', { name: 'Try it out' }).click();
      await section.locator('input[type=file]').setInputFiles('docs/examples/scanned-invoice.pdf');
      await section.getByRole('button', { name: 'Execute' }).click();
      await expect(section.locator('.live-responses-table .response-col_status').getByText('200')).toBeVisible();
    }),
  );

  it.each([
    { operation: 'AI/getModel', field: 'model', value: 'meta/llama 3 é', sent: '/v1/models/meta%2Fllama%203%20%C3%A9' },
    { operation: 'API%20keys/listApiKeys', field: 'name', value: 'a&b=ü', sent: 'name=a%26b%3D%C3%BC' },
  ])('should encode the parameters of $operation in the URL', ({ operation, field, value, sent }) =>
    dashboard.test(async ({ page }) => {
      await page.goto(`/docs#/${operation}`);
      const section = page.locator('.opblock.is-open');
      await section.getByRole('button', { name: 'Try it out' }).click();
      await section.getByPlaceholder(field, { exact: true }).fill(value);
      const request = page.waitForRequest(/\/(v1\/models\/|api-keys\?)/);
      await section.getByRole('button', { name: 'Execute' }).click();
      expect((await request).url().split(/(?=\/v1\/)|[?&]/)).toContain(sent);
    })(),
  );

  it(
    'should scroll to the operation in the URL, and fit the window of a phone with it open',
    dashboard.test(async ({ page }) => {
      await page.goto('/docs#/AI/uploadDocument');
      const operation = page.locator('#operations-AI-uploadDocument');
      await waitFor(async () => {
        const { y } = (await operation.boundingBox()) ?? { y: Infinity };
        return y > -1 && y < 100;
      });
      await page.getByText('The text of each page.').waitFor();
      await operation.getByRole('button', { name: 'Try it out' }).tap();
      await operation.getByRole('button', { name: 'Execute' }).waitFor();
      expect(await measureOverflow(page)).toBe(0);
      const { width } = (await operation.locator('.parameters-col_description').first().boundingBox()) ?? { width: 0 };
      expect(width).toBeGreaterThan(narrowWindow.viewport.width / 2);
    }, narrowWindow),
  );

  it.each(['light', 'dark'] as const)('should show which operation has the focus, in %s mode', (colorScheme) =>
    dashboard.test(
      async ({ page }) => {
        await page.goto('/docs');
        const operation = page.locator('#operations-AI-createEmbeddings .opblock-summary-control');
        await operation.waitFor();
        await operation.focus();
        await page.keyboard.press('Shift+Tab');
        await page.keyboard.press('Tab');
        await expect(operation).toBeFocused();
        expect(await page.evaluate('getComputedStyle(document.activeElement).outline')).toMatch(/solid 2px$/);
      },
      { colorScheme },
    )(),
  );

  it(
    'should have the description of a section below its name on a phone',
    dashboard.test(async ({ page }) => {
      await page.goto('/docs');
      const section = page.locator('#operations-tag-Service_accounts');
      const name = (await section.locator('> span').boundingBox()) ?? { y: NaN, height: NaN };
      const description = (await section.locator('small').boundingBox()) ?? { y: NaN, width: NaN };
      expect(description.y).toBeGreaterThanOrEqual(name.y + name.height);
      expect(description.width).toBeGreaterThan(narrowWindow.viewport.width / 2);
      expect(await measureOverflow(page)).toBe(0);
    }, narrowWindow),
  );

  it(
    'should keep credentials until the tab is closed',
    dashboard.test(async ({ page, context }) => {
      const secret = 'kc_EXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEXAM';
      const input = page.getByLabel('auth-bearer-value').or(page.locator('#api_key_value')).first();
      await page.goto('/docs');
      await openAuthorization(page);
      await input.fill(secret);
      await page.getByRole('dialog').getByRole('button', { name: 'Authorize' }).first().click();
      await page.reload();
      await page.locator('.authorize.locked').first().waitFor();
      const another = await context.newPage();
      await another.goto('/docs');
      await another.locator('.authorize.unlocked').first().waitFor();
    }),
  );
});
