import type { OperationObject } from '@nestjs/swagger';
import { maxDocumentBytes, maxDocumentPages } from '../../../common/rules/document-limits.js';
import type { Model } from '../../models/model.js';
import { bodyErrors, error, modelNotFound, operation, schemaOf, success, upstreamErrors } from '../../openapi.js';
import type { RouteGroup } from '../../route-group.js';
import { DocumentFetcher } from './document-fetch/document-fetcher.js';
import { defaultFetchRules } from './document-fetch/fetch-rules.js';
import { OcrRequestDto, OcrUploadDto } from './ocr-request.dto.js';
import { OcrResponseDto } from './ocr-response.dto.js';
import { OcrService } from './ocr.service.js';

export const ocrTask: RouteGroup = {
  routes: OcrService,
  providers: [{ provide: DocumentFetcher, useFactory: () => new DocumentFetcher(defaultFetchRules) }],
  engineLimits: ({ task, servedBy }: Model) =>
    task === 'ocr' && 'engine' in servedBy ? { maxDocumentBytes, maxDocumentPages } : undefined,
  schemas: [OcrRequestDto, OcrUploadDto, OcrResponseDto],
  paths: () => ({
    '/v1/ocr': {
      post: operation('readDocument', {
        summary: 'Read the text of a PDF or an image',
        description:
          "Returns the text of each page as Markdown. Requests and responses have Mistral's format. Upstream models accept JSON only, including fields that aren't listed here.",
        requestBody: {
          required: true,
          content: { 'application/json': schemaOf(OcrRequestDto), 'multipart/form-data': schemaOf(OcrUploadDto) },
        },
        responses: responses(),
      }),
    },
    '/v1/ocr/upload': {
      post: operation('uploadDocument', {
        summary: 'Read the text of an uploaded PDF or image',
        description:
          "The same as a form sent to `POST /v1/ocr`, for generated clients that support only one content type per operation. Upstream models don't accept forms.",
        requestBody: { required: true, content: { 'multipart/form-data': schemaOf(OcrUploadDto) } },
        responses: responses(),
      }),
    },
  }),
};

function responses(): OperationObject['responses'] {
  return {
    200: success(OcrResponseDto, 'The text of each page.'),
    ...bodyErrors('80 MB, or the document larger than 50 MB'),
    404: modelNotFound,
    422: error('The document or all of its pages could not be read.', [
      'unreadable-document',
      'pages-failed',
      'no-text-found',
    ]),
    ...upstreamErrors,
  };
}
