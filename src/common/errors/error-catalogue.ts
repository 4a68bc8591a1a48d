/** One kind of error, as management routes and `/v1/*` report it. */
export interface ErrorDefinition {
  /** HTTP status code. */
  status: number;
  /** Summary, the same for every occurrence (RFC 9457 `title`). */
  title: string;
  /** Type and code in OpenAI's format on `/v1/*`, so that OpenAI clients raise the right class. */
  openAi: { type: string; code: string | null };
  /** What the caller can do, for docs/errors.md. */
  remedy: string;
}

const invalidRequest = (code: string | null) => ({ type: 'invalid_request_error', code });
const serverError = (code: string) => ({ type: 'server_error', code });

/** Every error that Keycard returns. docs/errors.md has the same table; a test compares the two. */
export const errorCatalogue = {
  'validation-failed': {
    status: 400,
    title: 'Invalid request',
    openAi: invalidRequest(null),
    remedy: 'Fix the fields listed in the response.',
  },
  'malformed-request': {
    status: 400,
    title: 'Malformed request',
    openAi: invalidRequest(null),
    remedy: 'Send a well-formed URL and a body of valid JSON.',
  },
  'upstream-rejected': {
    status: 400,
    title: 'Request rejected by the upstream',
    openAi: invalidRequest('upstream_rejected'),
    remedy: 'Fix what the response names. The limits are those of the upstream.',
  },
  'unsupported-grant-type': {
    status: 400,
    title: 'Unsupported grant type',
    openAi: invalidRequest(null),
    remedy: 'Send `grant_type=client_credentials`.',
  },
  'invalid-scope': {
    status: 400,
    title: 'Invalid scope',
    openAi: invalidRequest(null),
    remedy: 'Omit `scope`. The role of the service account applies.',
  },
  'missing-credential': {
    status: 401,
    title: 'Missing credential',
    openAi: invalidRequest(null),
    remedy: 'Send the credential named in the response.',
  },
  'wrong-credential': {
    status: 401,
    title: 'Wrong type of credential',
    openAi: invalidRequest('invalid_api_key'),
    remedy: 'Send an API key to `/v1/*` and a JWT everywhere else.',
  },
  'invalid-credential': {
    status: 401,
    title: 'Invalid credential',
    openAi: invalidRequest('invalid_api_key'),
    remedy: 'Create a new key, or sign in again.',
  },
  'sign-in-failed': {
    status: 401,
    title: 'Sign-in failed',
    openAi: invalidRequest(null),
    remedy: 'Check the email and the password.',
  },
  'invalid-client': {
    status: 401,
    title: 'Client authentication failed',
    openAi: invalidRequest(null),
    remedy: 'Check the client id and the client secret, or rotate the secret.',
  },
  'missing-permission': {
    status: 403,
    title: 'Missing permission',
    openAi: invalidRequest('missing_permission'),
    remedy: 'Ask an administrator for a role that has the permission.',
  },
  'api-key-disabled': {
    status: 403,
    title: 'API key disabled',
    openAi: invalidRequest('api_key_disabled'),
    remedy: 'Enable the key, or use another one.',
  },
  'address-not-allowed': {
    status: 403,
    title: 'Address not allowed',
    openAi: invalidRequest('address_not_allowed'),
    remedy: 'Send the request from an allowed IP address, or add the one in the response to the key.',
  },
  'model-not-allowed': {
    status: 403,
    title: 'Model not allowed',
    openAi: invalidRequest('model_not_allowed'),
    remedy: 'Choose a model listed by `GET /v1/models`, or add the model to the key.',
  },
  'service-not-allowed': {
    status: 403,
    title: 'Service not allowed',
    openAi: invalidRequest('service_not_allowed'),
    remedy: 'Use a key without a list of models, or add the service to the list.',
  },
  'service-account-not-allowed': {
    status: 403,
    title: 'Not for service accounts',
    openAi: invalidRequest(null),
    remedy: 'Call the route as a user.',
  },
  'no-organization': {
    status: 403,
    title: 'No organization',
    openAi: invalidRequest(null),
    remedy: 'Ask an administrator to add the account to an organization.',
  },
  'cross-site-request': {
    status: 403,
    title: 'Cross-site request',
    openAi: invalidRequest(null),
    remedy: 'Call the route from a page served by Keycard.',
  },
  'access-denied': {
    status: 403,
    title: 'Sign-in refused by the identity provider',
    openAi: invalidRequest(null),
    remedy: 'Sign in again, or ask the administrator of the identity provider for access.',
  },
  'identity-refused': {
    status: 403,
    title: 'Identity not accepted',
    openAi: invalidRequest(null),
    remedy: 'Ask the administrator of the identity provider to change what the response names.',
  },
  'invitation-mismatch': {
    status: 403,
    title: 'Invitation for another email',
    openAi: invalidRequest(null),
    remedy: 'Sign in with the invited email, or ask for an invitation for your own.',
  },
  'password-sign-in-off': {
    status: 403,
    title: 'Password sign-in is turned off',
    openAi: invalidRequest(null),
    remedy: 'Sign in through the identity provider.',
  },
  'not-found': {
    status: 404,
    title: 'Not found',
    openAi: invalidRequest(null),
    remedy: 'Check the id. Resources of other organizations are not found either.',
  },
  'invitation-expired': {
    status: 404,
    title: 'Invitation expired',
    openAi: invalidRequest(null),
    remedy: 'Ask for a new invitation.',
  },
  'model-not-found': {
    status: 404,
    title: 'Model not found',
    openAi: invalidRequest('model_not_found'),
    remedy: 'Choose a model listed by `GET /v1/models`.',
  },
  'service-not-found': {
    status: 404,
    title: 'Service not found',
    openAi: invalidRequest('service_not_found'),
    remedy: 'Add the service to `services` in the models file, or fix the URL in the configuration of the proxy.',
  },
  'route-not-found': {
    status: 404,
    title: 'Route not found',
    openAi: invalidRequest(null),
    remedy: 'Check the method and the path against `/docs`.',
  },
  'request-timeout': {
    status: 408,
    title: 'Request timeout',
    openAi: invalidRequest('request_timeout'),
    remedy: 'Retry. Send the request without pauses, in less than two minutes.',
  },
  conflict: {
    status: 409,
    title: 'Conflict',
    openAi: invalidRequest(null),
    remedy: 'Change what the response names, then retry.',
  },
  'api-key-expired': {
    status: 409,
    title: 'API key expired',
    openAi: invalidRequest(null),
    remedy: 'Extend the key, or create a new one.',
  },
  'idempotency-key-reused': {
    status: 409,
    title: 'Idempotency-Key already used',
    openAi: invalidRequest(null),
    remedy: 'Use the key that `apiKeyId` names. If you lost its secret, rotate it with a new `Idempotency-Key`.',
  },
  'payload-too-large': {
    status: 413,
    title: 'Body too large',
    openAi: invalidRequest(null),
    remedy: 'Send less data per request.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'Unsupported content type',
    openAi: invalidRequest(null),
    remedy:
      'Send the body uncompressed as `Content-Type: application/json`; `/v1/ocr` also takes `multipart/form-data`.',
  },
  'expectation-failed': {
    status: 417,
    title: 'Unsupported expectation',
    openAi: invalidRequest(null),
    remedy: 'Remove the `Expect` header, or send `Expect: 100-continue`.',
  },
  'unreadable-document': {
    status: 422,
    title: 'Unreadable document',
    openAi: invalidRequest('unreadable_document'),
    remedy: 'Send a complete, unencrypted PDF or image within the limits named in the response.',
  },
  'pages-failed': {
    status: 422,
    title: 'No page could be read',
    openAi: invalidRequest('pages_failed'),
    remedy: 'Simplify the pages, for example by scanning them at 200 dpi. The response lists what failed.',
  },
  'no-text-found': {
    status: 422,
    title: 'No text found',
    openAi: invalidRequest('no_text_found'),
    remedy: 'Send a sharper scan, request other pages, or use another model. The response names blank pages as such.',
  },
  'headers-too-large': {
    status: 431,
    title: 'Headers too large',
    openAi: invalidRequest(null),
    remedy: 'Shorten the URL and the headers to 16 KB in total.',
  },
  'limit-exceeded': {
    status: 429,
    title: 'Limit exceeded',
    openAi: { type: 'rate_limit_error', code: 'rate_limit_exceeded' },
    remedy: 'Retry after the seconds in `Retry-After`, or raise the limit named in the response.',
  },
  'budget-exceeded': {
    status: 429,
    title: 'Daily or monthly limit exceeded',
    openAi: { type: 'insufficient_quota', code: 'insufficient_quota' },
    remedy: 'Wait for the day or month to end, or raise the limit named in the response.',
  },
  'upstream-rate-limited': {
    status: 429,
    title: 'Upstream rate limit reached',
    openAi: { type: 'rate_limit_error', code: 'rate_limit_exceeded' },
    remedy: 'Retry after the seconds in `Retry-After`, or later if the header is missing.',
  },
  'too-many-requests': {
    status: 429,
    title: 'Too many requests',
    openAi: { type: 'rate_limit_error', code: 'rate_limit_exceeded' },
    remedy: 'Retry after the seconds in `Retry-After`.',
  },
  'internal-error': {
    status: 500,
    title: 'Internal error',
    openAi: serverError('internal_error'),
    remedy: 'Report the request id. The log has the cause.',
  },
  'upstream-failed': {
    status: 502,
    title: 'Upstream failed',
    openAi: serverError('upstream_failed'),
    remedy: 'Retry. If the error persists, report the request id: the log has the upstream response.',
  },
  'database-unavailable': {
    status: 503,
    title: 'Database unavailable',
    openAi: serverError('database_unavailable'),
    remedy: 'Retry after the seconds in `Retry-After`.',
  },
  overloaded: {
    status: 503,
    title: 'Overloaded',
    openAi: serverError('overloaded'),
    remedy: 'Retry after the seconds in `Retry-After`.',
  },
  'engine-unavailable': {
    status: 503,
    title: 'Engine unavailable',
    openAi: serverError('engine_unavailable'),
    remedy: 'Retry after the seconds in `Retry-After`. The log has the cause.',
  },
  'upstream-unavailable': {
    status: 503,
    title: 'Upstream unavailable',
    openAi: serverError('upstream_unavailable'),
    remedy: 'Retry after the seconds in `Retry-After`.',
  },
  'identity-provider-unavailable': {
    status: 503,
    title: 'Identity provider unavailable',
    openAi: serverError('identity_provider_unavailable'),
    remedy: 'Retry after the seconds in `Retry-After`. The log has the cause.',
  },
  'not-ready': {
    status: 503,
    title: 'Keycard is starting or stopping',
    openAi: serverError('not_ready'),
    remedy: 'Retry after the seconds in `Retry-After`.',
  },
  'upstream-timeout': {
    status: 504,
    title: 'Upstream timeout',
    openAi: serverError('upstream_timeout'),
    remedy: 'Send less data per request, or retry.',
  },
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof errorCatalogue;
