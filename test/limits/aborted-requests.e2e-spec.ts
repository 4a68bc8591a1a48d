import { defaultModels } from '../../src/ai-gateway/models/default-models.js';
import { OpenConnections } from '../../src/common/http/open-connections.js';
import { ReservationsService } from '../../src/limits/reservations.service.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { readCounters, setLimits } from '../factories/limits.js';
import { createMember, type Member } from '../factories/organizations.js';
import { startUpstream, type Upstream, upstreamModel } from '../setup/upstream.js';
import { useTestApp } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';
import { abortRequests } from './abort-request.js';

const count = 2000;
const max = 1_000_000;

let upstream: Upstream;
let member: Member;
let key: CreatedKey;

const service = useTestApp(async () => {
  upstream = await startUpstream();
  const scans = upstreamModel([upstream], { id: 'scans', task: 'ocr' });
  return { config: { models: [...defaultModels(), upstreamModel([upstream]), scans] } };
});
beforeAll(async () => {
  member = await createMember(service);
  key = await createApiKey(service, member);
  for (const owner of [{ keyId: key.id }, { organizationId: member.organizationId }]) {
    await setLimits(service, owner, [
      { metric: 'requests', per: 'day', max },
      { metric: 'tokens', per: 'day', max },
      { metric: 'pages', per: 'month', max },
    ]);
  }
});
afterAll(() => upstream.stop());

const reservedBy = async (id: string) =>
  Object.values(await readCounters(service, id)).reduce((sum, [, reserved]) => sum + reserved, 0);

describe('2,000 requests that are aborted at random points', () => {
  it('should leave nothing reserved and nothing tracked', async () => {
    await abortRequests(service.url, key.key, { count, atOnce: 40 });
    const { running } = service.app.get(ReservationsService);
    const connections = OpenConnections.of(service.app.getHttpServer());
    await waitFor(() => connections.count === 0 && running.count === 0);
    await waitFor(async () => (await reservedBy(key.id)) + (await reservedBy(member.organizationId)) === 0);
    expect(running.count).toBe(0);
    const [requests = 0] = (await readCounters(service, key.id))['requests/day'] ?? [];
    expect(requests).toBeGreaterThan(count / 10);
    expect(requests).toBeLessThanOrEqual(2 * count);
  });
});
