/** The first section of the document and of `/docs`, in Markdown. */
export const introduction = `
Keycard issues API keys for an organization and authenticates requests to its AI endpoints.

## Credentials

Routes under \`/v1\` require an API key, as \`x-api-key\` or \`Authorization: Bearer\`. Routes that manage an organization
require an access token: a JWT from \`POST /auth/sign-in\`, or from \`POST /auth/token\` for service accounts, sent as
\`Authorization: Bearer\`. API keys start with \`kc_\`; each route accepts only its own kind of credential. Routes for
signing in, accepting an invitation, resetting a password and checking health require neither.

## Signing in and out

Signing in returns an access token that expires after \`expiresIn\` seconds, and sets a refresh token as an \`HttpOnly\`,
\`SameSite=Strict\` cookie. Before the access token expires, or after a 401, call \`POST /auth/refresh\`. It needs no body,
only the cookie, and returns a new access token and a new cookie. Each cookie works once: using an old one again ends the
session, so send one refresh at a time. \`POST /auth/sign-out\` ends the session of the cookie or of the access token.

- **Pages of this origin** send the cookie automatically. With \`fetch\`, set \`credentials: 'include'\` or keep the default,
  \`'same-origin'\`.
- **Pages of other origins** (\`CORS_ORIGINS\`) can sign in and use the access token, but can't send the cookie:
  \`POST /auth/refresh\` returns 403. They sign in again when the token expires, or are served through the same origin.
- **Other clients** store the cookie and send it to \`POST /auth/refresh\`, or sign in again when the token expires.

## Pagination

Lists with \`page\` and \`perPage\` return one page, with \`total\`, \`page\` and \`perPage\` next to the items. The first page is
1; a page after the last one is empty. The audit log grows while it is read, so \`GET /audit-events\` has a cursor instead:
pass \`nextCursor\` as \`cursor\` until it is null. Lists without these parameters are complete.

## Errors

Routes under \`/v1\` return errors in OpenAI's format. \`error.param\` names an invalid field; \`error.code\` is null for some
errors, as OpenAI's is. All other routes return problems (RFC 9457) with a \`code\` and, for invalid input, the fields in
\`errors\`; \`POST /auth/token\` returns errors of RFC 6749. Each response below lists its codes. \`x-request-id\` identifies
the request in the log. Retry after the seconds in \`Retry-After\`, if it is present.
`.trim();
