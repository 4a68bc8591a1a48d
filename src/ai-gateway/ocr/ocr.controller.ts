import type { Readable } from 'node:stream';
import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiNotFoundResponse, ApiOkResponse, ApiTags, ApiUnprocessableEntityResponse } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequireApiKey } from '../../access/declare-access.js';
import { ApiAiBodyErrors, ApiUpstreamErrors, openAiErrorContent } from '../../common/errors/api-errors.js';
import { ApiUpload } from '../../common/http/api-upload.js';
import { largestBodyBytes } from './body/document-limit.js';
import { OcrRequestDto, OcrUploadDto } from './ocr-request.dto.js';
import { OcrResponseDto } from './ocr-response.dto.js';
import { OcrService } from './ocr.service.js';

@ApiTags('AI')
@Controller('v1/ocr')
export class OcrController {
  constructor(private readonly ocr: OcrService) {}

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
  @ApiUpstreamErrors()
  async readDocument(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | Buffer | Readable> {
    const response = await this.ocr.answer(request, reply);
    void reply.type('application/json; charset=utf-8');
    return response;
  }
}
