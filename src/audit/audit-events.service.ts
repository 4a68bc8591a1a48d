import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { DataSource } from 'typeorm';
import type { Principal } from '../access/principal.js';
import { invalidField } from '../common/errors/app-error.js';
import { toCsv } from './audit-csv.js';
import type { AuditActorsQueryDto, FoundAuditActorDto } from './dto/audit-actor.dto.js';
import type { AuditEventListDto, AuditPersonDto } from './dto/audit-event.dto.js';
import { type AuditEventsFilterDto, type AuditEventsQueryDto, defaultLimit } from './dto/audit-events-query.dto.js';
import type { AuditKeysQueryDto, FoundAuditKeyDto } from './dto/audit-key.dto.js';
import type { LatestChangeDto } from './dto/latest-change.dto.js';
import { findLatestChanges } from './latest-changes.js';
import { AuditProofsService } from './proofs/audit-proofs.service.js';
import { readAuditActors } from './read-audit-actors.js';
import { readAuditKeys } from './read-audit-keys.js';
import { readAuditPeople } from './read-audit-people.js';
import {
  type AuditEventRow,
  type AuditPosition,
  type AuditSelection,
  findAuditPosition,
  findTargets,
  readAllAuditEvents,
  readAuditEvents,
} from './read-audit-events.js';
import { toDto } from './show-audit-event.js';

/** Reads the audit log of an organization. */
@Injectable()
export class AuditEventsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly proofs: AuditProofsService,
  ) {}

  /**
   * Returns a page of the events of the principal's organization. The cursor is the id of the last event read. Events
   * never change, so each one that existed when the first page was read is returned once.
   *
   * @throws AppError 400 for an empty period or an invalid cursor
   */
  async list(principal: Principal, query: AuditEventsQueryDto): Promise<AuditEventListDto> {
    checkPeriod(query);
    const { organizationId } = principal;
    const { cursor, limit = defaultLimit } = query;
    const after = cursor === undefined ? undefined : await this.findPosition(organizationId, cursor);
    const selection = await this.toSelection(organizationId, query);
    const events = await readAuditEvents(this.dataSource, selection, { after, count: limit + 1 });
    const page = events.slice(0, limit);
    const nextCursor = events.length > limit ? (page.at(-1)?.id ?? null) : null;
    return { auditEvents: page.map(toDto), people: await this.namePeople(principal, page), nextCursor };
  }

  /**
   * Returns the latest changes in the principal's organization, several of one kind that a request caused as one, and who is in
   * them.
   */
  async latestChanges(
    principal: Principal,
    count: number,
  ): Promise<{ changes: LatestChangeDto[]; people: AuditPersonDto[] }> {
    const latest = await findLatestChanges(this.dataSource, principal.organizationId, count);
    const people = await this.namePeople(
      principal,
      latest.map(({ row }) => row),
    );
    return { changes: latest.map(({ change }) => change), people };
  }

  /**
   * Streams a CSV file of all matching events of the principal's organization, reading them on demand. An error destroys
   * the stream, so a file that ends is complete.
   *
   * @throws AppError 400 for an empty period
   */
  async exportCsv(principal: Principal, query: AuditEventsFilterDto): Promise<Readable> {
    checkPeriod(query);
    const selection = await this.toSelection(principal.organizationId, query);
    const parts = this.nameActors(principal, readAllAuditEvents(this.dataSource, selection));
    // Read before the response starts, so that an error still gets an error response.
    const first = await parts.next();
    return Readable.from(toCsv(first, parts));
  }

  /** Streams the same events as JSON lines with proofs; see `AuditProofsService.export`. */
  async exportLines({ organizationId }: Principal, query: AuditEventsFilterDto): Promise<Readable> {
    checkPeriod(query);
    return this.proofs.export(await this.toSelection(organizationId, query));
  }

  /** Returns the first actors of the events that match, sorted by name or email. */
  findActors(
    { organizationId, permissions }: Principal,
    { search = '' }: AuditActorsQueryDto,
  ): Promise<FoundAuditActorDto[]> {
    const namesPeople = permissions.includes('get-members');
    return readAuditActors(this.dataSource, { organizationId, search, namesPeople });
  }

  /** Returns the first keys whose name, or an earlier one, matches. */
  findKeys({ organizationId, permissions }: Principal, query: AuditKeysQueryDto): Promise<FoundAuditKeyDto[]> {
    const listsKeys = permissions.includes('get-api-keys');
    return readAuditKeys(this.dataSource, { ...query, organizationId, listsKeys });
  }

  /** Adds the names of people, as a page of events has them, with one query for each batch. */
  private async *nameActors(
    principal: Principal,
    batches: AsyncIterable<AuditEventRow[]>,
  ): AsyncGenerator<AuditEventRow[]> {
    for await (const events of batches) {
      const people = await this.namePeople(principal, events);
      const names = new Map(people.map(({ email, name }) => [email, name]));
      const nameOf = ({ actorEmail }: AuditEventRow) => (actorEmail === null ? undefined : names.get(actorEmail));
      yield events.map((event) => ({ ...event, actorName: nameOf(event) ?? event.actorName }));
    }
  }

  /** The names of the people in events, if the principal may see them. */
  private async namePeople(
    { organizationId, permissions }: Principal,
    events: readonly AuditEventRow[],
  ): Promise<AuditPersonDto[]> {
    return permissions.includes('get-members') ? readAuditPeople(this.dataSource, organizationId, events) : [];
  }

  private async toSelection(
    organizationId: string,
    { targetHint, ...filters }: AuditEventsFilterDto,
  ): Promise<AuditSelection> {
    const targetIds =
      targetHint === undefined ? undefined : await findTargets(this.dataSource, organizationId, targetHint);
    return { organizationId, ...filters, targetIds };
  }

  private async findPosition(organizationId: string, cursor: string): Promise<AuditPosition> {
    const position = isUUID(cursor) ? await findAuditPosition(this.dataSource, organizationId, cursor) : undefined;
    if (position === undefined) throw invalidField('cursor', 'cursor must be the nextCursor of a previous response.');
    return position;
  }
}

function checkPeriod({ from, to }: AuditEventsFilterDto): void {
  if (from === undefined || to === undefined || from < to) return;
  throw invalidField('from', `from (${from.toISOString()}) must be before to (${to.toISOString()}).`);
}
