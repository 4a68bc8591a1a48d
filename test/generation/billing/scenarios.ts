import fc from 'fast-check';
import { generationBody } from '../../setup/generation-request.js';
import { type Dialect, dialects } from '../../setup/generation-upstream/request.js';
import { type Script, scripted } from '../../setup/generation-upstream/script.js';

/** What happens to a request. */
export const fates = ['complete', 'left', 'drained', 'cut', 'silent', 'failing', 'erroneous'] as const;
export type Fate = (typeof fates)[number];

export interface Scenario {
  model: string;
  fate: Fate;
  dialect: Dialect;
  isStream: boolean;
  script: Script;
  /** Further fields of the request. */
  fields: object;
  /** The byte of the response at which the client leaves. */
  leaveAt: number | undefined;
}

const someTokens = fc.oneof(fc.nat({ max: 20 }), fc.nat({ max: 400 }));
/** Mostly in the first events; some are never reached. */
const someByte = fc.oneof(fc.constant(0), fc.nat({ max: 800 }), fc.nat({ max: 20_000 }));

const someScript: fc.Arbitrary<Script> = fc.record(
  {
    tokens: someTokens,
    reasoning: fc.nat({ max: 10 }),
    cachedInput: fc.nat({ max: 5 }),
    cacheWrite: fc.nat({ max: 5 }),
    delayMilliseconds: fc.constantFrom(0, 0, 1, 3),
    usage: fc.constantFrom('asked', 'asked', 'asked', 'always', 'never', 'lastChoice'),
    growsInput: fc.boolean(),
    reportsOutputOnly: fc.boolean(),
    reportsInterim: fc.boolean(),
    toolArguments: fc.constant(JSON.stringify({ note: 'A long "quoted" text. '.repeat(20) })),
    isAzure: fc.boolean(),
    pings: fc.boolean(),
    crlf: fc.boolean(),
    inOneWrite: fc.boolean(),
    splitBytes: fc.option(fc.integer({ min: 7, max: 300 }), { nil: undefined }),
  },
  { requiredKeys: ['tokens', 'usage'] },
);

const someFields = fc.record(
  {
    n: fc.integer({ min: 1, max: 3 }),
    stream_options: fc.constantFrom({ include_usage: true }, { include_usage: false }, { include_obfuscation: false }),
    best_of: fc.integer({ min: 3, max: 10 }),
    cap: fc.constantFrom(16, 50, 300),
    hasTool: fc.boolean(),
  },
  { requiredKeys: [] },
);

const anError = { message: 'The server had an error', type: 'server_error' };
const someStop = fc.record({ at: someByte, by: fc.constantFrom('cut' as const, 'end' as const) });

/** What each fate adds to a script, and where the client leaves. */
const fateDetails: Record<Fate, fc.Arbitrary<{ script?: Partial<Script>; leaveAt?: number }>> = {
  complete: fc.record({ script: fc.record({ hidesReasoning: fc.boolean() }) }),
  left: fc.record({ leaveAt: someByte }),
  drained: fc.record({ leaveAt: someByte }),
  cut: fc.record({ script: fc.record({ stop: someStop }) }),
  silent: fc.record({
    script: fc.oneof(
      fc.constant({ isSilent: true }),
      fc.record({ stop: fc.record({ at: someByte, by: fc.constant('silence' as const) }) }),
    ),
  }),
  failing: fc.record({
    script: fc.record({
      fail: fc.record({ status: fc.constantFrom(400, 404, 422, 429, 500, 503), message: fc.constant(anError.message) }),
    }),
  }),
  erroneous: fc.record({
    script: fc.oneof(
      fc.record({ errorEvent: fc.nat({ max: 12 }).map((at) => ({ at, ...anError })) }),
      fc.record({ brokenEvent: fc.nat({ max: 12 }).map((at) => ({ at, data: '{"broken":' })) }),
    ),
  }),
};

/**
 * Fates whose response may end at the upstream where Keycard can't read it. Then input that server tools have added can't be
 * known; see "What is counted" in docs/generation.md.
 */
const unreadEnds: readonly Fate[] = ['left', 'erroneous'];

/** Enough that few circuits open, although requests fail. */
const modelsPerFate = 20;

/** Returns the models for requests of a fate. */
export function modelsOf(fate: Fate): string[] {
  return Array.from({ length: modelsPerFate }, (_, index) => `${fate}-${index}`);
}

/** Returns this many requests, with all fates, dialects and forms in turn. */
export function sampleScenarios(count: number): Scenario[] {
  const combinations = fates.flatMap((fate) =>
    dialects.flatMap((dialect) => [true, false].map((isStream) => ({ fate, dialect, isStream }))),
  );
  return combinations.flatMap((combination) => {
    const { fate, dialect } = combination;
    const details = fc.tuple(someScript, someFields, fateDetails[fate]);
    const samples = fc.sample(details, { numRuns: Math.ceil(count / combinations.length) });
    return samples.map(([script, fields, { script: extra, leaveAt }], index) => ({
      ...combination,
      model: modelsOf(fate)[index % modelsPerFate] ?? fate,
      script: {
        ...atRealisticPace(script, fields, leaveAt),
        ...(unreadEnds.includes(fate) && { growsInput: false }),
        ...extra,
      },
      fields: fieldsOf(dialect, combination.isStream, fields),
      leaveAt,
    }));
  });
}

/** What a model can generate while a cancellation travels. */
const tokensInFlight = 60;

/** Models write faster than any real one only if their client stays. */
function atRealisticPace(script: Script, { hasTool = false }: Fields, leaveAt: number | undefined): Script {
  const { tokens = 0, reasoning = 0, delayMilliseconds = 0 } = script;
  if (leaveAt === undefined || (!hasTool && tokens + reasoning <= tokensInFlight)) return script;
  return { ...script, inOneWrite: false, delayMilliseconds: Math.max(1, delayMilliseconds) };
}

/** Returns a request's body. The label is in its bill. */
export function bodyOf({ dialect, model, isStream, script, fields }: Scenario, label: string): object {
  const prompt = scripted({ ...script, label });
  return generationBody(dialect, model, prompt, { ...fields, ...(isStream && { stream: true }) });
}

const capFields: Record<Dialect, string> = {
  'chat/completions': 'max_completion_tokens',
  completions: 'max_tokens',
  responses: 'max_output_tokens',
  messages: 'max_tokens',
};

interface Fields {
  n?: number;
  stream_options?: object;
  best_of?: number;
  cap?: number;
  hasTool?: boolean;
}

/** A tool in each dialect. */
const tools: Record<Dialect, object> = {
  'chat/completions': { tools: [{ type: 'function', function: { name: 'note', parameters: {} } }] },
  completions: {},
  responses: { tools: [{ type: 'function', name: 'note', parameters: {} }] },
  messages: { tools: [{ name: 'note', input_schema: { type: 'object' } }] },
};

/** Leaves out what a dialect doesn't have. */
function fieldsOf(dialect: Dialect, isStream: boolean, fields: Fields): object {
  const { n, stream_options, best_of, cap, hasTool } = fields;
  const hasChoices = dialect === 'chat/completions' || dialect === 'completions';
  return {
    ...(hasChoices && n !== undefined && { n }),
    ...(hasChoices && isStream && stream_options && { stream_options }),
    // Streams can't choose the best.
    ...(dialect === 'completions' && !isStream && best_of !== undefined && { best_of }),
    ...(hasTool && tools[dialect]),
    ...(cap !== undefined && { [capFields[dialect]]: cap }),
  };
}
