import { AppError, invalidField } from '../../common/errors/app-error.js';
import { explainEngineError } from '../../engines/engine-errors.js';
import { DocumentError } from '../../engines/ocr/ocr-engine.js';
import { documentTooLarge } from './body/document-limit.js';

const explanation = {
  busy: 'Too many documents are waiting to be read.',
  failed: 'The OCR engine has failed. The log has the cause.',
};

const maxNamedFailures = 3;

/** Turns errors of an engine into errors for the client. Others are returned unchanged. */
export function explainOcrError(error: unknown): unknown {
  if (!(error instanceof DocumentError)) return explainEngineError(error, explanation);
  const { problem, message } = error;
  switch (problem) {
    case 'too-large':
      return documentTooLarge('document');
    case 'page-out-of-range':
      return invalidField('pages', message);
    case 'unsupported-type':
    case 'corrupt':
    case 'encrypted':
    case 'empty':
    case 'too-many-pages':
    case 'too-many-pixels':
    case 'too-much-text':
    case 'too-much-memory':
      return new AppError('unreadable-document', message, { fields: [{ field: 'document', message }] });
  }
}

/** No page could be read. A 4xx, so that clients don't retry automatically. */
export function pagesFailed(failures: readonly string[]): AppError {
  const others = failures.length - maxNamedFailures;
  const named = ['No page could be read.', ...failures.slice(0, maxNamedFailures)].join(' ');
  const message = others > 0 ? `${named} And ${others} more.` : named;
  return new AppError('pages-failed', message, { fields: [{ field: 'document', message }] });
}
