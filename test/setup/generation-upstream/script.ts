/** What the upstream does with one request, beyond what the request asks for. */
export interface Script {
  /** Names the request in its bill. */
  label?: string;
  /** Output tokens of each choice, without reasoning; 8 by default. */
  tokens?: number;
  /** The text of each choice, instead of `tokens` words; each of its words is a token. */
  text?: string;
  /** Reasoning tokens of each choice. */
  reasoning?: number;
  /** Whether reasoning appears only in the usage, as with OpenAI's chat. */
  hidesReasoning?: boolean;
  /** Input tokens, by default a quarter of the text's bytes. */
  input?: number;
  /** Input tokens that were cached; part of `input`. */
  cachedInput?: number;
  /** Input tokens that were written to the cache; part of `input`. */
  cacheWrite?: number;
  /** Arguments of the tool call, in JSON. Requests with tools and without results call the first one. */
  toolArguments?: string;
  /** Time before each event, and for each token of a response that isn't streamed. */
  delayMilliseconds?: number;
  /** Where the body stops: at this byte the connection is lost, ends normally, or falls silent. */
  stop?: { at: number; by: 'cut' | 'end' | 'silence' };
  /** Sends nothing, not even headers. */
  isSilent?: boolean;
  /** Fails before the first byte, for free. */
  fail?: UpstreamError & { status: number; headers?: Record<string, string>; html?: string };
  /** Replaces this event, counted from 0, and everything after it. */
  errorEvent?: UpstreamError & { at: number };
  /** Replaces the data of this event, counted from 0. */
  brokenEvent?: { at: number; data: string };
  /**
   * When usage is reported: in a stream, as asked by the request, always, never, or, like Mistral, in the last chunk with
   * a choice.
   */
  usage?: 'asked' | 'always' | 'never' | 'lastChoice';
  /** Whether server tools add all input but one token, so that Anthropic's `message_start` reports less than its end. */
  growsInput?: boolean;
  /** Whether Anthropic's `message_delta` reports output only, as it did before 2025. */
  reportsOutputOnly?: boolean;
  /** Whether Anthropic's stream has a `message_delta` with the usage so far in its middle. */
  reportsInterim?: boolean;
  /** Whether a stream starts like Azure's, with a chunk without choices. */
  isAzure?: boolean;
  /** Whether pings or comments are sent between events. */
  pings?: boolean;
  /** Whether lines end with CRLF. */
  crlf?: boolean;
  /** Whether the whole stream is written at once. */
  inOneWrite?: boolean;
  /** Writes pieces of this many bytes, regardless of events. */
  splitBytes?: number;
}

export interface UpstreamError {
  message: string;
  type?: string;
  code?: string | null;
  param?: string | null;
}

const opening = '<script>';
const closing = '</script>';

/** Returns a prompt that scripts the request it is part of. */
export function scripted(script: Script, prompt = 'Write a few words.'): string {
  return `${prompt}${opening}${JSON.stringify(script)}${closing}`;
}

/** Returns the script in the text of a request. */
export function findScript(text: string): Script | undefined {
  const start = text.indexOf(opening);
  const end = text.indexOf(closing, start);
  if (start < 0 || end < 0) return undefined;
  return JSON.parse(text.slice(start + opening.length, end)) as Script;
}
