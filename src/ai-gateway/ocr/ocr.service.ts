import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AppError, invalidField } from '../../common/errors/app-error.js';
import { ServiceConfig } from '../../config/service-config.js';
import type { RequestUsage } from '../../usage/request-usage.js';
import { explainEngineError } from '../engines/explain-engine-error.js';
import { DocumentError, type OcrEngine } from '../engines/ocr-engine.js';
import type { OcrModel } from '../models/model.js';
import { ModelCatalogueService } from '../models/model-catalogue.service.js';
import { documentTooLarge } from './body/document-limit.js';
import type { DocumentMemoryShare } from './body/document-memory.js';
import type { OcrRequest } from './body/read-ocr-request.js';
import { DocumentFetcher } from './document-fetch/document-fetcher.js';
import { type DocumentSource, invalidDocument } from './document-field.js';
import { isRead, writeOcrResponse } from './ocr-response.js';

const explanation = {
  busy: 'Too many documents are waiting to be read.',
  failed: 'The OCR engine cannot run; the log says why.',
};

/** A model that takes a document, and where what it uses is counted. */
interface Admission {
  model: OcrModel;
  usage: RequestUsage;
}

interface OcrContext extends Admission {
  /** Where a document that is fetched is counted. */
  share: DocumentMemoryShare;
  /** Ends the work when the client has gone. */
  signal: AbortSignal;
}

@Injectable()
export class OcrService {
  constructor(
    private readonly catalogue: ModelCatalogueService,
    private readonly fetcher: DocumentFetcher,
    @Inject(ServiceConfig) private readonly config: Pick<ServiceConfig, 'documentFetch'>,
  ) {}

  /**
   * Finds the model of a request, which from then on is accounted for.
   *
   * @throws AppError 404 for an unknown model, 400 for one of another task, 503 when its engine is busy
   */
  admit(name: string, request: Pick<FastifyRequest, 'usage'>): Admission {
    const model = this.catalogue.getFor('ocr', name);
    const usage = { model: model.id, inputTokens: 0, pages: 0 };
    request.usage = usage;
    try {
      engineOf(model).refuseWhenBusy();
    } catch (error) {
      throw explain(error);
    }
    return { model, usage };
  }

  /**
   * Reads a document.
   *
   * @returns the response body, as JSON text
   * @throws AppError 400, 413 or 422 for a document that cannot be had or read, 503 when the engine is busy or broken
   */
  async read(request: OcrRequest, { model, usage, share, signal }: OcrContext): Promise<string> {
    const document = await this.bytesOf(request.document, share, signal);
    try {
      const pages = await engineOf(model).read(document, { pages: request.pages }, signal);
      const pagesRead = pages.filter(isRead).length;
      usage.pages = pagesRead;
      const failures = pages.flatMap((page) => (isRead(page) ? [] : [page.failure]));
      if (pagesRead === 0 && failures.length > 0) throw pagesFailed(failures);
      const { model: name, confidenceGranularity } = request;
      const documentBytes = document.length;
      return await writeOcrResponse({ model: name, pages, pagesRead, documentBytes, confidenceGranularity });
    } catch (error) {
      throw explain(error);
    }
  }

  private async bytesOf(source: DocumentSource, share: DocumentMemoryShare, signal: AbortSignal): Promise<Buffer> {
    if ('bytes' in source) return source.bytes;
    if (this.config.documentFetch) return this.fetcher.fetch(source.url, share, signal);
    throw invalidDocument('Documents are not fetched here: send it as a data: URL, or as a form with the field file.');
  }
}

function engineOf({ servedBy }: OcrModel): OcrEngine {
  if ('engine' in servedBy) return servedBy.engine;
  throw new Error('not built yet');
}

function explain(error: unknown): unknown {
  if (!(error instanceof DocumentError)) return explainEngineError(error, explanation);
  const { problem, message } = error;
  if (problem === 'too-large') return documentTooLarge('document');
  if (problem === 'page-out-of-range') return invalidField('pages', message);
  return new AppError('unreadable-document', message, { fields: [{ field: 'document', message }] });
}

/** Names the first few failures: there may be a thousand. */
function pagesFailed(failures: readonly string[]): AppError {
  const message = ['No page could be read.', ...failures.slice(0, 3)].join(' ');
  return new AppError('pages-failed', message, { fields: [{ field: 'document', message }] });
}
