import { Controller, Get, Query, StreamableFile } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { RequirePermission } from '../access/declare-access.js';
import { CurrentPrincipal, type Principal } from '../access/principal.js';
import { ApiQueryErrors } from '../common/errors/api-errors.js';
import { UsageQueryDto } from './dto/usage-query.dto.js';
import { UsageReportDto } from './dto/usage-report.dto.js';
import { toUsageCsv } from './usage-csv.js';
import { UsageService } from './usage.service.js';

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
  @ApiExtraModels(UsageReportDto)
  @ApiOkResponse({
    description: 'Usage by API key or model and by hour or day, or with `format=csv` a file.',
    content: {
      'application/json': { schema: { $ref: getSchemaPath(UsageReportDto) } },
      'text/csv': {
        schema: { type: 'string', description: 'RFC 4180, with the column names in the first line.' },
        example: 'start,apiKeyId,apiKeyName,apiKeyHint,requests',
      },
    },
    headers: {
      'Content-Disposition': {
        description: 'File name. Only with `format=csv`.',
        schema: { type: 'string', pattern: '^attachment; filename="usage-\\d{4}-\\d\\d-\\d\\d\\.csv"$' },
        example: 'attachment; filename="usage-2026-01-31.csv"',
      },
    },
  })
  @ApiQueryErrors('Invalid query parameter, or more than 1,000 points; `errors` lists the parameters.')
  async getUsage(
    @CurrentPrincipal() principal: Principal,
    @Query() query: UsageQueryDto,
  ): Promise<UsageReportDto | StreamableFile> {
    const report = await this.usage.report(principal, query);
    if (query.format === 'json') return report;
    const today = new Date().toISOString().slice(0, 10);
    return new StreamableFile(Buffer.from(toUsageCsv(report)), {
      type: 'text/csv; charset=utf-8',
      disposition: `attachment; filename="usage-${today}.csv"`,
    });
  }
}
