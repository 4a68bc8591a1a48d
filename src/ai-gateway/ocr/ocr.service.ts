import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ServiceConfig } from '../../config/service-config.js';
import type { RequestUsage } from '../../usage/request-usage.js';
import type { OcrEngine } from '../engines/ocr-engine.js';
import type { OcrModel } from '../models/model.js';
import { ModelCatalogueService } from '../models/model-catalogue.service.js';
import type { DocumentMemoryShare } from './body/document-memory.js';
import type { OcrRequest } from './body/read-ocr-request.js';
import { DocumentFetcher } from './document-fetch/document-fetcher.js';
import { type DocumentSource, invalidDocument } from './document-field.js';
import { explainOcrError, pagesFailed } from './ocr-errors.js';
import { isRead, writeOcrResponse } from './ocr-response.js';

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
      throw explainOcrError(error);
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
      throw explainOcrError(error);
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
