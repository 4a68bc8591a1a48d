import type { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../common/errors/app-error.js';
import type { BodyReader } from '../../common/http/body-reader.js';
import { ClientGoneError, signalOf } from '../client-signal.js';
import { ServiceConfig } from '../../config/service-config.js';
import type { RequestUsage } from '../metering.js';
import { clientOf, type EngineClient } from '../../engines/engine-client.js';
import type { OcrEngine, ReadPage } from '../../engines/ocr/ocr-engine.js';
import type { OcrModel } from '../models/model.js';
import { ModelCatalogueService } from '../models/model-catalogue.service.js';
import { ModelRequest } from '../body/model-request.js';
import { UpstreamsService } from '../upstreams/upstreams.service.js';
import { DocumentMemory, type DocumentMemoryShare } from '../body/document-memory.js';
import { type OcrRequest, readOcrRequest } from './body/read-ocr-request.js';
import { readUpload } from './body/read-upload.js';
import { tooMuchText } from './body/document-limit.js';
import { DocumentFetcher, type FetchContext } from './document-fetch/document-fetcher.js';
import { type DocumentSource, invalidDocument } from './document-field.js';
import { explainOcrError, pagesFailed } from './ocr-errors.js';
import { isRead, sizeInResponse, writeOcrResponse } from './ocr-response.js';

/** What a document is read by, and where what it uses is counted. */
interface Reading {
  engine: OcrEngine;
  usage: RequestUsage;
  /** Whose share of queues and memory it takes. */
  client: EngineClient;
  /** Where a document that is fetched is counted. */
  share: DocumentMemoryShare;
  /** Where the pages and the response are counted. */
  results: DocumentMemoryShare;
  /** Ends the work when the client has gone. */
  signal: AbortSignal;
}

@Injectable()
export class OcrService {
  constructor(
    private readonly catalogue: ModelCatalogueService,
    private readonly upstreams: UpstreamsService,
    private readonly fetcher: DocumentFetcher,
    private readonly memory: DocumentMemory,
    @Inject(ServiceConfig) private readonly config: Pick<ServiceConfig, 'documentFetch'>,
  ) {}

  /**
   * Answers a request by whatever serves its model; the work ends when the client goes.
   *
   * @returns the response body: JSON text, or its bytes
   * @throws AppError 404 for an unknown model; 400, 413 or 422 for a body or a document that cannot be had or read;
   *   503 when too much is waiting; and what engine or upstream answer
   */
  async answer(request: FastifyRequest, reply: FastifyReply): Promise<string | Buffer | Readable> {
    const { body, headers } = request;
    if (body === undefined) throw new AppError('malformed-request', 'A body is required: JSON, or a form with a file.');
    const share = this.memory.open(clientOf(request));
    try {
      const announcedBytes = Number(headers['content-length']);
      if (announcedBytes > 0) share.expect(announcedBytes);
      const isForm = /^multipart\//i.test(headers['content-type'] ?? '');
      return await (isForm ? this.answerForm(request, reply, share) : this.answerJson(request, reply, share));
    } finally {
      share.release();
    }
  }

  private async answerJson(request: FastifyRequest, reply: FastifyReply, share: DocumentMemoryShare) {
    const body = await ModelRequest.read(request, (bytes) => share.take(bytes));
    const { model, usage } = this.admit(body.modelName, request);
    const { task, servedBy } = model;
    if ('targets' in servedBy) {
      return this.upstreams.forward({ task, servedBy }, { body, requestId: request.id, usage, response: reply.raw });
    }
    const ocrRequest = await readOcrRequest(await body.readAll());
    return this.read(ocrRequest, { engine: servedBy.engine, usage, share, ...this.track(request, reply) });
  }

  private async answerForm(request: FastifyRequest, reply: FastifyReply, share: DocumentMemoryShare): Promise<Buffer> {
    const admit = (name: string) => this.admitForm(name, request);
    const ocrRequest = await readUpload(request.body as BodyReader, request.headers, { share, admit });
    return this.read(ocrRequest, { ...admit(ocrRequest.model), share, ...this.track(request, reply) });
  }

  /**
   * Finds the model of a request, which from then on is accounted for.
   *
   * @throws AppError 404 for an unknown model, 400 for one of another task, 503 when its engine is busy
   */
  private admit(name: string, request: FastifyRequest): { model: OcrModel; usage: RequestUsage } {
    const model = this.catalogue.getFor('ocr', name);
    const usage = { model: model.id, inputTokens: 0, pages: 0 };
    request.usage = usage;
    try {
      if ('engine' in model.servedBy) model.servedBy.engine.refuseWhenBusy(clientOf(request));
    } catch (error) {
      throw explainOcrError(error);
    }
    return { model, usage };
  }

  /** Only an engine takes a form: Mistral's servers know JSON alone, and what is passed on is never rebuilt. */
  private admitForm(name: string, request: FastifyRequest): Pick<Reading, 'engine' | 'usage'> {
    const { model, usage } = this.admit(name, request);
    if ('engine' in model.servedBy) return { engine: model.servedBy.engine, usage };
    throw new AppError(
      'unsupported-media-type',
      `The model '${name}' is run by another server, which takes JSON: send the document as a data: URL.`,
    );
  }

  /** Follows a response. Its memory stays counted until it has been sent, or its client has gone. */
  private track(request: FastifyRequest, reply: FastifyReply) {
    const client = clientOf(request);
    if (reply.raw.closed) throw new ClientGoneError('The client has disconnected.');
    const results = this.memory.open(client);
    reply.raw.once('close', () => results.release());
    return { client, results, signal: signalOf(reply) };
  }

  /**
   * Reads a document by an engine.
   *
   * @returns the response body: JSON as UTF-8
   * @throws AppError 400, 413 or 422 for a document that cannot be had or read, 503 when the engine is busy or broken,
   *   or when there is no memory for its pages
   */
  async read(request: OcrRequest, reading: Reading): Promise<Buffer> {
    const { engine, usage, client, results, signal } = reading;
    const document = await this.bytesOf(request.document, { ...reading, organizationId: client.organizationId });
    const onPage = this.countPages(results, request.confidenceGranularity);
    try {
      const pages = await engine.read(document, { client, pages: request.pages, onPage }, signal);
      const pagesRead = pages.filter(isRead).length;
      usage.pages = pagesRead;
      const failures = pages.flatMap((page) => (isRead(page) ? [] : [page.failure]));
      if (pagesRead === 0 && failures.length > 0) throw pagesFailed(failures);
      const { model, confidenceGranularity } = request;
      const documentBytes = document.length;
      return await writeOcrResponse({ model, pages, pagesRead, documentBytes, confidenceGranularity });
    } catch (error) {
      throw explainOcrError(error);
    }
  }

  private async bytesOf(source: DocumentSource, context: FetchContext): Promise<Buffer> {
    if ('bytes' in source) return source.bytes;
    if (this.config.documentFetch) return this.fetcher.fetch(source.url, context);
    throw invalidDocument('Documents are not fetched here: send it as a data: URL, or as a form with the field file.');
  }

  /**
   * Counts each page twice: as it was read, and as it is written.
   *
   * @returns throws DocumentError for a response beyond its limit, AppError 503 when all documents take too much
   */
  private countPages(results: DocumentMemoryShare, granularity: OcrRequest['confidenceGranularity']) {
    const limitBytes = this.memory.responseLimitBytes;
    let responseBytes = 0;
    return (page: ReadPage) => {
      const bytes = sizeInResponse(page, granularity);
      responseBytes += bytes;
      if (responseBytes > limitBytes) throw tooMuchText(limitBytes);
      results.take(2 * bytes);
    };
  }
}
