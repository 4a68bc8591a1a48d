const exampleId = '01936f5e-7b1c-7cc3-98c4-dc0c0c07398f';

/** Response headers of several routes, as components of the OpenAPI document. */
export const headerComponents = {
  RequestId: {
    description:
      'Identifies this request in the log: the value you sent in the same header if it matches the pattern, otherwise a new UUID.',
    schema: { type: 'string', minLength: 1, maxLength: 128, pattern: '^[\\w.:-]+$' },
    example: '0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f',
  },
  RetryAfter: {
    description: 'Seconds to wait before retrying.',
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
  Challenge: {
    description: 'Required credential (RFC 6750), with `error="invalid_token"` if the request had one.',
    schema: { type: 'string', pattern: '^Bearer realm="keycard"(, error="invalid_token")?$' },
    example: 'Bearer realm="keycard", error="invalid_token"',
  },
  BasicChallenge: {
    description: 'Required credential (RFC 7617).',
    schema: { type: 'string', enum: ['Basic realm="keycard"'] },
    example: 'Basic realm="keycard"',
  },
};

const refer = (component: keyof typeof headerComponents) => ({ $ref: `#/components/headers/${component}` });

export const requestIdHeader = { 'x-request-id': refer('RequestId') };
export const retryAfterHeader = { 'Retry-After': refer('RetryAfter') };
export const challengeHeader = { 'WWW-Authenticate': refer('Challenge') };
export const basicChallengeHeader = { 'WWW-Authenticate': refer('BasicChallenge') };

/**
 * `Location` of a 201.
 *
 * @param resource such as `API key`
 * @param collection path of the collection, such as `/api-keys`
 */
export const locationHeader = (resource: string, collection: string) => ({
  Location: {
    description: `Path of the new ${resource}. Its last segment is the id.`,
    schema: { type: 'string', format: 'uri-reference', pattern: `^${collection}/[0-9a-f-]{36}$` } as const,
    example: `${collection}/${exampleId}`,
  },
});

/** `Cache-Control` of a response with a secret; `@NoStore()` sends it. */
export const noStoreHeader = {
  'Cache-Control': {
    description: 'Always `no-store`, because the response contains a secret.',
    schema: { type: 'string' as const, enum: ['no-store'] },
    example: 'no-store',
  },
};
