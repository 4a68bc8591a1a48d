import { type MeterName, meters } from '../../src/common/rules/meters.js';
import type { UsageReportDto, UsageTotalsDto } from '../../src/usage/dto/usage-report.dto.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { recordUsage, recordUsageAt, type SomeFact } from '../factories/usage.js';
import { type CallResponse, call } from '../setup/call.js';
import type { TestApp } from '../setup/test-app.js';

/** Two days whose usage tests record. */
export const january = 'from=2026-01-30T00:00:00Z&to=2026-02-01T00:00:00Z';

export const nothing: UsageTotalsDto = {
  ...(Object.fromEntries(meters.map(({ name }) => [name, 0])) as Record<MeterName, number>),
  requests: 0,
  failures: 0,
  limited: 0,
  medianMilliseconds: null,
  p95Milliseconds: null,
  p99Milliseconds: null,
  firstTokenMilliseconds: null,
  cost: null,
  unpricedRequests: 0,
};

export const reportOf = (response: CallResponse) => response.body as UsageReportDto;
export const requestsOf = (points: { requests: number }[] = []) => points.map(({ requests }) => requests);

/** The usage of an organization with a member and a key. */
export class KeyUsage {
  private constructor(
    private readonly service: TestApp,
    readonly member: Member,
    readonly key: CreatedKey,
  ) {}

  static async create(service: TestApp): Promise<KeyUsage> {
    const member = await createMember(service);
    return new KeyUsage(service, member, await createApiKey(service, member, 'Search indexer'));
  }

  /** Sends a request to `/usage`, followed by this path or query. */
  get(rest = '', token = this.member.token): Promise<CallResponse> {
    return call(this.service.url, `GET /usage${rest}`, { token });
  }

  async report(query = ''): Promise<UsageReportDto> {
    return reportOf(await this.get(query && `?${query}`));
  }

  /** Returns a request with the key, for `record` and `recordAt`. */
  fact(fields: Partial<SomeFact> = {}): SomeFact {
    return { organizationId: this.member.organizationId, apiKeyId: this.key.id, ...fields };
  }

  facts(count: number, fields: Partial<SomeFact> = {}): SomeFact[] {
    return Array.from({ length: count }, () => this.fact(fields));
  }

  record(facts: SomeFact[]): Promise<void> {
    return recordUsage(this.service, facts);
  }

  recordAt(instant: string, facts: SomeFact[]): Promise<void> {
    return recordUsageAt(this.service, instant, facts);
  }
}
