import { type ErrorCode, errorCatalog } from '../../common/errors/error-catalog.js';
import type { ExceededLimit } from '../../limits/limit.js';

/** The response wasn't sent completely: it broke off, or the client disconnected. */
export const incompleteResponse = 'response-incomplete';

/** Status of requests whose client disconnected before the response began, as in nginx's log. */
export const clientClosedRequest = 499;

/** Invalid fields that are named. A body can have any number. */
export const maxInvalidFields = 5;

export type FailureCode = ErrorCode | typeof incompleteResponse;

/** The key of a failed request: identified, or the hash of a secret that may have expired. */
export type FailedKey = { readonly apiKeyId: string } | { readonly keyHash: string };

/** A failed request, without its body. */
export interface Failure {
  readonly key: FailedKey;
  readonly occurredAt: Date;
  /** Such as `POST /v1/embeddings`. */
  readonly route: string;
  /** Id of the model in the catalog; empty if it isn't known. */
  readonly model: string;
  /** Model that the client named, as text for people; null if the request failed before it was read. */
  readonly requestedModel: string | null;
  readonly status: number;
  readonly code: FailureCode;
  /** Names of the fields that the error is about, as text for people. At most `maxInvalidFields`. */
  readonly invalidFields: readonly string[];
  /** The limit that rejected the request; null for other failures. */
  readonly exceededLimit: ExceededLimit | null;
  readonly requestId: string;
  /** Canonical IP address of the client. */
  readonly address: string | null;
}

/** `error.code` of the response that the client received; null if it had none. */
export function clientCodeOf(code: string): string | null {
  if (!(code in errorCatalog)) return null;
  // An expired key is rejected like an unknown one.
  return errorCatalog[code === 'api-key-expired' ? 'invalid-credential' : (code as ErrorCode)].openAi.code;
}

/**
 * Describes a code for people: its title and what to do. Codes of other releases describe themselves.
 *
 * @param isLeaked whether a leaked secret of the key would work if the key were enabled; undefined if there are several keys
 */
export function describeFailure(code: string, isLeaked?: boolean): { title: string; remedy: string | null } {
  if (code === incompleteResponse) {
    return {
      title: 'Response incomplete, or client disconnected',
      remedy: 'Retry. If the client disconnected, raise its timeout.',
    };
  }
  if (!(code in errorCatalog)) return { title: code, remedy: null };
  const { title, remedy } = errorCatalog[code as ErrorCode];
  const needsRotation = code === 'api-key-disabled' && isLeaked === true;
  return {
    title,
    remedy: needsRotation ? 'The key leaked. Rotate it before you enable it, or use another one.' : remedy,
  };
}
