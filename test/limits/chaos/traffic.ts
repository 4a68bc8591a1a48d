import fc from 'fast-check';
import { generationBody, type SeenResponse, sendGeneration } from '../../setup/generation-request.js';
import { type Dialect, dialects } from '../../setup/generation-upstream/request.js';
import { type Script, scripted } from '../../setup/generation-upstream/script.js';
import { maxOutputTokens, type ModelId } from './models.js';

/** A request, and where its client leaves. */
export interface ChaosRequest {
  readonly key: number;
  readonly replica: number;
  readonly model: ModelId;
  readonly dialect: Dialect;
  readonly isStream: boolean;
  readonly script: Script;
  readonly cap: number | undefined;
  readonly choices: number;
  /** The byte of the response at which the client leaves. */
  readonly leaveAt: number | undefined;
}

const someByte = fc.oneof(fc.constant(0), fc.nat({ max: 500 }), fc.nat({ max: 20_000 }));
const someModel = fc.oneof(
  { weight: 10, arbitrary: fc.constantFrom<ModelId>('mini', 'large') },
  { weight: 2, arbitrary: fc.constantFrom<ModelId>('failing') },
  { weight: 1, arbitrary: fc.constantFrom<ModelId>('stuck') },
);

const someRequest = (keyCount: number, delays: readonly number[]): fc.Arbitrary<ChaosRequest> =>
  fc.record({
    key: fc.nat({ max: keyCount - 1 }),
    replica: fc.nat({ max: 2 }),
    model: someModel,
    dialect: fc.constantFrom(...dialects),
    isStream: fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
    script: fc.record({
      tokens: fc.oneof(fc.nat({ max: 30 }), fc.nat({ max: maxOutputTokens })),
      reasoning: fc.nat({ max: 10 }),
      cachedInput: fc.nat({ max: 5 }),
      cacheWrite: fc.nat({ max: 5 }),
      usage: fc.constantFrom('asked' as const, 'asked' as const, 'always' as const, 'never' as const),
      delayMilliseconds: fc.constantFrom(...delays),
    }),
    cap: fc.option(fc.integer({ min: 1, max: maxOutputTokens }), { nil: undefined }),
    choices: fc.constantFrom(1, 1, 1, 2, 3),
    leaveAt: fc.option(someByte, { nil: undefined, freq: 2 }),
  });

/**
 * Returns this many random requests.
 *
 * @param delays between tokens, in milliseconds
 */
export function sampleRequests(count: number, keyCount: number, delays: readonly number[]): ChaosRequest[] {
  return fc.sample(someRequest(keyCount, delays), count);
}

const capFields: Record<Dialect, string> = {
  'chat/completions': 'max_completion_tokens',
  completions: 'max_tokens',
  responses: 'max_output_tokens',
  messages: 'max_tokens',
};

/** Sends a request. The label is in its bill. */
export function sendChaos(request: ChaosRequest, url: string, key: string, label: string): Promise<SeenResponse> {
  const { dialect, model, isStream, script, cap, choices, leaveAt } = request;
  const hasChoices = dialect === 'chat/completions' || dialect === 'completions';
  const body: Record<string, unknown> = {
    ...generationBody(dialect, model, scripted({ ...script, label })),
    ...(isStream && { stream: true }),
    ...(hasChoices && choices > 1 && { n: choices }),
  };
  delete body.max_tokens;
  if (cap !== undefined) body[capFields[dialect]] = cap;
  return sendGeneration({ url, dialect, key, body, leaveAt });
}
