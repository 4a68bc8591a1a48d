import type { ServerResponse } from 'node:http';
import { beginEvents, chatEvents, generate, generationModel, readChunks } from '../setup/generation.js';
import { useGateway } from '../setup/gateway.js';
import { readAmounts } from '../setup/recorded-amounts.js';
import { blockUsage, isRecorderBlocked } from '../setup/recorded-usage.js';
import { startUpstream, type Upstream } from '../setup/upstream.js';
import { waitFor } from '../setup/wait-for.js';

const { text, usage, done } = chatEvents;

describe('A stream of generated text', () => {
  let upstream: Upstream;
  const gateway = useGateway(async () => {
    upstream = await startUpstream();
    return [generationModel([upstream]), generationModel([upstream], { id: 'cut' })];
  });
  afterAll(() => upstream.stop());
  const stream = { model: 'small', messages: [], stream: true };

  /** Begins a stream whose upstream the test controls. */
  async function begin(body: object = stream, route: Parameters<typeof generate>[1] = 'chat/completions') {
    let source: ServerResponse | undefined;
    upstream.respond = (response) => (source = response);
    const responding = generate(gateway, route, body);
    await waitFor(() => source !== undefined);
    if (source === undefined) throw new Error('The upstream got no request.');
    return { source, responding };
  }

  it('should pass each event when it arrives', async () => {
    const { source, responding } = await begin();
    beginEvents(source, text('remote-small', 'one'));
    const chunks = readChunks(await responding);
    expect(await chunks.next()).toBe(text('small', 'one'));
    source.write(text('remote-small', 'two'));
    expect(await chunks.next()).toBe(text('small', 'two'));
    source.end(usage('remote-small', 9, 2) + done);
    expect(await chunks.rest()).toBe(done);
  });

  it('should be what the upstream sends, byte for byte, except for the name of the model', async () => {
    const azure = 'data: {"choices":[],"created":0,"id":"","model":"","prompt_filter_results":[]}\r\n\r\n';
    const named = text('remote-small', String.raw`\"model\":\"remote-small\" \"usage\"`);
    const comment = ': a comment\n\nid: 7\nretry: 10\n\n';
    const odd = 'data: not JSON\n\n';
    const { source, responding } = await begin({ ...stream, stream_options: { include_usage: true } });
    beginEvents(source, azure, comment, named, odd, usage('remote-small', 9, 2)).end(done);
    const response = await responding;
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(await response.text()).toBe(
      [
        azure.replace('"model":""', '"model":"small"'),
        comment,
        named.replace('"model":"remote-small"', '"model":"small"'),
        odd,
        usage('small', 9, 2),
        done,
      ].join(''),
    );
  });

  it('should end only after its usage was recorded', async () => {
    const before = await readAmounts(gateway, 'small');
    const unblock = await blockUsage(gateway);
    const { source, responding } = await begin();
    beginEvents(source, text('remote-small', 'Hello'), usage('remote-small', 9, 2)).end(done);
    const chunks = readChunks(await responding);
    expect(await chunks.next()).toBe(text('small', 'Hello'));
    const ending = chunks.rest();
    await waitFor(() => isRecorderBlocked(gateway));
    await unblock();
    expect(await ending).toBe(done);
    const after = await readAmounts(gateway, 'small');
    expect(after).toMatchObject({ requests: before.requests + 1, failures: before.failures });
  });

  it.each([
    ['chat/completions', text('remote-small', 'Hi'), /^data: \{"error":\{"message":"[^"]+","type":"server_error"/],
    ['completions', 'data: {"model":"m","choices":[{"text":"Hi"}]}\n\n', /^data: \{"error":/],
    [
      'responses',
      'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","delta":"Hi"}\n\n',
      /^event: error\ndata: \{"type":"error",.*"sequence_number":1,"error":\{/,
    ],
    [
      'messages',
      'event: content_block_delta\ndata: {"type":"content_block_delta","delta":{"text":"Hi"}}\n\n',
      /^event: error\ndata: \{"type":"error","error":\{"type":"api_error"/,
    ],
  ] as const)(
    'should end with an error event if the upstream cuts it off: POST /v1/%s',
    async (route, event, expected) => {
      const { source, responding } = await begin({ ...stream, model: 'cut', max_tokens: 50 }, route);
      beginEvents(source, event, 'data: {"cut');
      const chunks = readChunks(await responding);
      await chunks.next();
      source.destroy();
      const rest = await chunks.rest();
      expect(rest).toMatch(expected);
      expect(rest).not.toContain('[DONE]');
    },
  );

  it('should be charged for what has arrived if the upstream cuts it off', async () => {
    const before = await readAmounts(gateway, 'cut');
    const { source, responding } = await begin({ ...stream, model: 'cut', max_tokens: 500 });
    beginEvents(source, text('remote-small', 'a'.repeat(50)));
    const chunks = readChunks(await responding);
    await chunks.next();
    source.end();
    expect(await chunks.rest()).toContain('"error"');
    const after = await readAmounts(gateway, 'cut');
    expect((after.outputTokens ?? 0) - (before.outputTokens ?? 0)).toBe(50 + 64);
    expect((after.estimatedRequests ?? 0) - (before.estimatedRequests ?? 0)).toBe(1);
    expect(after.failures - before.failures).toBe(1);
  });

  it('should pass an error that the upstream reports, and count as failed', async () => {
    const error = 'data: {"error":{"message":"Overloaded","type":"server_error"}}\n\n';
    const before = await readAmounts(gateway, 'small');
    const { source, responding } = await begin();
    beginEvents(source, text('remote-small', 'a')).end(error);
    expect(await (await responding).text()).toBe(text('small', 'a') + error);
    expect((await readAmounts(gateway, 'small')).failures - before.failures).toBe(1);
  });

  it('should take cumulative totals of Anthropic, where null keeps what was known', async () => {
    const events = [
      'event: message_start\ndata: {"type":"message_start","message":{"model":"remote-small","usage":{"input_tokens":10,"cache_read_input_tokens":5,"output_tokens":1}}}\n\n',
      'event: ping\ndata: {"type":"ping"}\n\n',
      'event: message_delta\ndata: {"type":"message_delta","usage":{"input_tokens":null,"output_tokens":7}}\n\n',
      'event: message_delta\ndata: {"type":"message_delta","usage":{"output_tokens":9}}\n\n',
      'event: message_stop\ndata: {"type":"message_stop"}\n\n',
    ];
    const before = await readAmounts(gateway, 'small');
    const { source, responding } = await begin({ ...stream, max_tokens: 50 }, 'messages');
    beginEvents(source, ...events).end();
    expect(await (await responding).text()).toBe(events.join('').replace('remote-small', 'small'));
    const after = await readAmounts(gateway, 'small');
    expect((after.inputTokens ?? 0) - (before.inputTokens ?? 0)).toBe(15);
    expect((after.cachedInputTokens ?? 0) - (before.cachedInputTokens ?? 0)).toBe(5);
    expect((after.outputTokens ?? 0) - (before.outputTokens ?? 0)).toBe(9);
  });
});
