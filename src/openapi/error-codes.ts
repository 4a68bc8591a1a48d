import type { ExampleObject, OpenAPIObject, OperationObject, ResponseObject } from '@nestjs/swagger';
import { anthropicTypeOf } from '../common/errors/anthropic-error.js';
import { AppError } from '../common/errors/app-error.js';
import { type ErrorCode, errorCatalog } from '../common/errors/error-catalog.js';
import { oauthErrorOf, toErrorResponse } from '../common/errors/error-response.js';
import { type ErrorFormat, errorFormatOf, operationsOf } from './operations.js';

/** Codes of responses that don't declare theirs, by status. */
const usualCodes: Record<string, ErrorCode[]> = {
  400: ['validation-failed', 'malformed-request'],
  401: ['missing-credential', 'wrong-credential', 'invalid-credential'],
  403: ['missing-permission'],
  404: ['not-found'],
  408: ['request-timeout'],
  409: ['conflict'],
  413: ['payload-too-large'],
  415: ['unsupported-media-type'],
  429: ['too-many-requests'],
  500: ['internal-error'],
  503: ['database-unavailable', 'organization-moving', 'overloaded'],
};

/** Codes of responses to requests with an access token of the identity provider. */
const accessTokenCodes: Record<string, ErrorCode[]> = {
  403: ['no-organization', 'identity-refused'],
  503: ['identity-provider-unavailable'],
};

/** Codes of responses to requests with an access token, on routes for users only. */
const userTokenCodes: Record<string, ErrorCode[]> = { 403: ['service-account-not-allowed'] };

/** Lists the codes of each error response in its description, as `x-error-codes`, and as an example of each. */
export function addErrorCodes(document: OpenAPIObject): void {
  const examples: Record<string, ExampleObject> = {};
  document.components = { ...document.components, examples };
  for (const { path, operation } of operationsOf(document)) {
    for (const [status, response] of Object.entries(operation.responses)) {
      if (response === undefined || '$ref' in response) continue;
      const codes = codesOf(response) ?? usualCodes[status] ?? [];
      const tokenCodes = [
        ...(takesToken(operation) ? (accessTokenCodes[status] ?? []) : []),
        ...(isForUsers(operation) ? (userTokenCodes[status] ?? []) : []),
      ];
      if (codes.length > 0) listCodes(response, [...codes, ...tokenCodes], errorFormatOf(path), examples);
    }
  }
  for (const response of Object.values(document.components.responses ?? {})) {
    if (!('$ref' in response)) listCodes(response, codesOf(response) ?? [], formatOf(response), examples);
  }
}

const codesOf = (response: ResponseObject) => (response as { 'x-error-codes'?: ErrorCode[] })['x-error-codes'];
/** Unlike signing out, which reads the token itself. */
const takesToken = ({ security = [] }: OperationObject) =>
  security.some((scheme) => 'AccessToken' in scheme) && !security.some((scheme) => 'RefreshCookie' in scheme);
const isForUsers = ({ security = [] }: OperationObject) =>
  security.some((scheme) => 'AccessToken' in scheme) && !security.some((scheme) => 'ServiceAccount' in scheme);

function formatOf({ content = {} }: ResponseObject): ErrorFormat {
  const schema = content['application/json']?.schema;
  if (schema === undefined) return 'problem';
  if (!('$ref' in schema)) return 'openAi';
  if (schema.$ref.endsWith('/AnthropicError')) return 'anthropic';
  return schema.$ref.endsWith('/OAuthError') ? 'oauth' : 'openAi';
}

/** How requests in each format are recognized, a field that most of them have, and how their examples are named. */
const formats: Record<ErrorFormat, { url: string; field: string; prefix: string }> = {
  openAi: { url: '/v1/embeddings', field: 'model', prefix: 'ai.' },
  anthropic: { url: '/v1/messages', field: 'model', prefix: 'messages.' },
  oauth: { url: '/auth/token', field: 'scope', prefix: 'token.' },
  problem: { url: '/api-keys', field: 'name', prefix: '' },
};

/** The code of an error as the response has it. */
function returnedCode(code: ErrorCode, format: ErrorFormat): string | null {
  switch (format) {
    case 'openAi':
      return errorCatalog[code].openAi.code;
    // Anthropic's errors have no codes, but types.
    case 'anthropic':
      return anthropicTypeOf(errorCatalog[code].status);
    case 'oauth':
      return oauthErrorOf(code);
    case 'problem':
      return code;
  }
}

function listCodes(
  response: ResponseObject,
  codes: readonly ErrorCode[],
  format: ErrorFormat,
  examples: Record<string, ExampleObject>,
): void {
  const returned = codes.map((code) => returnedCode(code, format));
  const distinct = [...new Set(returned)];
  const names = distinct.map((code) => `\`${code}\``).join(', ');
  const { prefix } = formats[format];
  for (const code of codes) examples[prefix + code] ??= exampleOf(code, format);
  const references = codes.map((code) => [code, { $ref: `#/components/examples/${prefix}${code}` }] as const);
  Object.assign(response, { 'x-error-codes': distinct });
  response.description += ` ${distinct.length === 1 ? 'Code' : 'Codes'}: ${names}.`;
  const contents = Object.entries(response.content ?? {});
  // A new object, because the decorators share theirs.
  response.content = Object.fromEntries(
    contents.map(([type, content]) => [type, { ...content, examples: Object.fromEntries(references) }]),
  );
}

/** A response with the code, as the service writes it. */
function exampleOf(code: ErrorCode, format: ErrorFormat): ExampleObject {
  const { title, remedy } = errorCatalog[code];
  const { url, field } = formats[format];
  const fields = code === 'validation-failed' ? [{ field, message: `${field} must be a string.` }] : [];
  const detail = fields[0]?.message ?? `${title}. ${remedy}`;
  const error = new AppError(code, detail, { fields });
  const { body } = toErrorResponse(error, { url, requestId: '0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f' });
  return { summary: title, value: body };
}
