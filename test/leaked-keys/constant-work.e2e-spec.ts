import pg from 'pg';
import { generateApiKey } from '../../src/api-keys/api-key.token.js';
import { createApiKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { useTestApp } from '../setup/use-test-app.js';
import { createMemberOn, place, report } from './reports.js';

type Query = string | { text: string };
let queries: jest.SpyInstance<unknown, [Query]>;
// Before the app starts, because its connections keep the function.
beforeAll(() => {
  queries = jest.spyOn(pg.Client.prototype as unknown as { query: (query: Query) => unknown }, 'query');
});
const service = useTestApp();

/** Tasks that read audit events, or take keys that have expired, may run at the same time. */
const isOfReport = (text: string) =>
  /api_keys|leak_reports|rate_limits|insert into audit_events/i.test(text) && !/skip locked/i.test(text);

/** The statements of a report and of their transactions, without those of background tasks. */
async function statementsOf(...tokens: string[]): Promise<string[]> {
  queries.mockClear();
  await report(service, ...tokens.map((token) => ({ token, ...place })));
  const found: string[] = [];
  const transactions = new Map<unknown, string[]>();
  for (const [index, [query]] of queries.mock.calls.entries()) {
    const text = typeof query === 'string' ? query : query.text;
    const client: unknown = queries.mock.contexts[index];
    const transaction = transactions.get(client);
    if (text === 'START TRANSACTION') transactions.set(client, [text]);
    // Without a start, it began before the report.
    else if (text === 'COMMIT') transactions.delete(client);
    else if (!isOfReport(text)) continue;
    else if (transaction === undefined) found.push(text);
    else found.push(...transaction.splice(0), text);
    if (text === 'COMMIT' && transaction?.length === 0) found.push(text);
  }
  return found;
}

const isEvent = (text: string) => text.includes('insert into audit_events');

describe('The work for a report', () => {
  it.each(['notify', 'disable'])(
    'should be the same for a key as for none, but for a new event (%s)',
    async (onLeak) => {
      const { key } = await createApiKey(service, await createMemberOn(service, onLeak));
      await report(service, { token: generateApiKey() });
      const withoutKey = await statementsOf(generateApiKey());
      const [first, repeated] = [await statementsOf(key), await statementsOf(key)];
      expect(withoutKey.length).toBeGreaterThan(5);
      expect(repeated).toEqual(withoutKey);
      expect(first.filter((text) => !isEvent(text))).toEqual(withoutKey);
      expect(first.filter(isEvent)).toHaveLength(1);
    },
  );

  it('should be as many statements for many tokens as for one', async () => {
    const member = await createMember(service);
    const { key } = await createApiKey(service, member);
    await report(service, { token: key, ...place });
    const one = await statementsOf(generateApiKey());
    const many = await statementsOf(key, ...Array.from({ length: 500 }, generateApiKey));
    expect(many).toEqual(one);
  });
});
