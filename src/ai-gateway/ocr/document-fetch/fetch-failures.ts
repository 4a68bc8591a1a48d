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

export const refused = (reason: string) => invalidDocument(`The document could not be fetched: ${reason}.`);
