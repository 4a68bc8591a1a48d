import type { OpenAPIObject, OperationObject, ResponseObject } from '@nestjs/swagger';
import {
  anthropicErrorContent,
  errorCodes,
  oauthErrorContent,
  openAiErrorContent,
  problemContent,
} from '../common/errors/api-errors.js';
import type { ErrorCode } from '../common/errors/error-catalog.js';
import { headerComponents, requestIdHeader } from '../common/http/api-headers.js';
import { type ErrorFormat, errorFormatOf, operationsOf } from './operations.js';

interface CommonError {
  /** Name of the component, after the prefix of the format. */
  name: string;
  description: string;
  codes: ErrorCode[];
}

/** Errors of all routes. */
const commonErrors: Record<string, CommonError> = {
  400: { name: 'MalformedRequest', codes: ['malformed-request'], description: 'The request cannot be read.' },
  408: { name: 'RequestTimeout', codes: ['request-timeout'], description: 'The request was not received in time.' },
  417: {
    name: 'ExpectationFailed',
    codes: ['expectation-failed'],
    description: 'The `Expect` header is not supported.',
  },
  431: {
    name: 'HeadersTooLarge',
    codes: ['headers-too-large'],
    description: 'The URL and headers are larger than 16 KB.',
  },
  500: {
    name: 'InternalError',
    codes: ['internal-error'],
    description: 'Internal error. The log has the cause under the request id.',
  },
};

/** Errors of requests that can have a body. */
const bodyErrors: Record<string, CommonError> = {
  413: { name: 'BodyTooLarge', codes: ['payload-too-large'], description: 'The body is larger than 100 KB.' },
  415: {
    name: 'UnsupportedContentType',
    codes: ['unsupported-media-type'],
    description: 'The body is not JSON, or is compressed.',
  },
};

/** Errors of requests with an API key. */
const apiKeyErrors: Record<string, CommonError> = {
  421: {
    name: 'OrganizationMoved',
    codes: ['organization-moved'],
    description: 'The organization of the API key has moved to another Keycard.',
  },
};

/** Errors of requests with an access token. */
const accessTokenErrors: Record<string, CommonError> = {
  403: {
    name: 'NotAMember',
    codes: ['no-organization', 'identity-refused'],
    description: "The identity provider hasn't verified the email, or the account isn't a member of any organization.",
  },
};

/** Errors of requests with an access token, on routes for users only. */
const userTokenErrors: Record<string, CommonError> = {
  403: {
    name: 'NotAMemberOrUser',
    codes: ['no-organization', 'identity-refused', 'service-account-not-allowed'],
    description:
      "The identity provider hasn't verified the email, the account isn't a member of any organization, or the token belongs to a service account.",
  },
};

const prefixes: Record<ErrorFormat, string> = { openAi: 'Ai', anthropic: 'Messages', oauth: 'Token', problem: '' };
const contents = {
  openAi: openAiErrorContent,
  anthropic: anthropicErrorContent,
  oauth: oauthErrorContent,
  problem: problemContent,
};

/** Adds responses and headers that all routes share. */
export function addCommonResponses(document: OpenAPIObject): void {
  const components: Record<string, ResponseObject> = {};
  document.components = { ...document.components, headers: headerComponents, responses: components };
  for (const { method, path, operation } of operationsOf(document)) {
    // Every route declares its access, or the app doesn't start; only public routes declare no credential.
    operation.security ??= [];
    const requiresToken = operation.security.some((scheme) => 'AccessToken' in scheme);
    const takesServiceAccounts = operation.security.some((scheme) => 'ServiceAccount' in scheme);
    const tokenErrors = takesServiceAccounts ? accessTokenErrors : userTokenErrors;
    const format = errorFormatOf(path);
    const canHaveBody = method !== 'get' && path !== '/v1/authorize';
    const takesApiKey = operation.security.some((scheme) => 'ApiKey' in scheme);
    const errors = {
      ...commonErrors,
      ...(canHaveBody && bodyErrors),
      ...(takesApiKey && apiKeyErrors),
      ...(requiresToken && tokenErrors),
    };
    for (const [status, { name, description, codes }] of Object.entries(errors)) {
      if (operation.responses[status] !== undefined) continue;
      const component = prefixes[format] + name;
      components[component] ??= {
        ...structuredClone(contents[format]),
        ...errorCodes(...codes),
        headers: requestIdHeader,
        description,
      };
      operation.responses[status] = { $ref: `#/components/responses/${component}` };
    }
    for (const response of Object.values(operation.responses)) {
      if (response !== undefined && !('$ref' in response))
        response.headers = { ...response.headers, ...requestIdHeader };
    }
    if (format !== 'openAi') forbidUnknownFields(document, operation);
  }
}

/** JSON bodies with an unknown field get 400; forms ignore it. AI routes pass other fields on to upstreams. */
function forbidUnknownFields({ components }: OpenAPIObject, { requestBody }: OperationObject): void {
  if (requestBody === undefined || '$ref' in requestBody) return;
  for (const [type, { schema }] of Object.entries(requestBody.content)) {
    if (type === 'application/x-www-form-urlencoded') continue;
    const name = schema !== undefined && '$ref' in schema ? schema.$ref.split('/').at(-1) : undefined;
    const component = components?.schemas?.[name ?? ''];
    if (component !== undefined && !('$ref' in component)) component.additionalProperties = false;
  }
}
