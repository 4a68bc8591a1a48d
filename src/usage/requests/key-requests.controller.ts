import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { RequirePermission } from '../../access/declare-access.js';
import { CurrentPrincipal, type Principal } from '../../access/principal.js';
import { ApiQueryErrors } from '../../common/errors/api-errors.js';
import { IdParam } from '../../common/http/api-resource.js';
import { KeyRequestListDto, KeyRequestsQueryDto } from './key-request.dto.js';
import { KeyRequestsService } from './key-requests.service.js';

@ApiTags('Usage')
@Controller('api-keys/:id/requests')
export class KeyRequestsController {
  constructor(private readonly requests: KeyRequestsService) {}

  /**
   * List the latest requests of an API key
   *
   * @remarks Returns up to 700 successful requests and 300 that failed or were rejected, of the last 30 days. Those of a busy key
   *   are a sample: Keycard logs the first 50 of each kind, then 10 successful and 30 failed ones per minute and replica. `GET
   *   /usage` counts all. Requests are logged in the background, so one appears within a few seconds, and may be missing
   *   if the database was unavailable.
   */
  @Get()
  @RequirePermission('get-usage')
  @ApiOkResponse({ type: KeyRequestListDto, description: 'A page of requests.' })
  @ApiQueryErrors()
  listApiKeyRequests(
    @CurrentPrincipal() principal: Principal,
    @IdParam('API key') id: string,
    @Query() query: KeyRequestsQueryDto,
  ): Promise<KeyRequestListDto> {
    return this.requests.list(principal, id, query);
  }
}
