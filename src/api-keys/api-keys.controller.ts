import { Body, Controller, Delete, Get, Header, HttpCode, Param, Patch, Post, Query, Res } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Audited } from '../audit/audited.js';
import type { Actor } from '../access/actor.js';
import { RequirePermission } from '../access/declare-access.js';
import { CurrentActor } from '../access/current-actor.js';
import { CurrentPrincipal } from '../access/current-principal.js';
import { LimitCreation } from '../access/limit-creation.js';
import type { Principal } from '../access/principal.js';
import { ApiBodyErrors, problemContent } from '../common/errors/api-errors.js';
import { ApiKeyId, noStoreHeader } from './api-key-responses.js';
import { ApiKeysService } from './api-keys.service.js';
import { ApiKeyDetailsDto } from './dto/api-key-details.dto.js';
import { CreateApiKeyDto, CreatedApiKeyDto } from './dto/create-api-key.dto.js';
import { DeletedApiKeyDto } from './dto/deleted-api-key.dto.js';
import { ApiKeyDto, ApiKeyListDto, ListApiKeysQueryDto } from './dto/api-key.dto.js';
import { RotateApiKeyDto, RotatedApiKeyDto } from './dto/rotate-api-key.dto.js';
import { UpdateApiKeyDto } from './dto/update-api-key.dto.js';

@ApiTags('API keys')
@Controller('api-keys')
export class ApiKeysController {
  constructor(private readonly apiKeys: ApiKeysService) {}

  /** Create a key in the current organization. The answer is the only one that holds the full key. */
  @Post()
  @RequirePermission('create-api-keys')
  @LimitCreation()
  @Audited('api-key.create')
  @ApiCreatedResponse({
    type: CreatedApiKeyDto,
    description: 'The key, this once.',
    headers: {
      Location: {
        description: 'Path of the key; its last part is the id.',
        schema: { type: 'string', format: 'uri-reference', pattern: '^/api-keys/[0-9a-f-]{36}$' },
        example: '/api-keys/01936f5e-7b1c-7cc3-98c4-dc0c0c07398f',
      },
      ...noStoreHeader,
    },
  })
  @ApiBodyErrors()
  async createApiKey(
    @CurrentActor() actor: Actor,
    @Body() body: CreateApiKeyDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CreatedApiKeyDto> {
    const { id, key } = await this.apiKeys.create(actor, body);
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

  /** Show a key of the current organization, with who created it and when it was last used. */
  @Get(':id')
  @RequirePermission('get-api-keys')
  @ApiKeyId()
  @ApiOkResponse({ type: ApiKeyDetailsDto, description: 'The key.' })
  getApiKey(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<ApiKeyDetailsDto> {
    return this.apiKeys.get(principal, id);
  }

  /** Rename a key of the current organization. */
  @Patch(':id')
  @RequirePermission('update-api-keys')
  @Audited('api-key.update')
  @ApiBodyErrors()
  @ApiKeyId()
  @ApiOkResponse({ type: ApiKeyDto, description: 'The key as it is now.' })
  updateApiKey(
    @CurrentActor() actor: Actor,
    @Param('id') id: string,
    @Body() body: UpdateApiKeyDto,
  ): Promise<ApiKeyDto> {
    return this.apiKeys.update(actor, id, body);
  }

  /**
   * Replace a key of the current organization by a new one with the same id, name, expiry and usage. The former key is
   * accepted until the grace period ends; one that was replaced before is refused from now on.
   */
  @Post(':id/rotate')
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @RequirePermission('update-api-keys')
  @LimitCreation()
  @Audited('api-key.rotate')
  @ApiBodyErrors()
  @ApiKeyId()
  @ApiOkResponse({ type: RotatedApiKeyDto, description: 'The new key, this once.', headers: noStoreHeader })
  @ApiConflictResponse({ ...problemContent, description: 'The key has expired; create a new one.' })
  async rotateApiKey(
    @CurrentActor() actor: Actor,
    @Param('id') id: string,
    @Body() { gracePeriodSeconds }: RotateApiKeyDto,
  ): Promise<RotatedApiKeyDto> {
    return { key: await this.apiKeys.rotate(actor, id, gracePeriodSeconds) };
  }

  /** Delete a key of the current organization. Once this has answered, no request with the key is accepted. */
  @Delete(':id')
  @RequirePermission('delete-api-keys')
  @Audited('api-key.delete')
  @ApiKeyId()
  @ApiOkResponse({ type: DeletedApiKeyDto, description: 'The key is deleted.' })
  async deleteApiKey(@CurrentActor() actor: Actor, @Param('id') id: string): Promise<DeletedApiKeyDto> {
    await this.apiKeys.delete(actor, id);
    return { message: 'The API key was deleted. Requests using it are now rejected.' };
  }
}
