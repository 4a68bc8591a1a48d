import type { Readable } from 'node:stream';
import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiNotFoundResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequireApiKey } from '../../access/declare-access.js';
import { ApiAiBodyErrors, ApiUpstreamErrors, openAiErrorContent } from '../../common/errors/api-errors.js';
import { EmbeddingsRequestDto } from './embeddings-request.js';
import { EmbeddingsResponseDto } from './embeddings-response.js';
import { EmbeddingsService } from './embeddings.service.js';

@ApiTags('AI')
@Controller('v1/embeddings')
export class EmbeddingsController {
  constructor(private readonly embeddings: EmbeddingsService) {}

  /** Turn texts into vectors, in OpenAI's shape. */
  @Post()
  @HttpCode(200)
  @RequireApiKey({ bodyLimitBytes: 10 * 1024 * 1024, streamedContentTypes: ['application/json'] })
  @ApiBody({ type: EmbeddingsRequestDto })
  @ApiOkResponse({ type: EmbeddingsResponseDto, description: 'One vector for each text.' })
  @ApiAiBodyErrors({ largestBody: '10 MB' })
  @ApiNotFoundResponse({ ...openAiErrorContent, description: 'There is no such model.' })
  @ApiUpstreamErrors()
  async createEmbeddings(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | Buffer | Readable> {
    const response = await this.embeddings.answer(request, reply);
    void reply.type('application/json; charset=utf-8');
    return response;
  }
}
