import { Controller, Get, Query, StreamableFile } from '@nestjs/common';
import { ApiBadRequestResponse, ApiExtraModels, ApiOkResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { RequirePermission } from '../access/declare-access.js';
import { CurrentPrincipal } from '../access/current-principal.js';
import type { Principal } from '../access/principal.js';
import { problemContent } from '../common/errors/api-errors.js';
import { AuditEventsService } from './audit-events.service.js';
import { AuditEventListDto } from './dto/audit-event.dto.js';
import { AuditEventsQueryDto } from './dto/audit-events-query.dto.js';

@ApiTags('Audit')
@Controller('audit-events')
export class AuditEventsController {
  constructor(private readonly auditEvents: AuditEventsService) {}

  /** Tell who did what in the current organization, newest first: by pages, or all of it as a CSV file. */
  @Get()
  @RequirePermission('get-audit-events')
  @ApiExtraModels(AuditEventListDto)
  @ApiOkResponse({
    description: 'One page of events, or with `format=csv` all that match, as a file.',
    content: {
      'application/json': { schema: { $ref: getSchemaPath(AuditEventListDto) } },
      'text/csv': {
        schema: { type: 'string', description: 'RFC 4180, the names of the columns in the first line.' },
        example: 'id,occurredAt,actorId',
      },
    },
    headers: {
      'Content-Disposition': {
        description: 'The name of the file; with `format=csv` only.',
        schema: { type: 'string', pattern: '^attachment; filename="audit-events-\\d{4}-\\d\\d-\\d\\d\\.csv"$' },
        example: 'attachment; filename="audit-events-2026-01-31.csv"',
      },
    },
  })
  @ApiBadRequestResponse({ ...problemContent, description: 'A query parameter is not valid; `errors` names it.' })
  async getAuditEvents(
    @CurrentPrincipal() principal: Principal,
    @Query() query: AuditEventsQueryDto,
  ): Promise<AuditEventListDto | StreamableFile> {
    if (query.format === 'json') return this.auditEvents.list(principal, query);
    const today = new Date().toISOString().slice(0, 10);
    return new StreamableFile(await this.auditEvents.export(principal, query), {
      type: 'text/csv; charset=utf-8',
      disposition: `attachment; filename="audit-events-${today}.csv"`,
    });
  }
}
