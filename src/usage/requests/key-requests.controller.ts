import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { RequirePermission } from '../../access/declare-access.js';
import { CurrentPrincipal, type Principal } from '../../access/principal.js';
import { ApiQueryErrors } from '../../common/errors/api-errors.js';
import { IdParam } from '../../common/http/api-resource.js';
import { FindRequestsQueryDto, FoundRequestsDto } from './found-request.dto.js';
import { KeyRequestListDto, KeyRequestsQueryDto } from './key-request.dto.js';
import { KeyRequestsService } from './key-requests.service.js';
import { RequestSearchService } from './request-search.service.js';

@ApiTags('Usage')
@Controller('api-keys')
export class KeyRequestsController {
  constructor(
    private readonly requests: KeyRequestsService,
    private readonly search: RequestSearchService,
  ) {}

  /**
   * Find a request by its ID
   *
   * @remarks Returns the API keys of the current organization that have requests with this ID, with these requests. Clients
   *   can send the same ID again, so there can be several. Only finds requests that `GET /api-keys/{id}/requests` or
   *   `GET /api-keys/{id}/failures` list: older ones, those a sample left out and those of deleted keys aren't kept.
   */
  @Get('requests')
  @RequirePermission('get-usage')
  @ApiOkResponse({ type: FoundRequestsDto, description: 'The keys with their requests.' })
  @ApiQueryErrors()
  findRequests(
    @CurrentPrincipal() principal: Principal,
    @Query() { requestId }: FindRequestsQueryDto,
  ): Promise<FoundRequestsDto> {
    return this.search.find(principal, requestId);
  }

  /**
   * List the latest requests of an API key
   *
   * @remarks Returns up to 700 successful requests and 300 that failed or were rejected, of the last 30 days. Those of a busy key
   *   are a sample: Keycard logs the first 50 of each kind, then 10 successful and 30 failed ones per minute and replica. `GET
   *   /usage` counts all. Requests are logged in the background, so one appears within a few seconds, and may be missing
   *   if the database was unavailable.
   */
  @Get(':id/requests')
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
