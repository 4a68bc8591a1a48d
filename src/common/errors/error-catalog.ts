import { clientErrors } from './client-errors.js';
import { serverErrors } from './server-errors.js';

/** One kind of error, as management routes and `/v1/*` report it. */
export interface ErrorDefinition {
  /** HTTP status code. */
  status: number;
  /** Summary, the same for every occurrence (RFC 9457 `title`). */
  title: string;
  /** Type and code in OpenAI's format on `/v1/*`, so that OpenAI clients raise the right class. */
  openAi: { type: string; code: string | null };
  /** What the caller can do, for docs/errors.md and lists of failed requests. */
  remedy: string;
}

/** Every error that Keycard returns. docs/errors.md has the same table; a test compares the two. */
export const errorCatalog = {
  ...clientErrors,
  ...serverErrors,
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof errorCatalog;
