import type { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError, invalidField } from '../../../common/errors/app-error.js';
import { ClientGoneError } from '../../../common/errors/client-gone-error.js';
import { BodyMemory, type MemoryShare } from '../../../common/http/body-memory.js';
import type { BodyReader } from '../../../common/http/body-reader.js';
import { ServiceConfig } from '../../../config/service-config.js';
import { clientOf, type EngineClient } from '../../../engines/engine-client.js';
import type { FailedPage, OcrEngine, ReadPage } from '../../../engines/ocr/ocr-engine.js';
import type { Admission } from '../../../limits/admission.js';
import { ReservationsService } from '../../../limits/reservations.service.js';
import { ModelRequest } from '../../body/model-request.js';
import { signalOf } from '../../client-signal.js';
import type { RequestUsage } from '../../request-usage.js';
import { RequestDemands } from '../../request-demands.js';
import type { ModelOf } from '../../models/model.js';
import { inEngineSpan } from '../../model-spans.js';
import { ModelCatalogService } from '../../models/model-catalog.service.js';
import { type GatewayRoute, jsonText, type RouteProvider } from '../../route-group.js';
import { UpstreamsService } from '../../upstreams/upstreams.service.js';
import { maxBodyBytes, maxResponseBytes, tooMuchText } from './body/document-limit.js';
import { type DocumentSource, type OcrRequest, readOcrRequest } from './body/read-ocr-request.js';
import { readUpload } from './body/read-upload.js';
import { DocumentFetcher, type FetchContext } from './document-fetch/document-fetcher.js';
import { explainOcrError, noTextFound, pagesFailed } from './ocr-errors.js';
import { invalidDocument } from './ocr-request.js';
import { ocrProtocol } from './ocr.upstream.js';
import { isRead, sizeInResponse, writeOcrResponse } from './ocr-response.js';

/** Engine, usage counters, memory and cancellation of one request. */
interface OcrContext {
  engine: OcrEngine;
  usage: RequestUsage;
  admission?: Admission | undefined;
  client: EngineClient;
  /** What a fetched document is counted against. */
  documentMemory: MemoryShare;
  /** What pages and the response are counted against. */
  resultMemory: MemoryShare;
  signal: AbortSignal;
}

/** What is reserved for an upstream, which reports the pages only afterwards. */
const onePage = { tokens: 0, pages: 1 };

@Injectable()
export class OcrService implements RouteProvider {
  /** Maximum size of a response. Tests use a smaller one. */
  maxResponseBytes = maxResponseBytes;

  constructor(
    private readonly catalog: ModelCatalogService,
    private readonly upstreams: UpstreamsService,
    private readonly fetcher: DocumentFetcher,
    private readonly demands: RequestDemands,
    private readonly reservations: ReservationsService,
    private readonly memory: BodyMemory,
    @Inject(ServiceConfig) private readonly config: Pick<ServiceConfig, 'documentFetch'>,
  ) {}

  routes(): readonly GatewayRoute[] {
    const common = { method: 'POST', maxBodyBytes, uses: 'pages' } as const;
    return [
      {
        ...common,
        url: '/v1/ocr',
        contentTypes: ['application/json', 'multipart/form-data'],
        handler: (request, reply) => this.readDocument(request, reply.type(jsonText)),
      },
      {
        ...common,
        url: '/v1/ocr/upload',
        contentTypes: ['multipart/form-data'],
        handler: (request, reply) => this.uploadDocument(request, reply.type(jsonText)),
      },
    ];
  }

  /**
   * Reads a document with the engine or upstream that serves the model. The work ends when the client disconnects.
   *
   * @returns the response body: JSON as bytes, or a stream of them
   * @throws AppError 404 for an unknown model; 400, 413 or 422 if the body or its document can't be read; 503 if too
   *   much work is waiting; and errors of the engine or upstream
   */
  async readDocument(request: FastifyRequest, reply: FastifyReply): Promise<Buffer | Readable> {
    const { body, headers } = request;
    if (body === undefined) throw new AppError('malformed-request', 'A body is required: JSON, or a form with a file.');
    const memory = this.memory.open(request.principal?.organizationId);
    try {
      const announcedBytes = Number(headers['content-length']);
      if (announcedBytes > 0) memory.expect(announcedBytes);
      const isForm = /^multipart\//i.test(headers['content-type'] ?? '');
      return await (isForm ? this.readForm(request, reply, memory) : this.readJson(request, reply, memory));
    } finally {
      memory.release();
    }
  }

  /** Like `readDocument`, but documented for forms only: most client generators support one content type per operation. */
  uploadDocument(request: FastifyRequest, reply: FastifyReply): Promise<Buffer | Readable> {
    return this.readDocument(request, reply);
  }

  private async readJson(
    request: FastifyRequest,
    reply: FastifyReply,
    documentMemory: MemoryShare,
  ): Promise<Buffer | Readable> {
    const body = await ModelRequest.read(request, documentMemory);
    const { model, usage } = this.admit(body.modelName, request);
    const { task, servedBy } = model;
    const { id: requestId, trace } = request;
    if ('targets' in servedBy) {
      // First the whole body must be here, so that a client that stops sending holds nothing.
      const { admission } = request;
      if (admission?.limits('pages', model.id) || admission?.limits('cost', model.id)) await body.readAll();
      const demand = this.demands.of(admission, model.id, { pages: 1 }, { estimate: onePage });
      await this.reservations.reserve(admission, demand, usage);
      return this.upstreams.forward([servedBy.targets], ocrProtocol, {
        body,
        requestId,
        trace,
        usage,
        response: reply.raw,
      });
    }
    const ocrRequest = await readOcrRequest(await body.readAll());
    const context = { engine: servedBy.engine, usage, documentMemory, ...this.track(request, reply) };
    return inEngineSpan(trace, task, usage, () => this.recognize(ocrRequest, context));
  }

