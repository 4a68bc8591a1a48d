import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { LimitCreation, RequirePermission } from '../access/declare-access.js';
import { type Actor, CurrentActor, CurrentPrincipal, type Principal } from '../access/principal.js';
import { Audited } from '../audit/audit.service.js';
import { ApiBodyErrors, ApiConflict, ApiQueryErrors } from '../common/errors/api-errors.js';
import { locationHeader, noStoreHeader } from '../common/http/api-headers.js';
import { IdempotencyKeyHeader } from '../common/http/idempotency-key.js';
import { IdParam, NoStore } from '../common/http/api-resource.js';
import { MessageDto } from '../common/http/message.dto.js';
import { ApiKeySecretsService } from './api-key-secrets.service.js';
import { ApiKeysService } from './api-keys.service.js';
import { ApiKeyDetailsDto } from './dto/api-key-details.dto.js';
import { ApiKeyListDto } from './dto/api-key-list.dto.js';
import { CreatedApiKeyDto, RotateApiKeyDto, RotatedApiKeyDto } from './dto/api-key-secret.dto.js';
import { ApiKeyTagListDto } from './dto/api-key-tags.dto.js';
import { ApiKeyDto } from './dto/api-key.dto.js';
import { CreateApiKeyDto, UpdateApiKeyDto } from './dto/change-api-key.dto.js';
import { ListApiKeysQueryDto } from './dto/list-api-keys-query.dto.js';

@ApiTags('API keys')
@Controller('api-keys')
export class ApiKeysController {
  constructor(
    private readonly apiKeys: ApiKeysService,
    private readonly secrets: ApiKeySecretsService,
  ) {}

