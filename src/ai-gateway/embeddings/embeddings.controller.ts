import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiBody, ApiNotFoundResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { RequireApiKey } from '../../auth/decorators/access.js';
import { ApiAiBodyErrors, openAiErrorContent } from '../../common/errors/api-errors.js';
import { signalOf } from '../../common/http/client-signal.js';
import { EmbeddingsRequestDto, parseEmbeddingsRequest } from './embeddings-request.js';
import { EmbeddingsResponseDto } from './embeddings-response.js';
import { EmbeddingsService } from './embeddings.service.js';

@ApiTags('AI')
@Controller('v1/embeddings')
export class EmbeddingsController {
  constructor(private readonly embeddings: EmbeddingsService) {}

  /** Turn texts into vectors, in OpenAI's shape. */
  @Post()
  @HttpCode(200)
  @RequireApiKey({ bodyLimitBytes: 10 * 1024 * 1024 })
  @ApiBody({ type: EmbeddingsRequestDto })
  @ApiOkResponse({ type: EmbeddingsResponseDto, description: 'One vector for each text.' })
  @ApiAiBodyErrors({ largestBody: '10 MB' })
  @ApiNotFoundResponse({ ...openAiErrorContent, description: 'There is no such model.' })
  async createEmbeddings(@Body() body: unknown, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const response = await this.embeddings.embed(parseEmbeddingsRequest(body), signalOf(reply));
    void reply.type('application/json; charset=utf-8');
    return response;
  }
}
