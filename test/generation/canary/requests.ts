import { generationBody } from '../../setup/generation-request.js';
import { type Dialect, dialects } from '../../setup/generation-upstream/request.js';
import { type Script, scripted } from '../../setup/generation-upstream/script.js';

/** A request with the canary in its prompt, and what the upstream makes of it. */
export interface CanaryRequest {
  title: string;
  dialect: Dialect;
  body: object | string;
  leaveAt?: number;
}

const statuses = [400, 401, 403, 404, 408, 413, 422, 429, 500, 503, 529];
const bytes = [0, 1, 120, 300, 600, 900, 1300];

/** What upstreams do, with the canary in everything that they send. */
function scriptsWith(canary: string): Record<string, Script> {
  const error = { message: `Bad ${canary}`, type: canary, code: canary, param: canary };
  const scripts: Record<string, Script> = {
    success: {},
    'reasoning and no usage': { reasoning: 3, usage: 'never' },
    'pings and CRLF': { pings: true, crlf: true, isAzure: true },
    'split bytes': { splitBytes: 5 },
    'one write': { inOneWrite: true },
    silence: { isSilent: true },
    'HTML error': { fail: { status: 502, message: '', html: `<p>${canary}</p>` } },
    'error headers': { fail: { ...error, status: 429, headers: { 'retry-after': canary, 'x-request-id': canary } } },
    'too long': { fail: { ...error, status: 400, code: 'context_length_exceeded' } },
    'wrong usage': {
      brokenEvent: { at: 1, data: `{"usage":{"prompt_tokens":"${canary}","input_tokens":"${canary}"}}` },
    },
  };
  for (const status of statuses) scripts[`status ${status}`] = { fail: { ...error, status } };
  for (const at of [0, 1, 4]) {
    scripts[`error event ${at}`] = { errorEvent: { ...error, at } };
    scripts[`broken event ${at}`] = { brokenEvent: { at, data: `{"${canary}": ` } };
  }
  for (const at of bytes) {
    for (const by of ['cut', 'end', 'silence'] as const) scripts[`${by} at ${at}`] = { stop: { at, by } };
  }
  return scripts;
}

/** Requests that Keycard rejects itself. */
function invalidBodies(dialect: Dialect, canary: string): Record<string, object | string> {
  const valid = generationBody(dialect, 'mini', canary);
  return {
    'broken JSON': JSON.stringify(valid).slice(0, -3),
    'no object': JSON.stringify([canary]),
    'a field twice': JSON.stringify(valid).replace('{', '{"model":"mini",'),
    'an unknown model': { ...valid, model: 'unknown' },
    'no text': { model: 'mini', messages: { [canary]: canary }, input: { [canary]: canary }, prompt: { [canary]: 1 } },
    'wrong stream': { ...valid, stream: canary },
    'wrong limits': {
      ...valid,
      max_tokens: canary,
      max_output_tokens: canary,
      max_completion_tokens: canary,
      n: canary,
    },
    'wrong options': { ...valid, stream: true, stream_options: canary },
    'a stored response': { ...valid, previous_response_id: canary, conversation: canary, store: true },
    'a stored prompt': { ...valid, prompt: { id: canary }, background: true },
  };
}

/** Enough that few circuits open, although most requests fail. */
export const canaryModels = Array.from({ length: 150 }, (_, index) => `mini-${index}`);

/** Returns requests of all dialects and fates. */
export function canaryRequests(canary: string): CanaryRequest[] {
  let used = 0;
  const nextModel = () => canaryModels[used++ % canaryModels.length] ?? 'mini';
  return dialects.flatMap((dialect) => {
    const invalid = Object.entries(invalidBodies(dialect, canary)).map(([title, body]) => ({ title, dialect, body }));
    const forms = [true, false].flatMap((stream) => {
      const form = stream ? 'stream' : 'JSON';
      const fields = { stream, user: canary, metadata: { note: canary } };
      const bodyWith = (script: Script, model = nextModel()) => {
        const prompt = scripted({ text: `The answer is ${canary} `.repeat(3), ...script }, `Repeat ${canary}`);
        return generationBody(dialect, model, prompt, fields);
      };
      const answered = Object.entries(scriptsWith(canary)).map(([name, script]) => {
        return { title: `${form}: ${name}`, dialect, body: bodyWith(script) };
      });
      const left = [0, 1, 250, 700].map((leaveAt) => {
        return { title: `${form}: left at ${leaveAt}`, dialect, body: bodyWith({ delayMilliseconds: 2 }), leaveAt };
      });
      const others = ['unreachable', 'falling-back'].map((model) => {
        return { title: `${form}: ${model}`, dialect, body: bodyWith({}, model) };
      });
      return [...answered, ...left, ...others];
    });
    return [...invalid, ...forms];
  });
}
