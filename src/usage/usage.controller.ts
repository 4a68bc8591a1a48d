import { Controller, Get, Query } from '@nestjs/common';
import { ApiBadRequestResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { RequirePermission } from '../auth/decorators/access.js';
import { CurrentPrincipal } from '../auth/decorators/current-principal.js';
import type { Principal } from '../auth/principal.js';
import { problemContent } from '../common/errors/api-errors.js';
import { UsageQueryDto } from './dto/usage-query.dto.js';
import { UsageReportDto } from './dto/usage-report.dto.js';
import { UsageService } from './usage.service.js';

@ApiTags('Usage')
@Controller('usage')
export class UsageController {
  constructor(private readonly usage: UsageService) {}

  /** Tell what the keys of the current organization have used, deleted ones included. */
  @Get()
  @RequirePermission('get-usage')
  @ApiOkResponse({ type: UsageReportDto, description: 'The usage, by key or model and by hour or day.' })
  @ApiBadRequestResponse({
    ...problemContent,
    description: 'A query parameter is not valid, or the answer would have more than 1,000 points; `errors` names it.',
  })
  getUsage(@CurrentPrincipal() principal: Principal, @Query() query: UsageQueryDto): Promise<UsageReportDto> {
    return this.usage.report(principal, query);
  }
}
