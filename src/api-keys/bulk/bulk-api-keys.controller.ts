import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { RequirePermission } from '../../access/declare-access.js';
import { type Actor, CurrentActor } from '../../access/principal.js';
import { Audited } from '../../audit/audit.service.js';
import { ApiBodyErrors } from '../../common/errors/api-errors.js';
import { BulkApiKeysService } from './bulk-api-keys.service.js';
import { BulkDeleteApiKeysDto, BulkResultDto, BulkUpdateApiKeysDto } from './bulk.dto.js';

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
