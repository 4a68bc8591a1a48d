import type { Limit } from '../../src/limits/limit.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { readCounters, setLimits } from '../factories/limits.js';
import { generationModel, useGenerationGateway } from '../setup/generation-gateway.js';
import { generationBody } from '../setup/generation-request.js';
import { type GenerationUpstream, startGenerationUpstream } from '../setup/generation-upstream/generation-upstream.js';
import { waitFor } from '../setup/wait-for.js';

const hiddenTokens = 1000;
const cheap = { perMillionTokens: { input: '1', output: '1' } };
const expensive = { perMillionTokens: { input: '1', output: '10' } };

let failing: GenerationUpstream;
let silent: GenerationUpstream;
beforeAll(async () => {
  failing = await startGenerationUpstream({ fail: { status: 500, message: 'No.' } });
  silent = await startGenerationUpstream({ isSilent: true });
});
const gateway = useGenerationGateway({
  models: ({ baseUrl }) => {
    const fallbacks = ['expensive'];
    const maxOutputTokens = 1000;
    return [
      generationModel({ baseUrl: failing.baseUrl }, { id: 'failing', price: cheap, fallbacks, maxOutputTokens }),
      generationModel(
        { baseUrl: silent.baseUrl, firstByteSeconds: 1, timeoutSeconds: 20 },
        { id: 'silent', price: cheap, fallbacks, maxOutputTokens },
      ),
      generationModel({ baseUrl: failing.baseUrl }, { id: 'other', price: cheap, fallbacks: ['unpriced'] }),
      generationModel({ baseUrl }, { id: 'expensive', price: expensive, maxOutputTokens }),
      generationModel({ baseUrl }, { id: 'unpriced', maxOutputTokens }),
    ];
  },
});
afterAll(() => Promise.all([failing.stop(), silent.stop()]));

const bodyOf = (model: string) => generationBody('chat/completions', model, 'Write.', { stream: true });
/** What the input costs at most, in billionths; output is apart. */
const inputCost = (model: string) => (Buffer.byteLength(JSON.stringify(bodyOf(model))) + hiddenTokens) * 1000;
const cheapOutput = 1000 * 1000;
const expensiveOutput = 10 * cheapOutput;

async function keyWith(max: number, fields: Partial<Limit> = {}): Promise<CreatedKey> {
  const key = await createApiKey(gateway, gateway.member);
  await setLimits(gateway, { keyId: key.id }, [{ metric: 'cost', per: 'day', max: String(max), ...fields }]);
  return key;
}

async function send({ key }: CreatedKey, model: string): Promise<Response> {
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify(bodyOf(model)),
  });
  // Its end has been recorded.
  await response.text();
  return response;
}

/** What its last request to the fallback has cost, in billionths. */
function fallbackCost(): number {
  const { input = 0, output = 0 } = gateway.upstream.bills.at(-1) ?? {};
  return input * 1000 + output * 10_000;
}
/** What is used and reserved, once attempts that were given up have released what they held. */
async function counters({ id }: CreatedKey): Promise<[number, number][]> {
  const read = async () => Object.values(await readCounters(gateway, id));
  await waitFor(async () => (await read()).every(([, reserved]) => reserved === 0));
  return read();
}
const recordedCost = async ({ id }: CreatedKey) => {
  const rows = await gateway.query<{ cost: string }>('select sum(cost) as cost from usage where api_key_id = $1', [id]);
  return Number(rows[0]?.cost);
};

describe('A fallback of a request with a budget', () => {
  it('should be charged at its own price, and the failed attempt not at all', async () => {
    const key = await keyWith(1e9);
    const response = await send(key, 'failing');
    expect(response.headers.get('x-keycard-model')).toBe('expensive');
    expect(await counters(key)).toEqual([[fallbackCost(), 0]]);
    expect(await recordedCost(key)).toBe(fallbackCost());
  });

  it('should get less output if its price leaves room for less', async () => {
    const first = inputCost('failing') + cheapOutput;
    // What the first attempt holds is released afterwards.
    const key = await keyWith(first + inputCost('failing') + 40 * 10_000);
    const response = await send(key, 'failing');
    expect(response.headers.get('x-keycard-output-limit')).toBe('40');
    expect(gateway.upstream.requests.at(-1)?.json).toMatchObject({ max_completion_tokens: 40 });
    expect(await counters(key)).toEqual([[fallbackCost(), 0]]);
  });

  it('should not be tried if there is no room for it', async () => {
    const before = gateway.upstream.requests.length;
    const key = await keyWith(inputCost('failing') + cheapOutput);
    expect((await send(key, 'failing')).status).toBe(500);
    expect(gateway.upstream.requests).toHaveLength(before);
    expect(await counters(key)).toEqual([[0, 0]]);
  });

  it('should not be tried if it has no price', async () => {
    const before = gateway.upstream.requests.length;
    expect((await send(await keyWith(1e9), 'other')).status).toBe(500);
    expect(gateway.upstream.requests).toHaveLength(before);
  });

  it('should be charged beside an attempt that was given up and may be billed', async () => {
    const key = await keyWith(1e9);
    const response = await send(key, 'silent');
    expect(response.headers.get('x-keycard-model')).toBe('expensive');
    // A stream that has sent nothing is charged its input, and what may be underway.
    const givenUp = inputCost('silent') + 64 * 1000;
    expect(await counters(key)).toEqual([[givenUp + fallbackCost(), 0]]);
    expect(await recordedCost(key)).toBe(givenUp + fallbackCost());
  });

  it('should never make a request exceed its budget after such an attempt', async () => {
    const max = inputCost('silent') + cheapOutput + 1000;
    const key = await keyWith(max);
    expect((await send(key, 'silent')).status).toBe(504);
    const [[charged, reserved] = []] = await counters(key);
    expect([charged, reserved]).toEqual([inputCost('silent') + 64 * 1000, 0]);
  });

  it('should only be held by limits on its own model', async () => {
    const key = await keyWith(inputCost('failing') + expensiveOutput, { models: ['expensive'] });
    expect((await send(key, 'failing')).headers.get('x-keycard-model')).toBe('expensive');
    expect(await counters(key)).toEqual([[fallbackCost(), 0]]);
  });
});
