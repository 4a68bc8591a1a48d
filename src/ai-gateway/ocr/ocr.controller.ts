import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiNotFoundResponse, ApiOkResponse, ApiTags, ApiUnprocessableEntityResponse } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequireApiKey } from '../../auth/decorators/access.js';
import { ApiAiBodyErrors, openAiErrorContent } from '../../common/errors/api-errors.js';
import { AppError } from '../../common/errors/app-error.js';
import { ApiUpload } from '../../common/http/api-upload.js';
import { signalOf } from '../../common/http/client-signal.js';
import { bodyTooLarge } from '../../common/http/read-body.js';
import { chunksOf } from './body/body-chunks.js';
import { ByteCollector } from './body/byte-collector.js';
import { largestBodyBytes } from './body/document-limit.js';
import { DocumentMemory } from './body/document-memory.js';
import { type OcrRequest, readOcrRequest } from './body/read-ocr-request.js';
import { readUpload, type UploadOptions } from './body/read-upload.js';
import { OcrRequestDto, OcrUploadDto } from './ocr-request.dto.js';
import { OcrResponseDto } from './ocr-response.dto.js';
import { OcrService } from './ocr.service.js';

@ApiTags('AI')
@Controller('v1/ocr')
export class OcrController {
  constructor(
    private readonly ocr: OcrService,
    private readonly memory: DocumentMemory,
  ) {}

  /** Read the text of a PDF or an image, in Mistral's shape. */
  @Post()
  @HttpCode(200)
  @RequireApiKey({
    bodyLimitBytes: largestBodyBytes,
    streamedContentTypes: ['application/json', 'multipart/form-data'],
  })
  @ApiBody({ type: OcrRequestDto })
  @ApiUpload(OcrUploadDto)
  @ApiOkResponse({ type: OcrResponseDto, description: 'The text, page by page.' })
  @ApiAiBodyErrors({ largestBody: '80 MB, or its document larger than 50 MB' })
  @ApiNotFoundResponse({ ...openAiErrorContent, description: 'There is no such model.' })
  @ApiUnprocessableEntityResponse({ ...openAiErrorContent, description: 'The document cannot be read.' })
  async readDocument(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const signal = signalOf(reply);
    const share = this.memory.open();
    try {
      const admit = (model: string) => this.ocr.admit(model, request);
      const ocrRequest = await readBody(request, { share, admit });
      const response = await this.ocr.read(ocrRequest, { ...admit(ocrRequest.model), share, signal });
      void reply.type('application/json; charset=utf-8');
      return response;
    } finally {
      share.release();
    }
  }
}

/** The request, from a form or from JSON. */
async function readBody({ raw, headers, body }: FastifyRequest, options: UploadOptions): Promise<OcrRequest> {
  if (body === undefined) throw new AppError('malformed-request', 'A body is required: JSON, or a form with a file.');
  const expectedBytes = Number(headers['content-length']);
  if (expectedBytes > 0) options.share.expect(expectedBytes);
  if (/^multipart\//i.test(headers['content-type'] ?? '')) return readUpload(raw, options);
  const collector = new ByteCollector({
    share: options.share,
    limitBytes: largestBodyBytes,
    tooLarge: () => bodyTooLarge(largestBodyBytes),
    expectedBytes,
  });
  for await (const chunk of chunksOf(raw)) collector.add(chunk);
  return readOcrRequest(collector.bytes());
}
