import { AppError, invalidField } from '../../common/errors/app-error.js';
import { explainEngineError } from '../../engines/engine-errors.js';
import { DocumentError } from '../../engines/ocr/ocr-engine.js';
import { documentTooLarge } from './body/document-limit.js';

const explanation = {
  busy: 'Too many documents are waiting to be read.',
  failed: 'The OCR engine cannot run; the log says why.',
};

const mostFailuresNamed = 3;

/** What an engine threw, as an error for the caller where it is about the document or the engine. */
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

/** When none of the pages could be read. A 4xx, so that clients do not try the same again by themselves. */
export function pagesFailed(failures: readonly string[]): AppError {
  const others = failures.length - mostFailuresNamed;
  const named = ['No page could be read.', ...failures.slice(0, mostFailuresNamed)].join(' ');
  const message = others > 0 ? `${named} And ${others} more.` : named;
  return new AppError('pages-failed', message, { fields: [{ field: 'document', message }] });
}
