/** One kind of error, with the face each family of routes shows of it. */
export interface ErrorDefinition {
  /** HTTP status code. */
  status: number;
  /** The same words for every occurrence (RFC 9457 `title`). */
  title: string;
  /** What `/v1/*` routes answer in OpenAI's envelope, so that its clients raise the right class. */
  openAi: { type: string; code: string | null };
  /** What the caller can do about it; shown in docs/errors.md. */
  remedy: string;
}

const invalidRequest = (code: string | null) => ({ type: 'invalid_request_error', code });
const serverError = (code: string) => ({ type: 'server_error', code });

/** Every error that Keycard answers with. docs/errors.md is the same table; a test compares the two. */
export const errorCatalogue = {
  'validation-failed': {
    status: 400,
    title: 'The request is not valid',
    openAi: invalidRequest(null),
    remedy: 'Correct the fields that the answer names.',
  },
  'malformed-request': {
    status: 400,
    title: 'The request cannot be read',
    openAi: invalidRequest(null),
    remedy: 'Send a well-formed URL and a body of valid JSON.',
  },
  'upstream-rejected': {
    status: 400,
    title: 'The server of the model refuses the request',
    openAi: invalidRequest('upstream_rejected'),
    remedy: 'Correct what the answer says; the limits are those of the server that runs the model.',
  },
  'missing-credential': {
    status: 401,
    title: 'A credential is required',
    openAi: invalidRequest(null),
    remedy: 'Send the credential that the answer names.',
  },
  'wrong-credential': {
    status: 401,
    title: 'The route takes another kind of credential',
    openAi: invalidRequest('invalid_api_key'),
    remedy: 'Send an API key to `/v1/*` and a JWT everywhere else.',
  },
  'invalid-credential': {
    status: 401,
    title: 'The credential is not valid',
    openAi: invalidRequest('invalid_api_key'),
    remedy: 'Create a new key, or sign in again.',
  },
  'sign-in-failed': {
    status: 401,
    title: 'Sign-in failed',
    openAi: invalidRequest(null),
    remedy: 'Check the e-mail address and the password.',
  },
  'missing-permission': {
    status: 403,
    title: 'A permission is missing',
    openAi: invalidRequest('missing_permission'),
    remedy: 'Ask an administrator for a role that holds the permission.',
  },
  'no-organization': {
    status: 403,
    title: 'The account belongs to no organization',
    openAi: invalidRequest(null),
    remedy: 'Ask an administrator to add the account to an organization.',
  },
  'cross-site-request': {
    status: 403,
    title: 'Another origin is not allowed',
    openAi: invalidRequest(null),
    remedy: 'Call the route from a page that Keycard itself has served.',
  },
  'access-denied': {
    status: 403,
    title: 'The sign-in was refused at the identity provider',
    openAi: invalidRequest(null),
    remedy: 'Sign in again, or ask the administrator of the identity provider for access.',
  },
  'identity-refused': {
    status: 403,
    title: 'The identity cannot be used here',
    openAi: invalidRequest(null),
    remedy: 'Ask the administrator of the identity provider for what the answer names.',
  },
  'invitation-mismatch': {
    status: 403,
    title: 'The invitation is for another e-mail address',
    openAi: invalidRequest(null),
    remedy: 'Sign in as who was invited, or ask for an invitation of your own address.',
  },
  'password-sign-in-off': {
    status: 403,
    title: 'Passwords are not used here',
    openAi: invalidRequest(null),
    remedy: 'Sign in through the identity provider.',
  },
  'not-found': {
    status: 404,
    title: 'Not found',
    openAi: invalidRequest(null),
    remedy: 'Check the identifier; things of other organizations are not found either.',
  },
  'invitation-expired': {
    status: 404,
    title: 'The invitation has expired',
    openAi: invalidRequest(null),
    remedy: 'Ask whoever sent the invitation for a new one.',
  },
  'model-not-found': {
    status: 404,
    title: 'The model does not exist',
    openAi: invalidRequest('model_not_found'),
    remedy: 'Choose a model that `GET /v1/models` lists.',
  },
  'route-not-found': {
    status: 404,
    title: 'No such route',
    openAi: invalidRequest(null),
    remedy: 'Check method and path against `/docs`.',
  },
  'request-timeout': {
    status: 408,
    title: 'The request stopped arriving',
    openAi: invalidRequest('request_timeout'),
    remedy: 'Send the request again. Send it without pauses, in less than two minutes.',
  },
  conflict: {
    status: 409,
    title: 'The change conflicts with what is there',
    openAi: invalidRequest(null),
    remedy: 'Change what the answer names, then try again.',
  },
  'api-key-expired': {
    status: 409,
    title: 'The API key has expired',
    openAi: invalidRequest(null),
    remedy: 'Create a new key; the expiry of a key cannot be changed.',
  },
  'payload-too-large': {
    status: 413,
    title: 'The body is too large',
    openAi: invalidRequest(null),
    remedy: 'Send less at once.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'The content type is not supported',
    openAi: invalidRequest(null),
    remedy:
      'Send the body uncompressed as `Content-Type: application/json`; `/v1/ocr` also takes `multipart/form-data`.',
  },
  'expectation-failed': {
    status: 417,
    title: 'The expectation is not supported',
    openAi: invalidRequest(null),
    remedy: 'Remove the `Expect` header, or send `Expect: 100-continue`.',
  },
  'unreadable-document': {
    status: 422,
    title: 'The document cannot be read',
    openAi: invalidRequest('unreadable_document'),
    remedy: 'Send a PDF or an image that is whole, not encrypted and within the limits that the answer names.',
  },
  'pages-failed': {
    status: 422,
    title: 'No page of the document could be read',
    openAi: invalidRequest('pages_failed'),
    remedy: 'Send the pages in a simpler form, such as scanned at 200 dpi; the answer says what failed.',
  },
  'headers-too-large': {
    status: 431,
    title: 'The headers are too large',
    openAi: invalidRequest(null),
    remedy: 'Shorten the URL and the headers to 16 KB in total.',
  },
  'upstream-rate-limited': {
    status: 429,
    title: 'The server of the model takes no more requests now',
    openAi: { type: 'rate_limit_error', code: 'rate_limit_exceeded' },
    remedy: 'Try again after the seconds in `Retry-After`, or later where there is none.',
  },
  'too-many-requests': {
    status: 429,
    title: 'Too many requests',
    openAi: { type: 'rate_limit_error', code: 'rate_limit_exceeded' },
    remedy: 'Try again after the seconds in `Retry-After`.',
  },
  'internal-error': {
    status: 500,
    title: 'Something went wrong in Keycard',
    openAi: serverError('internal_error'),
    remedy: 'Report the request id; the log holds the cause under it.',
  },
  'upstream-failed': {
    status: 502,
    title: 'The server of the model has failed',
    openAi: serverError('upstream_failed'),
    remedy: 'Try again; if it lasts, report the request id: the log says what the server answered.',
  },
  'database-unavailable': {
    status: 503,
    title: 'Database unavailable',
    openAi: serverError('database_unavailable'),
    remedy: 'Try again after the seconds in `Retry-After`.',
  },
  overloaded: {
    status: 503,
    title: 'Too much work is waiting',
    openAi: serverError('overloaded'),
    remedy: 'Try again after the seconds in `Retry-After`.',
  },
  'engine-unavailable': {
    status: 503,
    title: 'The engine of the model cannot run',
    openAi: serverError('engine_unavailable'),
    remedy: 'Try again after the seconds in `Retry-After`; the log says why the engine stopped.',
  },
  'upstream-unavailable': {
    status: 503,
    title: 'The server of the model is not available now',
    openAi: serverError('upstream_unavailable'),
    remedy: 'Try again after the seconds in `Retry-After`.',
  },
  'identity-provider-unavailable': {
    status: 503,
    title: 'The identity provider cannot be reached',
    openAi: serverError('identity_provider_unavailable'),
    remedy: 'Try again after the seconds in `Retry-After`; the log says what the provider answered.',
  },
  'not-ready': {
    status: 503,
    title: 'Keycard is starting or stopping',
    openAi: serverError('not_ready'),
    remedy: 'Try again after the seconds in `Retry-After`.',
  },
  'upstream-timeout': {
    status: 504,
    title: 'The server of the model has not answered in time',
    openAi: serverError('upstream_timeout'),
    remedy: 'Send less at once, or try again.',
  },
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof errorCatalogue;
