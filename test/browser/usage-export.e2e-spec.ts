import { meters } from '../../src/common/rules/meters.js';
import { createApiKey } from '../factories/api-keys.js';
import { pricedModels } from '../factories/models.js';
import { createMember, type Member } from '../factories/organizations.js';
import { recordUsageAt } from '../factories/usage.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';
import { measureOverflow, narrowWindow } from './setup/narrow-window.js';
import { exportCsv, openTable, readTotal } from './setup/usage.js';

const dashboard = openDashboard({
  config: { models: pricedModels({ perMillionTokens: { input: '2' } }), currency: 'EUR' },
});
const model = 'universal-sentence-encoder-lite';

let member: Member;

beforeEach(async () => {
  member = await createMember(dashboard.service);
});

/** An amount of millionths, as the API writes it. */
const decimalOf = (millionths: number) => (millionths / 1e6).toFixed(6).replace(/0+$/, '');

/** Records requests of new keys with as many tokens as named. */
async function record(instant: string, tokensOfKeys: number[]): Promise<void> {
  const { organizationId } = member;
  const keys = await Promise.all(
    tokensOfKeys.map((tokens) => createApiKey(dashboard.service, member, `Key of ${tokens}`)),
  );
  const facts = keys.map(({ id: apiKeyId }, index) => ({
    organizationId,
    apiKeyId,
    model,
    inputTokens: tokensOfKeys[index] ?? 0,
  }));
  await recordUsageAt(dashboard.service, instant, facts);
}

describe('The chart of costs', () => {
  it(
    'should be shown first, with a table, and a CSV file with every decimal',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await record('2026-01-30T10:00:00Z', [617_283_945, 62]);
      await visitor.visit(member, '/dashboard/usage?from=2026-01-29&to=2026-02-02');
      expect((await openTable(page, 'Cost')).slice(0, 2)).toEqual([
        ['Day', 'Cost'],
        ['Whole range', '€1,234.57'],
      ]);
      const { name, text, rows } = await exportCsv(page);
      expect(name).toBe('usage-by-model-2026-01-29-2026-02-02.csv');
      expect(text).toMatch(/^\ufeff"Day",/);
      expect(rows[1]).toMatchObject({ Day: '2026-01-30', Model: model, 'Cost (EUR)': '1234.568014' });
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }),
  );
});

describe('The export of the usage page', () => {
  it(
    'should have all keys, also those that the charts combine, with all meters and exact costs',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const tokens = Array.from({ length: 12 }, (_, index) => index + 1);
      await record('2026-01-30T10:00:00Z', tokens);
      await visitor.visit(member, '/dashboard/usage?from=2026-01-30&to=2026-01-31&groupBy=apiKey');
      const { name, rows } = await exportCsv(page);
      expect(name).toBe('usage-by-key-2026-01-30-2026-01-31.csv');
      expect(rows).toHaveLength(2 * tokens.length);
      const used = rows.filter(({ Day }) => Day === '2026-01-30');
      expect(used.map((row) => [row.Key, row['Input tokens'], row['Cost (EUR)']]).sort()).toEqual(
        tokens.map((count) => [`Key of ${count}`, String(count), decimalOf(2 * count)]).sort(),
      );
      for (const { title } of meters) expect(rows[0]).toHaveProperty([title]);
    }),
  );
});

describe('The export without a split', () => {
  it(
    'should have what the table of models shows, whose times days do not add up to',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { organizationId } = member;
      const { id: apiKeyId } = await createApiKey(dashboard.service, member);
      const fact = (milliseconds: number) => ({ organizationId, apiKeyId, model, milliseconds, inputTokens: 4 });
      await recordUsageAt(dashboard.service, '2026-01-30T10:00:00Z', [fact(10), fact(10), fact(400)]);
      await recordUsageAt(dashboard.service, '2026-01-31T10:00:00Z', [fact(1000)]);
      await visitor.visit(member, '/dashboard/usage?from=2026-01-28&to=2026-01-31&measure=latency');
      const table = page.getByRole('table', { name: 'By model', exact: true });
      const row = table.getByRole('row').filter({ hasText: model });
      await expect(row).toBeVisible();
      const [, ...times] = (await row.getByRole('cell').allInnerTexts()).slice(0, 4);
      const { rows } = await exportCsv(page);
      const twoDigits = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 });
      const timesOf = (prefix: string, line = rows[0]) =>
        ['median', 'p95', 'p99'].map((name) => twoDigits.format(Number(line?.[`${prefix}Latency, ${name} (ms)`])));
      expect(times.map((text) => text.replace(/\s*ms$/, ''))).toEqual(timesOf('Whole range: '));
      expect(timesOf('', rows[2])).not.toEqual(timesOf('Whole range: '));
      const sumOf = (name: string) => rows.reduce((sum, line) => sum + Number(line[name]), 0);
      expect([sumOf('Requests'), sumOf('Input tokens'), sumOf('Cost (EUR)')]).toEqual([4, 16, expect.closeTo(32e-6)]);
    }),
  );
});

describe('The export with filters', () => {
  it(
    'should have exactly what is filtered',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await record('2026-01-30T10:00:00Z', [1, 2, 3]);
      const keys = await dashboard.service.query<{ id: string }>(
        'select id from api_keys where organization_id = $1 and name in ($2, $3)',
        [member.organizationId, 'Key of 1', 'Key of 3'],
      );
      const filter = encodeURIComponent(JSON.stringify(keys.map(({ id }) => id)));
      const path = `/dashboard/usage?from=2026-01-30&to=2026-01-30&groupBy=apiKey&apiKeyId=${filter}`;
      await visitor.visit(member, path);
      const { rows } = await exportCsv(page);
      expect(new Set(rows.map(({ Key }) => Key))).toEqual(new Set(['Key of 1', 'Key of 3']));
    }),
  );
});

describe('Calendar months on the usage page', () => {
  it(
    'should be selectable, compared with the month before, and kept in the URL',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await record('2025-11-30T10:00:00Z', [1]);
      await record('2025-12-31T10:00:00Z', [1]);
      await record('2026-01-01T10:00:00Z', [1, 2, 3]);
      await visitor.visit(member, '/dashboard/usage');
      await page.getByText('Month', { exact: true }).click();
      await page.waitForURL(/month=\d{4}-\d\d/);
      expect(await page.getByRole('combobox', { name: 'Month' }).inputValue()).toMatch(/^\d{4}-\d\d$/);
      await page.goto('/dashboard/usage?month=2026-01');
      await expect(page.getByText('+200.0% vs. December', { exact: true }).first()).toBeVisible();
      expect(await readTotal(page, 'Requests')).toMatch(/^Requests\s+3\s/);
      await page.getByText('Custom', { exact: true }).click();
      await page.waitForURL(/from=2026-01-01&to=2026-01-31/);
    }),
  );

  it(
    'should fit a narrow window',
    dashboard.test(async (visitor) => {
      await record('2026-01-01T10:00:00Z', [1]);
      await visitor.visit(member, '/dashboard/usage?month=2026-01');
      expect(await measureOverflow(visitor.page)).toBe(0);
    }, narrowWindow),
  );
});
