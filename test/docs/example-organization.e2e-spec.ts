import { createExampleOrganization, type ExampleOrganization } from '../../scripts/screenshots/example-organization.js';
import { exampleModels } from '../../scripts/screenshots/example-models.js';
import type { ApiKeyDetailsDto } from '../../src/api-keys/dto/api-key-details.dto.js';
import type { ApiKeyListDto } from '../../src/api-keys/dto/api-key-list.dto.js';
import { toInteger } from '../../src/common/money/decimal.js';
import { costDecimals } from '../../src/common/rules/price-rules.js';
import type { UsageReportDto, UsageTotalsDto } from '../../src/usage/dto/usage-report.dto.js';
import type { FailedRequestListDto, FailureReportDto } from '../../src/usage/failures/failure.dto.js';
import type { KeyRequestDto, KeyRequestListDto } from '../../src/usage/requests/key-request.dto.js';
import { openSession } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { useTestApp } from '../setup/use-test-app.js';

const service = useTestApp({ config: { models: exampleModels } });
const hourMilliseconds = 3_600_000;
const dayMilliseconds = 24 * hourMilliseconds;
let example: ExampleOrganization;
let token: string;
/** With their details. */
let keys: ApiKeyDetailsDto[];

beforeAll(async () => {
  example = await createExampleOrganization(service);
  ({ token } = await openSession(service, example));
  const { apiKeys } = await get<ApiKeyListDto>('/api-keys?perPage=100');
  keys = await Promise.all(apiKeys.map(({ id }) => get<ApiKeyDetailsDto>(`/api-keys/${id}`)));
});

async function get<Body>(path: string): Promise<Body> {
  const { status, body, text } = await call(service.url, `GET ${path}`, { token });
  if (status !== 200) throw new Error(text);
  return body as Body;
}

const daysBefore = (days: number) => new Date(Date.now() - days * dayMilliseconds).toISOString();
const hourOf = (time: string) =>
  new Date(Math.floor(Date.parse(time) / hourMilliseconds) * hourMilliseconds).toISOString();

async function latestRequestsOf(keyId: string): Promise<KeyRequestDto[]> {
  const requests: KeyRequestDto[] = [];
  for (let page = 1; ; page += 1) {
    const list = await get<KeyRequestListDto>(`/api-keys/${keyId}/requests?perPage=100&page=${page}`);
    requests.push(...list.requests);
    if (requests.length >= list.total) return requests;
  }
}

/** The usage of each hour that has some, by its start. */
async function hoursOf(keyId: string): Promise<Map<string, UsageTotalsDto>> {
  const { groups } = await get<UsageReportDto>(`/usage?apiKeyId=${keyId}&interval=hour&from=${daysBefore(30)}`);
  const points = groups.flatMap((group) => group.points ?? []).filter(({ requests }) => requests > 0);
  return new Map(points.map((point) => [point.start, point]));
}

const failuresOf = ({ requests }: { requests: KeyRequestDto[] }) =>
  requests.filter(({ outcome }) => outcome === 'failure');

const sumOf = <Item>(items: readonly Item[], amountOf: (item: Item) => number) =>
  items.reduce((sum, item) => sum + amountOf(item), 0);

const costOf = (cost: string | null) => Number(toInteger(cost ?? '0', costDecimals));

