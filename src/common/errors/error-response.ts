import { type AnthropicErrorDto, toAnthropicError } from './anthropic-error.js';
import type { AppError } from './app-error.js';
import { type ErrorCode, errorCatalog } from './error-catalog.js';
import { toNotFoundPage, wantsPage } from './not-found-page.js';
import type { OAuthErrorCode, OAuthErrorDto } from './oauth-error.dto.js';
import type { OpenAiErrorDto } from './openai-error.dto.js';
import type { ProblemDto } from './problem.dto.js';

interface ErrorResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: OpenAiErrorDto | AnthropicErrorDto | OAuthErrorDto | ProblemDto | string;
}

interface RejectedRequest {
  /** Undefined if the request couldn't be read that far. */
  readonly url: string | undefined;
  readonly requestId: string;
  readonly method?: string;
  /** The `Accept` header. */
  readonly accept?: string | undefined;
}

/**
 * Formats the response to an error: a page if a browser opens an unknown URL, RFC 9457 on management routes, OpenAI's
 * and Mistral's formats under `/v1`, except Anthropic's under `/v1/messages`, and RFC 6749 for `/auth/token`.
 */
export function toErrorResponse(
  error: AppError,
  { url, requestId, method = '', accept }: RejectedRequest,
): ErrorResponse {
  const { status, headers } = error;
  if (isMessagesUrl(url)) {
    const type = 'application/json; charset=utf-8';
    const body = toAnthropicError(error, requestId);
    return { status, headers: { ...headers, 'content-type': type, 'request-id': requestId }, body };
  }
  if (isAiUrl(url)) {
    const type = 'application/json; charset=utf-8';
    return { status, headers: { ...headers, 'content-type': type }, body: toOpenAiError(error) };
  }
  if (error.code === 'route-not-found' && wantsPage(method, accept)) {
    const page = toNotFoundPage(error);
    return { status, headers: { ...headers, ...page.headers }, body: page.body };
  }
  if (isTokenUrl(url)) {
    const type = 'application/json; charset=utf-8';
    const oauthHeaders = { ...headers, 'content-type': type, 'cache-control': 'no-store' };
    return { status, headers: oauthHeaders, body: toOAuthError(error) };
  }
  const type = 'application/problem+json; charset=utf-8';
  return { status, headers: { ...headers, 'content-type': type }, body: toProblem(error, requestId) };
}

function isAiUrl(url = ''): boolean {
  return /^\/v1(?:[/?#]|$)/.test(url);
}

function isMessagesUrl(url = ''): boolean {
  return /^\/v1\/messages(?:[/?#]|$)/.test(url);
}

function isTokenUrl(url = ''): boolean {
  return /^\/auth\/token(?:[?#]|$)/.test(url);
}

function toOpenAiError(error: AppError): OpenAiErrorDto {
  const details = openAiDetailsOf(error);
  // OpenAI's clients read `error`, Mistral's the fields around it.
  return { error: details, object: 'error', ...details };
}

/** The details of an error in OpenAI's format. */
export function openAiDetailsOf({ code, message, fields, reported }: AppError): OpenAiErrorDto['error'] {
  const { openAi } = errorCatalog[code];
  const param = reported?.param ?? fields[0]?.field ?? null;
  return { message, type: reported?.type ?? openAi.type, param, code: reported?.code ?? openAi.code };
}

/** Descriptions can't contain quotes and backslashes (RFC 6749 §5.2). */
function toOAuthError(error: AppError): OAuthErrorDto {
  return {
    error: oauthErrorOf(error.code),
    error_description: error.message.replace(/["\\]/g, "'").replace(/[^ -~]/g, '?'),
  };
}

const oauthErrors: Partial<Record<ErrorCode, OAuthErrorCode>> = {
  'invalid-client': 'invalid_client',
  'unsupported-grant-type': 'unsupported_grant_type',
  'invalid-scope': 'invalid_scope',
};

/** The value of `error` in RFC 6749's format. */
export function oauthErrorOf(code: ErrorCode): OAuthErrorCode {
  const { status } = errorCatalog[code];
  if (status === 429 || status === 503) return 'temporarily_unavailable';
  return oauthErrors[code] ?? (status >= 500 ? 'server_error' : 'invalid_request');
}

function toProblem(error: AppError, requestId: string): ProblemDto {
  const { apiKeyId } = error;
  return {
    type: `urn:keycard:error:${error.code}`,
    title: errorCatalog[error.code].title,
    status: error.status,
    detail: error.message,
    code: error.code,
    requestId,
    ...(error.fields.length > 0 && { errors: error.fields }),
    ...(apiKeyId !== undefined && { apiKeyId }),
  };
}
