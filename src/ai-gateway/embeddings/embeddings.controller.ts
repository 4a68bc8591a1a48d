import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiBody,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiPayloadTooLargeResponse,
  ApiTags,
  ApiUnsupportedMediaTypeResponse,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { RequireApiKey } from '../../auth/decorators/access.js';
import { OpenAiErrorDto } from '../../common/errors/openai-error.dto.js';
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
  @ApiBadRequestResponse({ type: OpenAiErrorDto, description: 'A parameter is not valid; `param` names it.' })
  @ApiNotFoundResponse({ type: OpenAiErrorDto, description: 'There is no such model.' })
  @ApiPayloadTooLargeResponse({ type: OpenAiErrorDto, description: 'The body is larger than 10 MB.' })
  @ApiUnsupportedMediaTypeResponse({ type: OpenAiErrorDto, description: 'The body is not sent as JSON.' })
  async createEmbeddings(@Body() body: unknown, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const response = await this.embeddings.embed(parseEmbeddingsRequest(body), signalOf(reply));
    void reply.type('application/json; charset=utf-8');
    return response;
  }
}
