/** The response headers that several routes send, as the OpenAPI document describes them. */
export const headerComponents = {
  RequestId: {
    description:
      'Identifies this request in the log: what you sent in the same header if it was harmless, else a new UUID.',
    schema: { type: 'string', minLength: 1, maxLength: 128, pattern: '^[\\w.:-]+$' },
    example: '0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f',
  },
  RetryAfter: {
    description: 'How many seconds to wait before trying again.',
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
  Challenge: {
    description: 'Which credential is asked for (RFC 6750); with `error="invalid_token"` when one was sent.',
    schema: { type: 'string', pattern: '^Bearer realm="keycard"(, error="invalid_token")?$' },
    example: 'Bearer realm="keycard", error="invalid_token"',
  },
};

const refer = (component: keyof typeof headerComponents) => ({ $ref: `#/components/headers/${component}` });

export const requestIdHeader = { 'x-request-id': refer('RequestId') };
export const retryAfterHeader = { 'Retry-After': refer('RetryAfter') };
export const challengeHeader = { 'WWW-Authenticate': refer('Challenge') };
