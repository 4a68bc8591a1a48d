import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { LimitCreation, RequirePermission } from '../../access/declare-access.js';
import { type Actor, CurrentActor } from '../../access/principal.js';
import { Audited } from '../../audit/audit.service.js';
import { ApiBodyErrors, ApiConflict } from '../../common/errors/api-errors.js';
import { noStoreHeader } from '../../common/http/api-headers.js';
import { NoStore } from '../../common/http/api-resource.js';
import { BulkApiKeysService } from './bulk-api-keys.service.js';
import {
  BulkDeleteApiKeysDto,
  BulkResultDto,
  BulkRotateApiKeysDto,
  BulkRotatedApiKeysDto,
  BulkUpdateApiKeysDto,
} from './bulk.dto.js';

@ApiTags('API keys')
@Controller('api-keys')
export class BulkApiKeysController {
  constructor(private readonly bulk: BulkApiKeysService) {}

  /**
   * Update several API keys
   *
   * @remarks Changes all keys or, after an error, none. Ids that are not of an API key are skipped and listed. Each changed key
   * has its own audit event.
   */
  @Post('bulk-update')
  @HttpCode(200)
  @RequirePermission('update-api-keys')
  @Audited('api-key.update')
  @ApiOkResponse({ type: BulkResultDto, description: 'The API keys were changed.' })
  @ApiBodyErrors()
  updateApiKeys(@CurrentActor() actor: Actor, @Body() body: BulkUpdateApiKeysDto): Promise<BulkResultDto> {
    return this.bulk.update(actor, body);
  }

  /**
   * Rotate several API keys
   *
   * @remarks Gives each key a new secret or, after an error, none. Their current secrets keep working for the grace period.
   * Ids that are not of an API key are skipped and listed. The response contains the full keys, which can't be retrieved
   * later. Each key has its own audit event.
   */
  @Post('bulk-rotate')
  @HttpCode(200)
  @NoStore()
  @RequirePermission('update-api-keys')
  @LimitCreation()
  @Audited('api-key.rotate')
  @ApiOkResponse({
    type: BulkRotatedApiKeysDto,
    description: 'The keys with their new secrets.',
    headers: noStoreHeader,
  })
  @ApiConflict('One of the API keys has expired.', 'api-key-expired')
  @ApiBodyErrors()
  rotateApiKeys(
    @CurrentActor() actor: Actor,
    @Body() { ids, gracePeriodSeconds }: BulkRotateApiKeysDto,
  ): Promise<BulkRotatedApiKeysDto> {
    return this.bulk.rotate(actor, ids, gracePeriodSeconds);
  }

  /**
   * Delete several API keys
   *
   * @remarks Revokes the keys immediately: requests using them are rejected as soon as this responds. Ids that are not of an API
   * key are skipped and listed. Each deleted key has its own audit event.
   */
  @Post('bulk-delete')
  @HttpCode(200)
  @RequirePermission('delete-api-keys')
  @Audited('api-key.delete')
  @ApiOkResponse({ type: BulkResultDto, description: 'The API keys were deleted.' })
  @ApiBodyErrors()
  deleteApiKeys(@CurrentActor() actor: Actor, @Body() { ids }: BulkDeleteApiKeysDto): Promise<BulkResultDto> {
    return this.bulk.delete(actor, ids);
  }
}
