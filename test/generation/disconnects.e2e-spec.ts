import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { beginEvents, chatEvents, generate, generationModel, readChunks } from '../setup/generation.js';
import { useGateway } from '../setup/gateway.js';
import { readAmounts } from '../setup/recorded-amounts.js';
import { startUpstream, type Upstream } from '../setup/upstream.js';
import { waitFor } from '../setup/wait-for.js';

const { text, usage, done } = chatEvents;

describe('A request for generated text whose client disconnects', () => {
  let upstream: Upstream;
  const gateway = useGateway(async () => {
    upstream = await startUpstream();
    const models = ['streamed', 'unstarted', 'whole'].map((id) => generationModel([upstream], { id }));
    const drained = ['drained', 'drained-whole', 'drained-broken'].map((id) =>
      generationModel([{ ...upstream, onDisconnect: 'drain' }], { id }),
    );
    return [...models, ...drained];
  });
  afterAll(() => upstream.stop());

  async function begin(body: object) {
    let source: ServerResponse | undefined;
    upstream.respond = (response) => (source = response);
    const client = new AbortController();
    const responding = generate(gateway, 'chat/completions', body, { signal: client.signal });
    await waitFor(() => source !== undefined);
    if (source === undefined) throw new Error('The upstream got no request.');
    const closed = once(source, 'close');
    const disconnect = async () => {
      client.abort();
      await responding.catch(() => undefined);
    };
    return { source, responding, closed, disconnect };
  }

  const recordedRequest = async (model: string) => {
    await waitFor(async () => (await readAmounts(gateway, model)).requests === 1);
    return readAmounts(gateway, model);
  };

  it('should be canceled in a stream, and charged for its input and what has arrived', async () => {
    const body = { model: 'streamed', messages: [], stream: true };
    const { source, responding, closed, disconnect } = await begin(body);
    beginEvents(source, text('remote-small', 'a'.repeat(30)));
    await readChunks(await responding).next();
    await disconnect();
    await closed;
    const recorded = await recordedRequest('streamed');
    expect(recorded).toMatchObject({ failures: 1, estimatedRequests: 1, outputTokens: 30 + 64 });
    expect(recorded.inputTokens).toBeGreaterThanOrEqual(JSON.stringify(body).length);
  });

  it('should be canceled before the first event', async () => {
    const { closed, disconnect } = await begin({ model: 'unstarted', messages: [], stream: true });
    await disconnect();
    await closed;
    expect(await recordedRequest('unstarted')).toMatchObject({ failures: 1, estimatedRequests: 1, outputTokens: 64 });
  });

  it('should be canceled while it waits for a whole response, and charged the most that it can have used', async () => {
    const { closed, disconnect } = await begin({ model: 'whole', messages: [], max_tokens: 300 });
    await disconnect();
    await closed;
    expect(await recordedRequest('whole')).toMatchObject({ failures: 1, estimatedRequests: 1, outputTokens: 300 });
  });

  it('should be charged exactly if its target says that the stream is read to its end', async () => {
    const { source, responding, closed, disconnect } = await begin({ model: 'drained', messages: [], stream: true });
    beginEvents(source, text('remote-small', 'a'));
    await readChunks(await responding).next();
    await disconnect();
    source.write(text('remote-small', 'b'));
    expect(await readAmounts(gateway, 'drained')).toEqual({ requests: 0, failures: 0 });
    source.end(usage('remote-small', 9, 2) + done);
    await closed;
    expect(await recordedRequest('drained')).toEqual({ requests: 1, failures: 1, inputTokens: 9, outputTokens: 2 });
  });

  it('should be charged exactly if its target says that the whole response is awaited', async () => {
    const { source, disconnect } = await begin({ model: 'drained-whole', messages: [] });
    await disconnect();
    source.writeHead(200, { 'content-type': 'application/json' });
    source.write('{"model":"remote-small","usage":{"prompt_tokens":7,');
    source.end('"completion_tokens":3}}');
    const recorded = await recordedRequest('drained-whole');
    expect(recorded).toMatchObject({ inputTokens: 7, outputTokens: 3 });
    expect(recorded.estimatedRequests).toBeUndefined();
  });

  it('should be charged for what has arrived if nothing more comes for it', async () => {
    const { source, responding, disconnect } = await begin({ model: 'drained-broken', messages: [], stream: true });
    beginEvents(source, text('remote-small', 'abc'));
    await readChunks(await responding).next();
    await disconnect();
    source.destroy();
    expect(await recordedRequest('drained-broken')).toMatchObject({ estimatedRequests: 1, outputTokens: 3 + 64 });
  });
});