  private async readForm(request: FastifyRequest, reply: FastifyReply, documentMemory: MemoryShare): Promise<Buffer> {
    const admit = (name: string) => this.admitForm(name, request);
    const ocrRequest = await readUpload(request.body as BodyReader, request.headers, { memory: documentMemory, admit });
    const context = { ...admit(ocrRequest.model), documentMemory, ...this.track(request, reply) };
    return inEngineSpan(request.trace, 'ocr', context.usage, () => this.recognize(ocrRequest, context));
  }

  /**
   * Finds the model of a request, which is metered from here on.
   *
   * @throws AppError 404 for an unknown model, 403 for a forbidden one, 400 for one of another task, 503 if its engine is busy
   */
  private admit(name: string, request: FastifyRequest): { model: ModelOf<'ocr'>; usage: RequestUsage } {
    request.requestedModel = name;
    const model = this.catalog.getFor('ocr', name, request.principal);
    const usage: RequestUsage = { model: model.id, most: () => ({ pages: 1 }) };
    request.usage = usage;
    try {
      if ('engine' in model.servedBy) model.servedBy.engine.rejectIfBusy(clientOf(request));
    } catch (error) {
      throw explainOcrError(error);
    }
    return { model, usage };
  }

  /** Only engines take forms: upstreams of Mistral's shape take JSON, and forwarded bodies are never rewritten. */
  private admitForm(name: string, request: FastifyRequest): Pick<OcrContext, 'engine' | 'usage'> {
    const { model, usage } = this.admit(name, request);
    if ('engine' in model.servedBy) return { engine: model.servedBy.engine, usage };
    throw new AppError(
      'unsupported-media-type',
      `The model '${name}' is served by an upstream, which takes JSON. Send the document as a data: URL.`,
    );
  }

  /** Memory of the results stays counted until the response was sent or the client has disconnected. */
  private track(
    request: FastifyRequest,
    reply: FastifyReply,
  ): Pick<OcrContext, 'admission' | 'client' | 'resultMemory' | 'signal'> {
    const client = clientOf(request);
    if (reply.raw.closed) throw new ClientGoneError();
    const resultMemory = this.memory.open(client.organizationId);
    reply.raw.once('close', () => resultMemory.release());
    return { admission: request.admission, client, resultMemory, signal: signalOf(reply) };
  }

  /**
   * Reads a document with an engine.
   *
   * @returns the response body: JSON as UTF-8
   * @throws AppError 400, 413 or 422 if the document can't be fetched or read, or a language isn't installed, 429 if its
   *   pages exceed a limit of the key, 503 if the engine is busy or broken, or if
   *   there is no memory for the pages
   */
  async recognize(request: OcrRequest, context: OcrContext): Promise<Buffer> {
    const { engine, usage, admission, client, documentMemory: memory, resultMemory, signal } = context;
    const { organizationId } = client;
    const { languages, images } = request;
    requireInstalled(languages ?? [], engine);
    const document = await this.bytesOf(request.document, { organizationId, memory, signal });
    const beforePages = async (pages: number) => {
      await this.reservations.reserve(admission, this.demands.of(admission, usage.model, { pages }), usage);
    };
    const onPage = this.countPages(usage, resultMemory, request.confidenceGranularity);
    try {
      const pages = await engine.read(
        document,
        { client, pages: request.pages, images, beforePages, onPage, ...(languages !== undefined && { languages }) },
        signal,
      );
      const pagesRead = pages.filter(isRead).length;
      const failures = pages.flatMap((page) => (isRead(page) ? [] : [page.failure]));
      if (pagesRead === 0 && failures.length > 0) throw pagesFailed(failures);
      if (pages.every((page) => !isRead(page) || page.confidence === null)) throw noTextFound(pages);
      return await writeOcrResponse({ ...request, pages, pagesRead, documentBytes: document.length });
    } catch (error) {
      throw explainOcrError(error);
    }
  }

  private async bytesOf(source: DocumentSource, context: FetchContext): Promise<Buffer> {
    if ('bytes' in source) return source.bytes;
    if (this.config.documentFetch) return this.fetcher.fetch(source.url, context);
    throw invalidDocument(
      'Fetching documents is disabled here. Send the document as a data: URL, or as the field file of a form.',
    );
  }

  /**
   * Counts pages as they are read, or given up after all the work. The memory of each counts twice, because it's kept as
   * it was read and as it's written.
   *
   * @returns a function that throws DocumentError if the response exceeds its limit, AppError 503 if there is no memory
   */
  private countPages(usage: RequestUsage, memory: MemoryShare, granularity: OcrRequest['confidenceGranularity']) {
    const maxBytes = this.maxResponseBytes;
    let responseBytes = 0;
    return (page: ReadPage | FailedPage) => {
      if (isRead(page) || page.wasKilled) usage.pages = (usage.pages ?? 0) + 1;
      if (!isRead(page)) return;
      const bytes = sizeInResponse(page, granularity);
      responseBytes += bytes;
      if (responseBytes > maxBytes) throw tooMuchText(maxBytes);
      memory.take(2 * bytes);
    };
  }
}

/** @throws AppError 400 that lists the installed languages */
function requireInstalled(languages: readonly string[], engine: OcrEngine): void {
  const missing = languages.find((language) => !engine.languages.includes(language));
  if (missing === undefined) return;
  throw invalidField(
    'languages',
    `The language '${missing}' is not installed. Installed languages: ${engine.languages.join(', ')}.`,
  );
}
