import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { GenerationRoute } from '@rules/tasks.js';
import { type GenerationRequest, toBody } from './generation-request.js';
import { createGenerationSamples } from './generation-samples.js';

const origin = 'https://keycard.example.com';
const request: GenerationRequest = {
  model: 'a "model"',
  system: `It's "brief"`,
  messages: [
    { role: 'user', content: 'C:\\new\nline $me `id`' },
    { role: 'assistant', content: 'Yes 🔑' },
    { role: 'user', content: 'More' },
  ],
  temperature: 0.2,
  topP: 1e-7,
};

const samplesOf = (routes: GenerationRoute[], apiKey?: string) =>
  createGenerationSamples({ origin, apiKey, routes, request });
const codeOf = (routes: GenerationRoute[], language: string) =>
  samplesOf(routes).find((sample) => sample.language === language)?.code ?? '';

/** A client that prints what it is called with. */
const recorder = `
const call = (method) => (body) => {
  console.log(JSON.stringify({ method, body }));
  return { [Symbol.asyncIterator]: async function* () {}, on: () => undefined, finalMessage: () => undefined };
};
const spy = (name) => new Proxy(call(name), { get: (_, key) => (key === 'then' ? undefined : spy(name + '.' + key)) });
export default class {
  constructor(options) { console.log(JSON.stringify(options)); return spy('client'); }
}`;

/** Runs a program with a recorder instead of the clients, and returns the options of the client and the request. */
async function runJavaScript(code: string): Promise<unknown[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'keycard-samples-'));
  for (const name of ['openai', '@anthropic-ai/sdk']) {
    const installed = path.join(folder, 'node_modules', name);
    await mkdir(installed, { recursive: true });
    await writeFile(path.join(installed, 'package.json'), '{"type":"module","exports":"./index.js"}');
    await writeFile(path.join(installed, 'index.js'), recorder);
  }
  await writeFile(path.join(folder, 'program.mjs'), code);
  const env = { KEYCARD_API_KEY: 'the key' };
  const printed = execFileSync(process.execPath, ['program.mjs'], { cwd: folder, encoding: 'utf8', env });
  await rm(folder, { recursive: true });
  return printed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

/** Runs a command in a shell and returns the arguments that curl receives. */
function runShell(command: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`;
  const env = { KEYCARD_API_KEY: 'the key' };
  return execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8', env }).split('\0').slice(0, -1);
}

describe('createGenerationSamples', () => {
  it.each<[GenerationRoute[], string[]]>([
    [['chat/completions'], ['curl', 'OpenAI Python', 'OpenAI JavaScript']],
    [['messages'], ['curl', 'Anthropic Python', 'Anthropic JavaScript']],
    [
      ['messages', 'responses'],
      ['curl', 'OpenAI Python', 'OpenAI JavaScript', 'Anthropic Python', 'Anthropic JavaScript'],
    ],
  ])('should have the clients that fit the routes %j', (routes, languages) => {
    expect(samplesOf(routes).map(({ language }) => language)).toEqual(languages);
  });

  it.each<[GenerationRoute, string]>([
    ['chat/completions', 'client.chat.completions.create'],
    ['completions', 'client.completions.create'],
    ['responses', 'client.responses.create'],
  ])("should send what the playground sends, with OpenAI's client for %s", async (route, method) => {
    const [client, call] = await runJavaScript(codeOf([route], 'OpenAI JavaScript'));
    expect(client).toEqual({ baseURL: `${origin}/v1`, apiKey: 'the key' });
    expect(call).toEqual({ method, body: { ...toBody(route, request), stream: true } });
  });

  it("should send what the playground sends, with Anthropic's client", async () => {
    const [client, call] = await runJavaScript(codeOf(['messages'], 'Anthropic JavaScript'));
    expect(client).toEqual({ baseURL: origin, apiKey: 'the key' });
    expect(call).toEqual({ method: 'client.messages.stream', body: toBody('messages', request) });
  });

  it.each<GenerationRoute>(['chat/completions', 'completions', 'responses', 'messages'])(
    'should send what the playground sends, with curl for %s',
    (route) => {
      const sent = runShell(codeOf([route], 'curl'));
      expect(sent).toContain(`${origin}/v1/${route}`);
      expect(sent).toContain(route === 'messages' ? 'x-api-key: the key' : 'Authorization: Bearer the key');
      expect(JSON.parse(sent.at(-1) ?? '')).toEqual({ ...toBody(route, request), stream: true });
    },
  );

  it('should write the literals of Python', () => {
    const code = codeOf(['chat/completions'], 'OpenAI Python');
    expect(code).toContain(
      [
        'stream = client.chat.completions.create(',
        String.raw`    model="a \"model\"",`,
        '    messages=[',
        String.raw`        {"role": "system", "content": "It's \"brief\""},`,
      ].join('\n'),
    );
    expect(code).toContain('    top_p=1e-7,\n    stream=True,\n)');
  });

  it('should contain the key if it is known', () => {
    for (const { code } of samplesOf(['chat/completions', 'messages'], 'kc_example')) {
      expect(code).toContain('kc_example');
      expect(code).not.toContain('KEYCARD_API_KEY');
    }
  });
});
