const largestMessageLength = 1000;
const largestParamLength = 100;

/** The error message of an upstream. */
export interface UpstreamMessage {
  readonly message: string | undefined;
  /** The parameter at fault, if the upstream names one. */
  readonly param: string | undefined;
}

/**
 * Reads an error in any of the shapes in use: OpenAI's envelope, a bare `error` or `message`, FastAPI's `detail`.
 *
 * @param secret redacted if the upstream repeats it
 */
export function readUpstreamMessage(body: Buffer, secret: string | undefined): UpstreamMessage {
  const answer = asRecord(parse(body));
  const error = asRecord(answer.error);
  const { message } = answer;
  const said = [error.message, answer.error, message, asRecord(message).detail, answer.detail].map(describe);
  const param = typeof error.param === 'string' ? error.param : undefined;
  return {
    message: clean(
      said.find((text) => text !== undefined),
      secret,
      largestMessageLength,
    ),
    param: clean(param, secret, largestParamLength),
  };
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** A text, or the first complaints of a list such as `[{ "loc": ["body", "input"], "msg": "Field required" }]`. */
function describe(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value;
  if (!Array.isArray(value)) return undefined;
  const complaints = value.slice(0, 5).map((item: unknown) => {
    const { loc, msg } = asRecord(item);
    if (typeof msg !== 'string') return undefined;
    const place = Array.isArray(loc) ? loc.filter((part) => part !== 'body').join('.') : '';
    return place === '' ? msg : `${place}: ${msg}`;
  });
  return complaints.filter((complaint) => complaint !== undefined).join('; ') || undefined;
}

function clean(text: string | undefined, secret: string | undefined, largestLength: number): string | undefined {
  if (text === undefined) return undefined;
  const safe = secret === undefined ? text : text.replaceAll(secret, '[removed]');
  const line = safe.replaceAll(/\p{Cc}+/gu, ' ').trim();
  return line.length <= largestLength ? line : `${line.slice(0, largestLength)}…`;
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
