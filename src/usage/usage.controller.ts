import { Controller, Get, Query, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { RequirePermission } from '../access/declare-access.js';
import { CurrentPrincipal, type Principal } from '../access/principal.js';
import { ApiQueryErrors } from '../common/errors/api-errors.js';
import { ApiCsvResponse, csvFile } from '../common/http/csv-file.js';
import { UsageFilterDto, UsageReportQueryDto } from './dto/usage-query.dto.js';
import { UsageReportDto } from './dto/usage-report.dto.js';
import { toUsageCsv } from './usage-csv.js';
import { UsageService } from './usage.service.js';

const tooManyPoints = 'Invalid query parameter, or more than 1,000 points; `errors` lists the parameters.';

@ApiTags('Usage')
@Controller('usage')
export class UsageController {
  constructor(private readonly usage: UsageService) {}

  /**
   * Get a usage report
   *
   * @remarks Reports the usage of all API keys of the current organization, including deleted ones.
   */
  @Get()
  @RequirePermission('get-usage')
  @ApiOkResponse({ type: UsageReportDto, description: 'Usage by API key, model, tag or creator and by hour or day.' })
  @ApiQueryErrors(tooManyPoints)
  getUsage(@CurrentPrincipal() principal: Principal, @Query() query: UsageReportQueryDto): Promise<UsageReportDto> {
    return this.usage.report(principal, query);
  }

  /**
   * Export a usage report
   *
   * @remarks Returns the report as a CSV file: one line per point, or per group with `interval=none`.
   */
  @Get('export')
  @RequirePermission('get-usage')
  @ApiCsvResponse('usage', 'A file with the points of the report.', 'start,apiKeyId,apiKeyName,apiKeyHint,requests')
  @ApiQueryErrors(tooManyPoints)
  async exportUsage(@CurrentPrincipal() principal: Principal, @Query() query: UsageFilterDto): Promise<StreamableFile> {
    const report = await this.usage.report(principal, query);
    return csvFile('usage', Buffer.from(toUsageCsv(report)));
  }
}
