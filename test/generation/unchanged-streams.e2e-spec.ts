import fc from 'fast-check';
import { useGenerationGateway } from '../setup/generation-gateway.js';
import { generationBody, sendGeneration } from '../setup/generation-request.js';
import { type Dialect, dialects } from '../setup/generation-upstream/request.js';
import { type Script, scripted } from '../setup/generation-upstream/script.js';

const gateway = useGenerationGateway();

/** The options that clients of OpenAI's older routes send. */
const streamOptions = [
  undefined,
  null,
  {},
  { include_usage: true },
  { include_usage: false },
  { include_obfuscation: false },
  { include_usage: true, include_obfuscation: false },
];

const someScript: fc.Arbitrary<Script> = fc.record(
  {
    tokens: fc.nat({ max: 40 }),
    reasoning: fc.nat({ max: 5 }),
    usage: fc.constantFrom('asked', 'always', 'never', 'lastChoice'),
    reportsInterim: fc.boolean(),
    isAzure: fc.boolean(),
    pings: fc.boolean(),
    crlf: fc.boolean(),
    inOneWrite: fc.boolean(),
    splitBytes: fc.integer({ min: 1, max: 200 }),
    text: fc.string({ unit: 'binary', maxLength: 40 }).map((text) => text.replaceAll('<', '')),
  },
  { requiredKeys: ['tokens', 'usage'] },
);

const usageChunk = /data: [^\r\n]*"choices":\[\],"usage":\{[^\r\n]*\r?\n\r?\n/;

/** Returns what the upstream sends if it's asked for usage, without the chunk that the client didn't ask for. */
async function expectedText(dialect: Dialect, prompt: string, options: object | null | undefined): Promise<string> {
  const hasOptions = dialect === 'chat/completions' || dialect === 'completions';
  const asked = { ...options, include_usage: true };
  const fields = { stream: true, ...(hasOptions && { stream_options: asked }) };
  const url = gateway.upstream.baseUrl.replace(/\/v1$/, '');
  const { text } = await sendGeneration({
    url,
    dialect,
    key: '',
    body: generationBody(dialect, 'mini', prompt, fields),
  });
  // Azure's first chunk names no model.
  const named = text.replace('"model":""', '"model":"mini"');
  const wantsUsage = options !== undefined && options !== null && 'include_usage' in options && options.include_usage;
  return wantsUsage === true ? named : named.replace(usageChunk, '');
}

describe.each(dialects)('A stream of %s', (dialect) => {
  it('should reach the client unchanged, except for the usage that it did not ask for', async () => {
    const someOptions = dialect.endsWith('completions') ? fc.constantFrom(...streamOptions) : fc.constant(undefined);
    const property = fc.asyncProperty(someScript, someOptions, async (script, options) => {
      const prompt = scripted(script);
      const fields = { stream: true, ...(options !== undefined && { stream_options: options }) };
      const body = generationBody(dialect, 'mini', prompt, fields);
      const { text } = await sendGeneration({ url: gateway.url, dialect, key: gateway.apiKey.key, body });
      expect(text).toBe(await expectedText(dialect, prompt, options));
    });
    await fc.assert(property, { numRuns: 60 });
  });
});
