import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { useReplicas } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';

const [service, replica] = useReplicas();
const model = 'universal-sentence-encoder-lite';
let member: Member;
let key: CreatedKey;

beforeEach(async () => {
  member = await createMember(service);
  key = await createApiKey(service, member);
});

const embed = ({ url } = service) =>
  call(url, 'POST /v1/embeddings', { token: key.key, body: { model, input: 'one two three' } });
/** On another replica than the one that serves most requests. */
const setLimits = async (limits: object[]) => {
  const response = await call(replica.url, `PATCH /api-keys/${key.id}`, { token: member.token, body: { limits } });
  expect(response.status).toBe(200);
};
const tokensPer = (per: string, max: number) => ({ metric: 'tokens', per, max });
/** So often that the service remembers the limits. */
const embedOften = async () => {
  const responses = await Promise.all(Array.from({ length: 40 }, () => embed()));
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
};

describe('A busy key with a budget', () => {
  beforeEach(async () => {
    await setLimits([tokensPer('day', 1_000_000)]);
    await embedOften();
  });

  it('should be rejected by the next request if another replica has lowered it', async () => {
    await setLimits([tokensPer('day', 1)]);
    expect((await embed()).status).toBe(429);
  });

  it('should be rejected by the next request if another replica has added a limit', async () => {
    await setLimits([tokensPer('day', 1_000_000), { metric: 'requests', per: 'hour', max: 1 }]);
    expect([(await embed()).status, (await embed()).status]).toEqual([200, 429]);
  });

  it('should see the end of an increase', async () => {
    const until = new Date(Date.now() + 60_000).toISOString();
    await setLimits([{ ...tokensPer('day', 1), increase: { by: 1_000_000, until } }]);
    await embedOften();
    await service.query(
      `update api_keys set limits = jsonb_set(limits, '{0,increase,until}', to_jsonb(now() - interval '1 second')) where id = $1`,
      [key.id],
    );
    expect((await embed()).status).toBe(429);
  });

  it('should show what is left, apart from what is reserved for the next requests', async () => {
    let sent = 40;
    await waitFor(async () => {
      sent += 1;
      const { headers } = await embed();
      return headers.get('x-ratelimit-remaining-tokens') === String(1_000_000 - 3 * sent);
    });
  });

  it('should be rejected by the next request once another replica has deleted it', async () => {
    const response = await call(replica.url, `DELETE /api-keys/${key.id}`, { token: member.token });
    expect(response.status).toBe(200);
    expect((await embed()).status).toBe(401);
  });
});