describe('The example organization of the screenshots', () => {
  it('should have as many failures by cause as its usage, for each key and in total, on each day', async () => {
    let total = 0;
    for (const filter of [...keys.map(({ id }) => `apiKeyId=${id}&`), '']) {
      for (const [from, to] of [
        [60, 35],
        [35, 7],
        [7, 6],
        [6, 5],
        [5, 4],
        [4, 3],
        [3, 2],
        [2, 1],
        [1, 0],
      ] as const) {
        const today = daysBefore(0).slice(0, 10);
        const dayStart = (days: number) => new Date(Date.parse(today) - (days - 1) * dayMilliseconds).toISOString();
        const period = `${filter}from=${dayStart(from)}&to=${dayStart(to)}`;
        const { groups } = await get<UsageReportDto>(`/usage?${period}&interval=none`);
        const { failures } = await get<FailureReportDto>(`/usage/failures?${period}`);
        const counted = sumOf(failures, ({ requests }) => requests);
        expect([period, counted]).toEqual([period, sumOf(groups, ({ totals }) => totals.failures)]);
        total += counted;
      }
    }
    expect(total).toBeGreaterThan(0);
  });

  it('should have latest requests that add up to the usage of each hour', async () => {
    let compared = 0;
    for (const { id, name } of keys) {
      const [requests, hours] = [await latestRequestsOf(id), await hoursOf(id)];
      expect(requests.filter(({ occurredAt }) => !hours.has(hourOf(occurredAt)))).toEqual([]);
      expect(requests.length > 0).toBe(hours.size > 0);
      const successes = requests.filter(({ outcome }) => outcome === 'success');
      // Earlier requests of the first hour are no longer logged.
      const firstHour = hourOf(successes.at(-1)?.occurredAt ?? '9999-01-01T00:00:00Z');
      for (const [start, usage] of hours) {
        if (start <= firstHour) continue;
        const logged = requests.filter(({ occurredAt }) => hourOf(occurredAt) === start);
        expect({
          ...{ name, start, requests: logged.length, failures: failuresOf({ requests: logged }).length },
          inputTokens: sumOf(logged, ({ inputTokens }) => inputTokens),
          pages: sumOf(logged, ({ pages }) => pages),
          cost: sumOf(logged, ({ cost }) => costOf(cost)),
        }).toEqual({
          ...{ name, start, requests: usage.requests, failures: usage.failures },
          ...{ inputTokens: usage.inputTokens, pages: usage.pages, cost: costOf(usage.cost) },
        });
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(0);
  });

  it('should have latest requests to the models that its keys used, none from before a key or after its last use', async () => {
    for (const { id, createdAt, lastUsedAt, lastUsedAddress } of keys) {
      const requests = await latestRequestsOf(id);
      const { groups } = await get<UsageReportDto>(
        `/usage?apiKeyId=${id}&groupBy=model&interval=none&from=${daysBefore(60)}`,
      );
      expect([...new Set(requests.map(({ model }) => model))]).toEqual(groups.map(({ model }) => model));
      const [latest] = requests;
      expect(latest?.occurredAt).toBe(lastUsedAt);
      expect(latest?.address).toBe(lastUsedAddress);
      expect(requests.filter(({ occurredAt }) => occurredAt < createdAt)).toEqual([]);
    }
  });

  it('should list the latest failures of a key like its latest requests', async () => {
    for (const { id } of keys) {
      const { failures } = await get<FailedRequestListDto>(`/api-keys/${id}/failures`);
      const logged = failuresOf({ requests: await latestRequestsOf(id) }).slice(0, failures.length);
      const shown = ({ requestId, occurredAt, status }: KeyRequestDto | FailedRequestListDto['failures'][number]) => ({
        ...{ requestId, occurredAt, status },
      });
      expect(failures.map(shown)).toEqual(logged.map(shown));
    }
  });

  it('should have used of its budget what the key cost this month, without having reached a threshold', async () => {
    const { id, limits } = keys.find((key) => key.id === example.apiKeyId) ?? {};
    const budget = limits?.find(({ metric }) => metric === 'cost');
    const monthStart = `${new Date().toISOString().slice(0, 7)}-01T00:00:00Z`;
    const { groups } = await get<UsageReportDto>(`/usage?apiKeyId=${id}&interval=none&from=${monthStart}`);
    expect(budget?.used).toBe(groups[0]?.totals.cost ?? '0');
    expect(Number(budget?.used)).toBeLessThan(0.8 * Number(budget?.max));
  });
});
