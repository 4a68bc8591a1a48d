import { createApiKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { startUpstream, type Upstream } from '../setup/upstream.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { chatEnd, chatModel, chunk, nextStream } from './setup/chat.js';
import { Dashboard } from './setup/dashboard.js';
import { exportCsv, openTable, readTotal, showMeasure } from './setup/usage.js';

const dashboard = new Dashboard();
let upstream: Upstream;

beforeAll(async () => {
  upstream = await startUpstream();
  await dashboard.start({ config: { models: [chatModel(upstream, { id: 'gpt-mini' })] } });
});
afterAll(async () => {
  await dashboard.stop();
  await upstream.stop();
});

/** Sends a request, and returns the text of its stream, which the upstream ends after these events. */
async function stream(key: string, ...events: (object | string)[]): Promise<string> {
  const next = nextStream(upstream);
  const response = fetch(`${dashboard.service.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-mini', messages: [{ role: 'user', content: 'Hi' }], stream: true }),
  });
  const { send, end } = await next;
  send(...events);
  end();
  return (await response).text();
}

describe('The usage of a generation model', () => {
  it(
    'should have charts and a CSV file of all tokens and the time to the first, and the streams that failed',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const member = await createMember(dashboard.service);
      const { id, key } = await createApiKey(dashboard.service, member);
      expect(await stream(key, chunk('Hello', 'stop'), ...chatEnd)).toContain('[DONE]');
      expect(await stream(key, chunk('Hello'), { error: { message: 'Overloaded.' } })).toContain('Overloaded.');
      await visitor.visit(member, '/dashboard/usage');
      await expect(page.getByRole('radio', { name: 'Reasoning tokens' })).toBeVisible();
      expect(await readTotal(page, 'Cached input tokens')).toMatch(/\s1,000\s+Part of input tokens\s/);
      expect(await readTotal(page, 'Reasoning tokens')).toMatch(/\s10\s+Part of output tokens\s/);
      expect(await readTotal(page, 'Time to first token')).toMatch(/\s[\d,]+\sms\s+Mean of streamed responses\s/);
      expect(await readTotal(page, 'Failed requests')).toMatch(/\s50\.0%\s/);
      await showMeasure(page, 'Cached input tokens');
      expect((await openTable(page, 'Cached input tokens'))[1]).toEqual(['Whole range', '1,000']);
      const { rows } = await exportCsv(page);
      const sum = (column: string) => rows.reduce((total, row) => total + Number(row[column]), 0);
      expect([sum('Cached input tokens'), sum('Reasoning tokens'), sum('Failed requests')]).toEqual([1000, 10, 1]);
      expect(sum('Time to first token (ms)')).toBeGreaterThan(0);
      const failures = page.getByRole('region', { name: 'Failed and rejected requests by cause' });
      await expect(failures.getByText('Upstream failed')).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.goto(`/dashboard/keys/${id}`);
      await expect(page.getByRole('img', { name: '2 requests, 1 failed (50.0%)' })).toBeVisible();
      await expect(page.getByText(/POST \/v1\/chat\/completions/).first()).toBeVisible();
    }),
  );
});
