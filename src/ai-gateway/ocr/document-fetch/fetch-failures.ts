import { AppError } from '../../../common/errors/app-error.js';
import { invalidDocument } from '../document-field.js';

/** The same for a name without address, a refused address and a silent server: nobody learns what exists inside. */
export const unreachable = (cause: unknown) => {
  const message = 'The document could not be fetched: its server does not answer, or has no public address.';
  return new AppError('validation-failed', message, { fields: [{ field: 'document', message }], cause });
};

export const timedOut = (timeoutSeconds: number) =>
  invalidDocument(`The document could not be fetched within ${timeoutSeconds} s.`);

export const cutOff = (cause: unknown) => {
  const message = 'The document could not be fetched: its server ended the answer too early.';
  return new AppError('validation-failed', message, { fields: [{ field: 'document', message }], cause });
};

/** Servers of documents may be slow: the fetches of one organization must not take the connections of the others. */
export const tooManyFetches = (most: number) =>
  new AppError(
    'too-many-requests',
    `Your organization is already fetching ${most} documents. Try again when one has been read, or send the document.`,
    { headers: { 'retry-after': '1' } },
  );

export const refused = (reason: string) => invalidDocument(`The document could not be fetched: ${reason}.`);
