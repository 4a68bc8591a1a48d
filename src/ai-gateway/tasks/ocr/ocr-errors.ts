import { AppError, invalidField } from '../../../common/errors/app-error.js';
import { explainEngineError } from '../../../engines/engine-errors.js';
import { DocumentError, type FailedPage, type ReadPage } from '../../../engines/ocr/ocr-engine.js';
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
  const message = withFailures('No page could be read.', failures);
  return new AppError('pages-failed', message, { fields: [{ field: 'document', message }] });
}

/** No page has text. A 4xx, because an empty document would look like a success. */
export function noTextFound(pages: readonly (ReadPage | FailedPage)[]): AppError {
  const failures = pages.flatMap((page) => ('failure' in page ? [page.failure] : []));
  const areBlank = pages.every((page) => 'failure' in page || page.warning === null);
  const subject = pages.length === 1 ? 'The page is' : 'All pages are';
  const reason = areBlank
    ? `${subject} blank. Check the document, or request other pages.`
    : 'No text was found. Send a sharper scan of at least 200 dpi, or use another model.';
  const message = withFailures(reason, failures);
  return new AppError('no-text-found', message, { fields: [{ field: 'document', message }] });
}

function withFailures(reason: string, failures: readonly string[]): string {
  const others = failures.length - maxNamedFailures;
  const named = [reason, ...failures.slice(0, maxNamedFailures)].join(' ');
  return others > 0 ? `${named} And ${others} more.` : named;
}
