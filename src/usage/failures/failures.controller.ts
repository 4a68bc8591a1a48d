import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { RequirePermission } from '../../access/declare-access.js';
import { CurrentPrincipal, type Principal } from '../../access/principal.js';
import { ApiQueryErrors } from '../../common/errors/api-errors.js';
import { IdParam } from '../../common/http/api-resource.js';
import { RequestIdQueryDto } from '../dto/request.dto.js';
import { FailedRequestListDto, FailureReportDto, FailuresQueryDto } from './failure.dto.js';
import { FailuresService } from './failures.service.js';

@ApiTags('Usage')
@Controller()
export class FailuresController {
  constructor(private readonly failures: FailuresService) {}

  /**
   * Count failed requests
   *
   * @remarks Counts failed requests of the current organization's API keys by status and error code. Includes requests
   *   that aren't part of the usage, such as those with an expired or disabled key or an unknown model.
   */
  @Get('usage/failures')
  @RequirePermission('get-usage')
  @ApiOkResponse({ type: FailureReportDto, description: 'Counts by status and error code.' })
  @ApiQueryErrors()
  countFailures(@CurrentPrincipal() principal: Principal, @Query() query: FailuresQueryDto): Promise<FailureReportDto> {
    return this.failures.count(principal, query);
  }

  /**
   * List failed requests of an API key
   *
   * @remarks Returns the latest 100 failed requests of the last 30 days. Keycard records failures in the background, so
   *   one appears within a second, and may be missing if the database was unavailable.
   */
  @Get('api-keys/:id/failures')
  @RequirePermission('get-usage')
  @ApiOkResponse({ type: FailedRequestListDto, description: 'The failed requests.' })
  @ApiQueryErrors()
  listFailedRequests(
    @CurrentPrincipal() principal: Principal,
    @IdParam('API key') id: string,
    @Query() query: RequestIdQueryDto,
  ): Promise<FailedRequestListDto> {
    return this.failures.listOfKey(principal, id, query);
  }
}
