const maxMessageLength = 1000;
const maxParamLength = 100;

/** The error message of an upstream. */
export interface UpstreamMessage {
  readonly message: string | undefined;
  /** The parameter at fault, if the upstream names one. */
  readonly param: string | undefined;
  /** Such as `invalid_request_error`. */
  readonly type: string | undefined;
  /** Such as `context_length_exceeded`. */
  readonly code: string | undefined;
}

/**
 * Reads an error in any of the shapes in use: OpenAI's envelope, a bare `error` or `message`, FastAPI's `detail`.
 *
 * @param secret redacted if the upstream repeats it
 */
export function readUpstreamMessage(body: Buffer, secret: string | undefined): UpstreamMessage {
  const response = asRecord(parse(body));
  const error = asRecord(response.error);
  const { message } = response;
  const messages = [error.message, response.error, message, asRecord(message).detail, response.detail].map(describe);
  const short = (value: unknown) => clean(typeof value === 'string' ? value : undefined, secret, maxParamLength);
  return {
    message: clean(
      messages.find((text) => text !== undefined),
      secret,
      maxMessageLength,
    ),
    param: short(error.param),
    type: short(error.type),
    code: short(error.code),
  };
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** A string, or the first problems of a list such as `[{ "loc": ["body", "input"], "msg": "Field required" }]`. */
function describe(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value;
  if (!Array.isArray(value)) return undefined;
  const problems = value.slice(0, 5).map((item: unknown) => {
    const { loc, msg } = asRecord(item);
    if (typeof msg !== 'string') return undefined;
    const place = Array.isArray(loc) ? loc.filter((part) => part !== 'body').join('.') : '';
    return place === '' ? msg : `${place}: ${msg}`;
  });
  return problems.filter((problem) => problem !== undefined).join('; ') || undefined;
}

function clean(text: string | undefined, secret: string | undefined, maxLength: number): string | undefined {
  if (text === undefined) return undefined;
  const safe = secret === undefined ? text : text.replaceAll(secret, '[redacted]');
  const line = safe.replaceAll(/\p{Cc}+/gu, ' ').trim();
  return line.length <= maxLength ? line : `${line.slice(0, maxLength)}…`;
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
