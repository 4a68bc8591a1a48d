import { RetentionService } from '../../src/retention/retention.service.js';
import type { UsageReportDto } from '../../src/usage/dto/usage-report.dto.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { recordUsageAt } from '../factories/usage.js';
import { call } from '../setup/call.js';
import type { TestApp } from '../setup/test-app.js';

/** Runs the app's retention task. */
export const runRetention = ({ app }: TestApp) => app.get(RetentionService).run();

export const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

/** The table of packed usage, for `countRows`. */
export const packedUsage = 'usage_by_hour join usage_series on series_id = id';

/** The usage of an organization with two keys, on days that may be old enough to be packed or deleted. */
export class RetainedUsage {
  private constructor(
    private readonly service: TestApp,
    readonly member: Member,
    readonly key: CreatedKey,
    readonly busyKey: CreatedKey,
  ) {}

  static async create(service: TestApp): Promise<RetainedUsage> {
    const member = await createMember(service);
    const key = await createApiKey(service, member, 'Search indexer');
    return new RetainedUsage(service, member, key, await createApiKey(service, member, 'Invoices'));
  }

  /** Returns the body of a successful response. */
  async get(path: string, { token } = this.member): Promise<unknown> {
    const { status, body, text } = await call(this.service.url, `GET ${path}`, { token });
    expect(status).toBe(200);
    return body ?? text;
  }

  /** Returns the points of a report without grouping. */
  async pointsOf(query: string): Promise<{ start: string; requests: number }[]> {
    const { groups } = (await this.get(`/usage?${query}`)) as UsageReportDto;
    return groups[0]?.points ?? [];
  }

  /** Records requests with different models, outcomes and durations at several times of a day. */
  async recordDay(day: string, { organizationId } = this.member, keys = [this.key, this.busyKey]): Promise<void> {
    const facts = keys.flatMap(({ id: apiKeyId }, index) => [
      { organizationId, apiKeyId, milliseconds: 5, inputTokens: 7 },
      ...Array.from({ length: 1 + 2 * index }, () => ({ organizationId, apiKeyId, milliseconds: 80, inputTokens: 3 })),
      { organizationId, apiKeyId, milliseconds: 900, pages: 2, model: 'other', outcome: 'failure' as const },
      { organizationId, apiKeyId, model: '', outcome: 'limited' as const },
    ]);
    for (const time of ['00:00', '07:00', '10:00', '23:59']) {
      await recordUsageAt(this.service, `${day}T${time}:00Z`, facts);
    }
  }

  /** Counts the organization's rows in a table. */
  async countRows(from: string): Promise<number> {
    const [row] = await this.service.query<{ count: number }>(
      `select count(*)::int as count from ${from} where organization_id = $1`,
      [this.member.organizationId],
    );
    return row?.count ?? 0;
  }
}
