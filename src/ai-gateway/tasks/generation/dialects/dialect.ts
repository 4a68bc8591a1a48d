import type { AppError } from '../../../../common/errors/app-error.js';
import type { MeterAmounts, MeterName } from '../../../../common/rules/meters.js';
import type { GenerationRoute } from '../../../../common/rules/tasks.js';
import type { MediaTokens, OutputLimitField, UpstreamTarget } from '../../../../config/model-definition.js';
import type { ServerSentEvent } from '../../../upstreams/events/server-sent-event.js';
import { bearer, type UpstreamProtocol } from '../../../upstreams/upstream-protocol.js';

/** What an event of a stream is about. */
export interface EventMeaning {
  /** Set if the event ends the stream. */
  readonly end?: 'complete' | 'failed';
  /** Whether it may name the model. */
  readonly namesModel?: boolean;
  /** Whether it may report usage or an error, so that it must be parsed. */
  readonly reports?: boolean;
  /** The key of generated text, with its quotes. */
  readonly textKey?: Buffer;
}

/** Content whose tokens can't be estimated from its length in bytes. */
export type MediaKind = keyof MediaTokens;

/** How the clients and upstreams of a route for text generation speak. Nothing is translated between dialects. */
export interface Dialect {
  readonly route: GenerationRoute;
  readonly protocol: UpstreamProtocol;
  /** Fields that limit the output of each choice, in tokens. A limit of Keycard's own goes into the first. */
  readonly outputLimitFields: readonly OutputLimitField[];
  /** Field with a number of tokens that the limit on output must exceed. */
  readonly reservedOutputField?: string;
  /** Fields with the number of responses that are generated; the largest counts. */
  readonly choiceFields: readonly string[];
  /** Whether streams report usage only if `stream_options.include_usage` asks for it. */
  readonly asksForUsage: boolean;
  /** Whether upstreams store responses unless `store` is false. */
  readonly storesByDefault: boolean;
  /** Fields about what is stored in the upstream's account, which organizations would share. */
  readonly accountFields: readonly string[];
  /** Paths of images, audio and files in the body: the keys on the way to them, without array positions. */
  readonly media: ReadonlyMap<string, MediaKind>;
  /** Where events name the model. */
  readonly modelPath: string;
  /** Reads an event without parsing it. */
  readonly interpret: (event: ServerSentEvent) => EventMeaning;
  /** The object with the amounts in a parsed event. */
  readonly usageIn: (event: EventData) => unknown;
  /** Whether a parsed event reports an error that ends the stream. */
  readonly isError: (event: EventData) => boolean;
  /** Whether a parsed event has only the usage that wasn't asked for. */
  readonly isUsageOnly: (event: EventData) => boolean;
  /** Whether the amounts in a parsed event are final. */
  readonly isFinal: (event: EventData) => boolean;
  /**
   * The event that reports a broken stream to the client.
   *
   * @param position of the event in the stream
   */
  readonly errorEvent: (error: AppError, context: { position: number; requestId: string }) => string;
}

/** The JSON object in an event. */
export type EventData = Readonly<Record<string, unknown>>;

/** The protocol of a dialect. */
export function generationProtocol(
  path: UpstreamProtocol['path'],
  provider: 'openai' | 'anthropic',
  usageFields: ReadonlyMap<string, MeterName>,
  correct: (usage: MeterAmounts) => void = () => undefined,
): UpstreamProtocol {
  return {
    task: 'generation',
    path,
    provider,
    authenticate,
    usageFields: new Map(Array.from(usageFields, ([field, meter]) => [`usage.${field}`, meter])),
    completeUsage: (usage) => {
      if (usage.inputTokens === undefined || usage.outputTokens === undefined) return false;
      correct(usage);
      return true;
    },
    reportsErrors: true,
  };
}

function authenticate(apiKey: string, { apiKeyHeader = 'authorization' }: UpstreamTarget) {
  return apiKeyHeader === 'authorization' ? bearer(apiKey) : { [apiKeyHeader]: apiKey };
}

/** Returns an object as such, and an empty one for anything else. */
export function asRecord(value: unknown): EventData {
  return typeof value === 'object' && value !== null ? (value as EventData) : {};
}
