import { createMember } from '../factories/organizations.js';
import { createServiceAccount, tokenOf } from '../factories/service-accounts.js';
import { call } from '../setup/call.js';
import { useTestApp } from '../setup/use-test-app.js';

const service = useTestApp({ config: { creationLimitPerUser: 2, creationLimitPerOrganization: 3 } });
const createKey = ({ token }: { token: string }) =>
  call(service.url, 'POST /api-keys', { token, body: { name: 'A key' } });

describe('CREATION_LIMIT_PER_USER and CREATION_LIMIT_PER_ORGANIZATION', () => {
  it('should limit users and their organization, whose error names the limit and when it ends', async () => {
    const member = await createMember(service);
    const colleague = await createMember(service, { organizationId: member.organizationId });
    expect([(await createKey(member)).status, (await createKey(member)).status]).toEqual([201, 201]);
    const perUser = await createKey(member);
    expect(perUser.status).toBe(429);
    expect(perUser.body).toMatchObject({
      detail: expect.stringContaining("This user's limit of 2 creations per 15 minutes is exhausted.") as string,
    });
    expect((await createKey(colleague)).status).toBe(201);
    const perOrganization = await createKey(colleague);
    expect(perOrganization.body).toMatchObject({
      detail: expect.stringContaining(
        "This organization's limit of 3 creations by members per 15 minutes is exhausted.",
      ) as string,
    });
    const [row] = await service.query<{ seconds: number }>(
      `select (max(expire) - extract(epoch from clock_timestamp()) * 1000) / 1000 as seconds from rate_limits
       where key like 'creation by organization:%'`,
    );
    const retryAfterSeconds = Number(perOrganization.headers.get('retry-after'));
    expect(Math.abs(retryAfterSeconds - Number(row?.seconds))).toBeLessThan(2);
  });

  it('should give service accounts ten times as much', async () => {
    const { organizationId } = await createMember(service);
    const account = await createServiceAccount(service, { organizationId });
    const token = await tokenOf(service, account);
    const statuses: number[] = [];
    for (let request = 0; request < 21; request++) statuses.push((await createKey({ token })).status);
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 201), 429]);
  });
});
