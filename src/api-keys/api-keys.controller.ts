import { Body, Controller, Delete, Get, Param, Post, Query, Res } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiCreatedResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { RequirePermission } from '../auth/decorators/access.js';
import { CurrentPrincipal } from '../auth/decorators/current-principal.js';
import type { Principal } from '../auth/principal.js';
import { ApiBodyErrors, ApiPathErrors, problemContent } from '../common/errors/api-errors.js';
import { ApiKeysService } from './api-keys.service.js';
import { CreateApiKeyDto, CreatedApiKeyDto } from './dto/create-api-key.dto.js';
import { DeletedApiKeyDto } from './dto/deleted-api-key.dto.js';
import { ApiKeyListDto, ListApiKeysQueryDto } from './dto/list-api-keys.dto.js';

@ApiTags('API keys')
@Controller('api-keys')
export class ApiKeysController {
  constructor(private readonly apiKeys: ApiKeysService) {}

  /** Create a key in the current organization. The answer is the only one that holds the full key. */
  @Post()
  @RequirePermission('create-api-keys')
  @ApiCreatedResponse({
    type: CreatedApiKeyDto,
    description: 'The key, this once.',
    headers: {
      Location: {
        description: 'Path of the key; its last part is the id.',
        schema: { type: 'string', format: 'uri-reference', pattern: '^/api-keys/[0-9a-f-]{36}$' },
        example: '/api-keys/01936f5e-7b1c-7cc3-98c4-dc0c0c07398f',
      },
      'Cache-Control': {
        description: 'Always `no-store`: the full key is not to be kept on its way.',
        schema: { type: 'string', enum: ['no-store'] },
        example: 'no-store',
      },
    },
  })
  @ApiBodyErrors()
  async createApiKey(
    @CurrentPrincipal() principal: Principal,
    @Body() body: CreateApiKeyDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CreatedApiKeyDto> {
    const { id, key } = await this.apiKeys.create(principal, body);
    void reply.headers({ location: `/api-keys/${id}`, 'cache-control': 'no-store' });
    return { key };
  }

  /** List the keys of the current organization, page by page. */
  @Get()
  @RequirePermission('get-api-keys')
  @ApiOkResponse({ type: ApiKeyListDto, description: 'One page of keys.' })
  @ApiBadRequestResponse({ ...problemContent, description: 'A query parameter is not valid; `errors` names it.' })
  listApiKeys(@CurrentPrincipal() principal: Principal, @Query() query: ListApiKeysQueryDto): Promise<ApiKeyListDto> {
    return this.apiKeys.list(principal, query);
  }

  /** Delete a key of the current organization. Once this has answered, no request with the key is accepted. */
  @Delete(':id')
  @RequirePermission('delete-api-keys')
  @ApiParam({
    name: 'id',
    description: 'Identifier of the key.',
    schema: {
      type: 'string',
      format: 'uuid',
      minLength: 36,
      maxLength: 36,
      example: '01936f5e-7b1c-7cc3-98c4-dc0c0c07398f',
    },
  })
  @ApiPathErrors(problemContent)
  @ApiOkResponse({ type: DeletedApiKeyDto, description: 'The key is deleted.' })
  @ApiNotFoundResponse({ ...problemContent, description: 'The organization has no key with this id.' })
  async deleteApiKey(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<DeletedApiKeyDto> {
    await this.apiKeys.delete(principal, id);
    return { message: 'The API key was deleted. Requests that use it are refused from now on.' };
  }
}
