import { useGateway } from '../setup/gateway.js';
import {
  respondWithEmbeddings,
  respondWithJson,
  nowhere,
  startUpstream,
  type Upstream,
  upstreamModel,
} from '../setup/upstream.js';
import { waitFor } from '../setup/wait-for.js';

const megabyte = 1024 * 1024;
/** A weight with which a target is practically always tried first. */
const first = 1e9;

describe('A model with several upstreams', () => {
  let one: Upstream;
  let two: Upstream;

  const gateway = useGateway(async () => {
    one = await startUpstream();
    two = await startUpstream();
    const both = [{ ...one, weight: first }, two];
    return [
      ...['rate-limited', 'unavailable', 'failing', 'rejecting', 'breaking', 'late'].map((id) =>
        upstreamModel(both, { id }),
      ),
      upstreamModel(
        [
          { baseUrl: nowhere, weight: first },
          { ...two, model: 'remote-two' },
        ],
        { id: 'half-gone' },
      ),
      upstreamModel([{ ...one, weight: 3 }, two], { id: 'weighted' }),
      upstreamModel([{ ...one, weight: first }], { id: 'circuit' }),
      upstreamModel(both, { id: 'circuit-of-two' }),
    ];
  });
  afterAll(async () => {
    await one.stop();
    await two.stop();
  });
  beforeEach(() => {
    for (const upstream of [one, two]) {
      upstream.requests.length = 0;
      upstream.respond = respondWithEmbeddings();
    }
  });

  const counts = () => [one.requests.length, two.requests.length];
  const rejectWith =
    (status: number, headers = {}): Upstream['respond'] =>
    (response) =>
      respondWithJson(response, status, '{}', headers);

  it('should be distributed by weight', async () => {
    for (let count = 0; count < 200; count++) await gateway.embed({ model: 'weighted', input: 'a' });
    const [ofOne = 0, ofTwo = 0] = counts();
    expect(ofOne + ofTwo).toBe(200);
    // 3 : 1. The chance of exceeding these bounds is one in a hundred million.
    expect(ofTwo).toBeGreaterThan(15);
    expect(ofTwo).toBeLessThan(90);
  });

  it.each([
    ['rate-limited', 429, {}],
    ['unavailable', 503, { 'retry-after': '1' }],
  ])('should retry on another target if one is %s', async (model, status, headers) => {
    one.respond = rejectWith(status, headers);
    expect((await gateway.embed({ model, input: 'a' })).status).toBe(200);
    expect(counts()).toEqual([1, 1]);
    expect(two.requests[0]?.body).toEqual(one.requests[0]?.body);
    expect(gateway.logLines.join('')).toContain(`responded ${status}. Trying another target`);
  });

  it('should try each target once and forward the last rejection', async () => {
    one.respond = rejectWith(429);
    two.respond = rejectWith(429, { 'retry-after': '3' });
    const response = await gateway.embed({ model: 'rate-limited', input: 'a' });
    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toBe('3');
    expect(counts()).toEqual([1, 1]);
  });

  it.each([
    ['failing', 502, rejectWith(500)],
    ['failing', 503, rejectWith(503)],
    ['rejecting', 400, rejectWith(400)],
    ['breaking', 502, ((response) => response.socket?.destroy()) satisfies Upstream['respond']],
  ])('should not retry if a target is %s (%i), which may have done the work', async (model, status, respond) => {
    one.respond = respond;
    expect((await gateway.embed({ model, input: 'a' })).status).toBe(status);
    expect(counts()).toEqual([1, 0]);
  });

  it('should not retry once a part of a response was forwarded', async () => {
    one.respond = (response) => {
      response.writeHead(200).write(`{"data":"${'x'.repeat(megabyte)}`, () => response.socket?.destroy());
    };
    await expect(gateway.embed({ model: 'breaking', input: 'a' })).rejects.toThrow('terminated');
    expect(counts()).toEqual([1, 0]);
  });

  it('should retry on another target, with its model name, if one cannot be reached', async () => {
    const large = 'x'.repeat(2 * megabyte);
    for (const input of ['a', large]) {
      expect((await gateway.embed({ model: 'half-gone', input })).status).toBe(200);
      expect(String(two.requests.at(-1)?.body)).toBe(JSON.stringify({ model: 'remote-two', input }));
    }
  });

  it('should forward the rejection of a large body that was partly streamed', async () => {
    one.respond = rejectWith(429, { 'retry-after': '2' });
    const response = await gateway.embed({ model: 'rate-limited', input: 'x'.repeat(3 * megabyte) });
    expect(response.status).toBe(429);
    expect(counts()).toEqual([1, 0]);
  });

  it('should skip a target after five consecutive failures until a probe succeeds', async () => {
    one.respond = rejectWith(500);
    const embed = () => gateway.embed({ model: 'circuit', input: 'a' });
    for (let count = 0; count < 5; count++) expect((await embed()).status).toBe(502);
    const rejected = await embed();
    expect(rejected.status).toBe(503);
    expect(rejected.headers.get('retry-after')).toBe('1');
    expect(rejected.body).toMatchObject({ error: { type: 'server_error', code: 'upstream_unavailable' } });
    expect(counts()).toEqual([5, 0]);
    one.respond = respondWithEmbeddings();
    await waitFor(async () => (await embed()).status === 200);
    expect((await embed()).status).toBe(200);
    expect(counts()).toEqual([7, 0]);
  });

  it('should use the other target while one circuit is open', async () => {
    one.respond = rejectWith(500);
    const embed = () => gateway.embed({ model: 'circuit-of-two', input: 'a' });
    for (let count = 0; count < 5; count++) await embed();
    expect((await embed()).status).toBe(200);
    expect(counts()).toEqual([5, 1]);
  });
});