  /**
   * Create an API key
   *
   * @remarks The response contains the full key. It can't be retrieved later.
   */
  @Post()
  @NoStore()
  @RequirePermission('create-api-keys')
  @LimitCreation()
  @Audited('api-key.create')
  @ApiCreatedResponse({
    type: CreatedApiKeyDto,
    description: 'The new key.',
    headers: { ...locationHeader('API key', '/api-keys'), ...noStoreHeader },
  })
  @ApiConflict('The `Idempotency-Key` was already used; `apiKeyId` is the key it created.', 'idempotency-key-reused')
  @ApiBodyErrors()
  async createApiKey(
    @CurrentActor() actor: Actor,
    @Body() body: CreateApiKeyDto,
    @IdempotencyKeyHeader() idempotencyKey: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CreatedApiKeyDto> {
    const { id, key } = await this.apiKeys.create(actor, body, idempotencyKey);
    void reply.header('location', `/api-keys/${id}`);
    return { key };
  }

  /**
   * List API keys
   *
   * @remarks Returns one page of the keys of the current organization.
   */
  @Get()
  @RequirePermission('get-api-keys')
  @ApiOkResponse({ type: ApiKeyListDto, description: 'A page of API keys.' })
  @ApiQueryErrors()
  listApiKeys(@CurrentPrincipal() principal: Principal, @Query() query: ListApiKeysQueryDto): Promise<ApiKeyListDto> {
    return this.apiKeys.list(principal, query);
  }

  /**
   * List tags of API keys
   *
   * @remarks Returns the tags of the keys of the current organization, with the number of keys.
   */
  @Get('tags')
  @RequirePermission('get-api-keys')
  @ApiOkResponse({ type: ApiKeyTagListDto, description: 'The tags in use.' })
  listApiKeyTags(@CurrentPrincipal() principal: Principal): Promise<ApiKeyTagListDto> {
    return this.apiKeys.listTags(principal);
  }

  /**
   * Get an API key
   *
   * @remarks Returns the key with its creator, restrictions and limits, without the full key.
   */
  @Get(':id')
  @RequirePermission('get-api-keys')
  @ApiOkResponse({ type: ApiKeyDetailsDto, description: 'The API key.' })
  getApiKey(@CurrentPrincipal() principal: Principal, @IdParam('API key') id: string): Promise<ApiKeyDetailsDto> {
    return this.apiKeys.get(principal, id);
  }

  /**
   * Update an API key
   *
   * @remarks Restrictions apply to every request that arrives after the response. Setting `enabled` to false rejects the
   * key until it is enabled again.
   */
  @Patch(':id')
  @RequirePermission('update-api-keys')
  @Audited('api-key.update')
  @ApiOkResponse({ type: ApiKeyDto, description: 'The changed API key.' })
  @ApiBodyErrors()
  updateApiKey(
    @CurrentActor() actor: Actor,
    @IdParam('API key') id: string,
    @Body() body: UpdateApiKeyDto,
  ): Promise<ApiKeyDto> {
    return this.apiKeys.update(actor, id, body);
  }

  /**
   * Rotate an API key
   *
   * @remarks Gives the key a new secret, and keeps its id, name, expiry and usage. The current secret keeps working for the
   * grace period. The previous secret of an earlier rotation is revoked immediately. The response contains the full key with
   * its new secret, which can't be retrieved later.
   */
  @Post(':id/rotate')
  @HttpCode(200)
  @NoStore()
  @RequirePermission('update-api-keys')
  @LimitCreation()
  @Audited('api-key.rotate')
  @ApiOkResponse({ type: RotatedApiKeyDto, description: 'The key with its new secret.', headers: noStoreHeader })
  @ApiConflict(
    'The API key has expired, or the `Idempotency-Key` was already used.',
    'api-key-expired',
    'idempotency-key-reused',
  )
  @ApiBodyErrors()
  async rotateApiKey(
    @CurrentActor() actor: Actor,
    @IdParam('API key') id: string,
    @Body() { gracePeriodSeconds }: RotateApiKeyDto,
    @IdempotencyKeyHeader() idempotencyKey: string | undefined,
  ): Promise<RotatedApiKeyDto> {
    return { key: await this.secrets.rotate(actor, id, gracePeriodSeconds, idempotencyKey) };
  }

  /**
   * Revoke the previous secret
   *
   * @remarks Ends the grace period of a rotation. Returns 404 if no previous secret is accepted.
   */
  @Delete(':id/previous-secret')
  @RequirePermission('update-api-keys')
  @Audited('api-key.update')
  @ApiOkResponse({ type: MessageDto, description: 'The previous secret was revoked.' })
  async revokePreviousSecret(@CurrentActor() actor: Actor, @IdParam('API key') id: string): Promise<MessageDto> {
    await this.secrets.revokePrevious(actor, id);
    return { message: 'The previous secret was revoked. Requests using it are now rejected.' };
  }

  /**
   * Report a leaked API key
   *
   * @remarks Disables the key and revokes its previous secret immediately: requests using it are rejected as soon as this
   * responds. The key then has the state `leaked` until it's rotated, which revokes its secret for good.
   */
  @Post(':id/report-leak')
  @HttpCode(200)
  @RequirePermission('update-api-keys')
  @Audited('api-key.leak')
  @ApiOkResponse({ type: MessageDto, description: 'The API key was disabled.' })
  async reportLeakedApiKey(@CurrentActor() actor: Actor, @IdParam('API key') id: string): Promise<MessageDto> {
    await this.secrets.reportLeak(actor, id);
    return { message: 'The API key was disabled. Requests using it are now rejected.' };
  }

  /**
   * Delete an API key
   *
   * @remarks Revokes the key immediately: requests using it are rejected as soon as this responds.
   */
  @Delete(':id')
  @RequirePermission('delete-api-keys')
  @Audited('api-key.delete')
  @ApiOkResponse({ type: MessageDto, description: 'The API key was deleted.' })
  async deleteApiKey(@CurrentActor() actor: Actor, @IdParam('API key') id: string): Promise<MessageDto> {
    await this.apiKeys.delete(actor, id);
    return { message: 'The API key was deleted. Requests using it are now rejected.' };
  }
}
