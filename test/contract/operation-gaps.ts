import type { OpenAPIObject, OperationObject, ParameterObject, ReferenceObject, ResponseObject } from '@nestjs/swagger';
import { allPermissions } from '../../src/access/permissions.js';
import { findBoundGaps } from './schema-gaps.js';

/** An operation of the document. */
export interface Operation {
  /** Such as `POST /api-keys`. */
  route: string;
  description: OperationObject & { 'x-required-permission'?: unknown };
}

/** A response with the extension of error responses. */
export type DeclaredResponse = ResponseObject & { 'x-error-codes'?: (string | null)[] };

/** Resolves a reference to a shared response. */
export function resolveResponse(
  document: OpenAPIObject,
  response: ResponseObject | ReferenceObject | undefined,
): DeclaredResponse | undefined {
  if (response === undefined || !('$ref' in response)) return response;
  const shared = document.components?.responses?.[response.$ref.split('/').at(-1) ?? ''];
  return resolveResponse(document, shared);
}

const methods = ['get', 'put', 'post', 'patch', 'delete'] as const;

export function operationsOf({ paths }: OpenAPIObject): Operation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const description = item[method];
      return description === undefined ? [] : [{ route: `${method.toUpperCase()} ${path}`, description }];
    }),
  );
}

/** Returns what an operation's documentation lacks, as instructions. */
export function findOperationGaps(document: OpenAPIObject, { route, description }: Operation): string[] {
  const { operationId, summary, tags, security, parameters = [], responses } = description;
  const permission = description['x-required-permission'];
  const gaps: (string | false)[] = [
    !/^[a-z][A-Za-z]+$/.test(operationId ?? '') && 'name its method like a function, for its operationId.',
    !summary && 'write a comment above the method, for its summary.',
    !description.description && 'write @remarks above the method, for its description.',
    tags?.length !== 1 && 'give its controller one @ApiTags().',
    security === undefined && 'declare who may call it, for its security.',
    permission !== null && !allPermissions.some((known) => known === permission) && 'declare x-required-permission.',
    ...findStatusGaps(description),
    ...parameters.flatMap((parameter) => findParameterGaps(document, parameter)),
    ...findBodyGaps(description),
    ...Object.entries(responses).flatMap(([status, response]) =>
      findResponseGaps(route, status, resolveResponse(document, response)),
    ),
  ];
  return gaps.filter((gap) => gap !== false).map((gap) => `${route}: ${gap}`);
}

/** Returns undocumented statuses that the operation's input implies, as instructions. */
function findStatusGaps({
  parameters = [],
  requestBody,
  security = [],
  responses,
  ...more
}: Operation['description']): string[] {
  const hasParameter = (place: string) => parameters.some((parameter) => 'in' in parameter && parameter.in === place);
  const isProtected = security.length > 0;
  const required: [status: string, isRequired: boolean, decorator: string][] = [
    ['400', hasParameter('query') || hasParameter('path') || requestBody !== undefined, '@ApiBadRequestResponse(…)'],
    ['401', isProtected, '@RequirePermission(…) or @SignedIn()'],
    ['403', typeof more['x-required-permission'] === 'string', '@RequirePermission(…)'],
    ['404', hasParameter('path'), '@ApiNotFoundResponse(…)'],
    ['413', requestBody !== undefined, '@ApiBodyErrors()'],
    ['415', requestBody !== undefined, '@ApiBodyErrors()'],
    ['500', true, 'a declaration of who may call it'],
    ['503', isProtected || requestBody !== undefined, '@ApiUnavailable(…)'],
  ];
  const gaps = required
    .filter(([status, isRequired]) => isRequired && responses[status] === undefined)
    .map(([status, , decorator]) => `document its ${status} with ${decorator}.`);
  const successes = Object.keys(responses).filter((status) => /^[23]/.test(status));
  return successes.length > 0 ? gaps : [...gaps, 'document its successful response.'];
}

function findBodyGaps({ requestBody }: OperationObject): string[] {
  if (requestBody === undefined || '$ref' in requestBody) return [];
  const bodies = Object.values(requestBody.content);
  return bodies.every((body) => body.example !== undefined || body.examples !== undefined)
    ? []
    : ['give its body an example.'];
}

function findParameterGaps(document: OpenAPIObject, parameter: ParameterObject | ReferenceObject): string[] {
  if ('$ref' in parameter) return [];
  const { name, description, required, schema = {} } = parameter;
  const hasExample = parameter.example !== undefined || ('examples' in schema && schema.examples !== undefined);
  return [
    ...(description ? [] : [`describe the parameter ${name}.`]),
    ...(required === true && !hasExample ? [`add an example of the parameter ${name}.`] : []),
    ...(required !== true && hasExample ? [`remove the example of ${name}: consoles would send it.`] : []),
    ...findBoundGaps(document, `the parameter ${name}`, schema),
  ];
}

function findResponseGaps(route: string, status: string, response: DeclaredResponse | undefined): string[] {
  if (response === undefined) return [`describe its ${status}.`];
  const { description, headers = {}, content = {} } = response;
  if (status === '204') return description ? [] : ['describe its 204.'];
  if (status === 'default') return description ? [] : ['describe its other errors.'];
  // Redirects have no body.
  if (status === '302') return headers['Location'] === undefined ? ['document Location of its 302.'] : [];
  const expected = expectedContent(route, status);
  const [type, ...otherTypes] = Object.keys(content);
  const schema = content[expected.type]?.schema;
  const name = schema !== undefined && '$ref' in schema ? schema.$ref.split('/').at(-1) : undefined;
  const gaps: (string | false)[] = [
    !description && `describe its ${status}.`,
    (type !== expected.type || otherTypes.some((other) => !extraTypes.includes(other))) &&
      `document its ${status} as ${expected.type} only.`,
    !expected.type.startsWith('text/') && name === undefined && `give its ${status} a named schema.`,
    content[expected.type]?.example === undefined &&
      content[expected.type]?.examples === undefined &&
      `give its ${status} an example.`,
    !/^2/.test(status) && !response['x-error-codes']?.length && `list the error codes of its ${status}.`,
    expected.schema !== undefined && name !== expected.schema && `give its ${status} the schema ${expected.schema}.`,
    headers['x-request-id'] === undefined && `document x-request-id of its ${status}.`,
    status === '201' && headers['Location'] === undefined && 'document Location of its 201.',
    status === '401' &&
      headers['WWW-Authenticate'] === undefined &&
      'document WWW-Authenticate of its 401 (challengeHeader).',
    status === '503' && headers['Retry-After'] === undefined && 'document Retry-After of its 503 (retryAfterHeader).',
  ];
  return gaps.filter((gap) => gap !== false);
}

/** Types that a route may offer in addition. */
const extraTypes = ['text/event-stream', 'application/jsonl'];

/** Types of responses that aren't JSON, by the end of the route. */
const textTypes: Partial<Record<string, string>> = { export: 'text/csv', checkpoint: 'text/plain' };

/** Management routes, `/v1` and the OAuth route have one error format each. */
function expectedContent(route: string, status: string): { type: string; schema?: string } {
  if (status.startsWith('2')) return { type: textTypes[route.split('/').at(-1) ?? ''] ?? 'application/json' };
  if (route.startsWith('POST /v1/messages')) return { type: 'application/json', schema: 'AnthropicError' };
  if (/^[A-Z]+ \/v1\//.test(route)) return { type: 'application/json', schema: 'OpenAiError' };
  if (route === 'POST /auth/token') return { type: 'application/json', schema: 'OAuthError' };
  return { type: 'application/problem+json', schema: 'Problem' };
}
