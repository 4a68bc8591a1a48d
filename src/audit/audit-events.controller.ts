import { Controller, Get, Query, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { RequirePermission } from '../access/declare-access.js';
import { CurrentPrincipal, type Principal } from '../access/principal.js';
import { ApiQueryErrors } from '../common/errors/api-errors.js';
import { ApiCsvResponse, csvFile, jsonLinesFile } from '../common/http/csv-file.js';
import { AuditEventsService } from './audit-events.service.js';
import { AuditActorListDto, AuditActorsQueryDto } from './dto/audit-actor.dto.js';
import { AuditEventListDto } from './dto/audit-event.dto.js';
import { AuditEventsExportQueryDto, AuditEventsQueryDto } from './dto/audit-events-query.dto.js';
import { AuditKeyListDto, AuditKeysQueryDto } from './dto/audit-key.dto.js';
import { ApiProofsOff } from './proofs/audit-proofs.controller.js';

@ApiTags('Audit')
@Controller('audit-events')
export class AuditEventsController {
  constructor(private readonly auditEvents: AuditEventsService) {}

  /**
   * List audit events
   *
   * @remarks Returns the events of the current organization, newest first.
   */
  @Get()
  @RequirePermission('get-audit-events')
  @ApiOkResponse({ type: AuditEventListDto, description: 'A page of events.' })
  @ApiQueryErrors()
  listAuditEvents(
    @CurrentPrincipal() principal: Principal,
    @Query() query: AuditEventsQueryDto,
  ): Promise<AuditEventListDto> {
    return this.auditEvents.list(principal, query);
  }

  /**
   * Find actors
   *
   * @remarks Returns people and service accounts with events in the current organization, including former ones, to filter the
   * events by `actorEmail` or `actorId`.
   */
  @Get('actors')
  @RequirePermission('get-audit-events')
  @ApiOkResponse({ type: AuditActorListDto, description: 'The first actors that match.' })
  @ApiQueryErrors()
  async findAuditActors(
    @CurrentPrincipal() principal: Principal,
    @Query() query: AuditActorsQueryDto,
  ): Promise<AuditActorListDto> {
    return { actors: await this.auditEvents.findActors(principal, query) };
  }

  /**
   * Find API keys in the audit log
   *
   * @remarks Returns keys with events in the current organization, including deleted ones, to filter the events by
   * `targetId`. Current keys without events are returned only with the permission `get-api-keys`.
   */
  @Get('api-keys')
  @RequirePermission('get-audit-events')
  @ApiOkResponse({ type: AuditKeyListDto, description: 'The first keys that match.' })
  @ApiQueryErrors()
  async findAuditKeys(
    @CurrentPrincipal() principal: Principal,
    @Query() query: AuditKeysQueryDto,
  ): Promise<AuditKeyListDto> {
    return { apiKeys: await this.auditEvents.findKeys(principal, query) };
  }

  /**
   * Export audit events
   *
   * @remarks Returns all matching events of the current organization as a CSV file, newest first. With `format=jsonl`, returns
   * them with proofs, oldest first: a line for each event, lines with the hashes of events that don't match, and a last line
   * with a signed checkpoint, to whose root all lines lead.
   */
  @Get('export')
  @RequirePermission('get-audit-events')
  @ApiCsvResponse(
    'audit-events',
    'A file with all matching events.',
    'id,occurredAt,actorId',
    '{"index":0,"event":{…}}',
  )
  @ApiQueryErrors()
  @ApiProofsOff()
  async exportAuditEvents(
    @CurrentPrincipal() principal: Principal,
    @Query() { format, ...query }: AuditEventsExportQueryDto,
  ): Promise<StreamableFile> {
    return format === 'jsonl'
      ? jsonLinesFile('audit-events', await this.auditEvents.exportLines(principal, query))
      : csvFile('audit-events', await this.auditEvents.exportCsv(principal, query));
  }
}
