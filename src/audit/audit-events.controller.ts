import { Controller, Get, Query, StreamableFile } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { RequirePermission } from '../access/declare-access.js';
import { CurrentPrincipal, type Principal } from '../access/principal.js';
import { ApiQueryErrors } from '../common/errors/api-errors.js';
import { AuditEventsService } from './audit-events.service.js';
import { AuditEventListDto } from './dto/audit-event.dto.js';
import { AuditEventsQueryDto } from './dto/audit-events-query.dto.js';

@ApiTags('Audit')
@Controller('audit-events')
export class AuditEventsController {
  constructor(private readonly auditEvents: AuditEventsService) {}

  /**
   * List audit events
   *
   * @remarks Returns the events of the current organization, newest first: in pages, or all of them as a CSV file.
   */
  @Get()
  @RequirePermission('get-audit-events')
  @ApiExtraModels(AuditEventListDto)
  @ApiOkResponse({
    description: 'A page of events, or with `format=csv` a file with all matching events.',
    content: {
      'application/json': { schema: { $ref: getSchemaPath(AuditEventListDto) } },
      'text/csv': {
        schema: { type: 'string', description: 'RFC 4180, with the column names in the first line.' },
        example: 'id,occurredAt,actorId',
      },
    },
    headers: {
      'Content-Disposition': {
        description: 'File name. Only with `format=csv`.',
        schema: { type: 'string', pattern: '^attachment; filename="audit-events-\\d{4}-\\d\\d-\\d\\d\\.csv"$' },
        example: 'attachment; filename="audit-events-2026-01-31.csv"',
      },
    },
  })
  @ApiQueryErrors()
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
