import { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Principal } from '../../access/principal.js';
import { AppError, invalidField, notFound } from '../../common/errors/app-error.js';
import { ServiceConfig } from '../../config/service-config.js';
import type { AuditSelection } from '../read-audit-events.js';
import { type AuditKey, isSignedBy, toAuditKeys } from './audit-key.js';
import { AuditTreesService } from './audit-trees.service.js';
import { originOf, parseCheckpoint } from './checkpoint.js';
import { createCheckpoint, readNewestCheckpoint } from './create-checkpoint.js';
import type { AuditConsistencyProofDto, AuditProofDto } from './dto/audit-proof.dto.js';
import { exportLines } from './export-lines.js';
import { consistencyRanges, inclusionRanges } from './merkle-tree.js';
import { canonicalEvent, type ProvenEventRow, provenEventColumns } from './proven-event.js';
import { readRanges } from './read-hashes.js';

/** Proves what is in the audit log of an organization. */
@Injectable()
export class AuditProofsService {
  private readonly keys: AuditKey[];

  constructor(
    private readonly dataSource: DataSource,
    private readonly trees: AuditTreesService,
    @Inject(ServiceConfig) config: Pick<ServiceConfig, 'auditSigningKeys'>,
  ) {
    this.keys = toAuditKeys(config.auditSigningKeys);
  }

  /**
   * Returns a checkpoint with all events of the principal's organization.
   *
   * @throws AppError 404 without a signing key; 503 while events are hashed after an upgrade
   */
  async checkpoint({ organizationId }: Principal): Promise<string> {
    return (await this.signTree(organizationId)).note;
  }

  /**
   * Proves that a checkpoint contains an event.
   *
   * @throws AppError 404 for an unknown event, and without a signing key; 503 like `checkpoint`
   */
  async prove({ organizationId }: Principal, id: string): Promise<AuditProofDto> {
    const event = await this.findEvent(organizationId, id);
    const { index } = event;
    const { note, publicKey } =
      (await this.findCheckpoint(organizationId, index)) ?? (await this.signTree(organizationId));
    const { size = 0 } = parseCheckpoint(note) ?? {};
    const hashes = await readRanges(this.dataSource, organizationId, inclusionRanges(index, size));
    return {
      index,
      treeSize: size,
      hashes: hashes.map(toBase64),
      event: canonicalEvent(event),
      checkpoint: note,
      publicKey,
    };
  }

  /**
   * Proves that the newest checkpoint contains all that an earlier one did, in the same order.
   *
   * @throws AppError 400 if the log has fewer events; otherwise like `checkpoint`
   */
  async proveGrowth({ organizationId }: Principal, earlierSize: number): Promise<AuditConsistencyProofDto> {
    const { note: checkpoint, publicKey } = await this.signTree(organizationId);
    const { size: treeSize = 0 } = parseCheckpoint(checkpoint) ?? {};
    if (earlierSize > treeSize) {
      throw invalidField('size', `size must be at most ${treeSize}, the number of events in the log.`);
    }
    const hashes = await readRanges(this.dataSource, organizationId, consistencyRanges(earlierSize, treeSize));
    return { treeSize, hashes: hashes.map(toBase64), checkpoint, publicKey };
  }

  /**
   * Streams all matching events of an organization as JSON lines, oldest first, with all that proves their place in a
   * checkpoint.
   *
   * @throws AppError like `checkpoint`
   */
  async export(selection: AuditSelection): Promise<Readable> {
    const checkpoint = await this.signTree(selection.organizationId);
    const { size = 0 } = parseCheckpoint(checkpoint.note) ?? {};
    return Readable.from(exportLines(this.dataSource, selection, { ...checkpoint, size }));
  }

  private async signTree(treeId: string): Promise<{ note: string; publicKey: string }> {
    const key = this.requireKey();
    await this.trees.catchUp();
    const note = await this.dataSource.transaction((manager) => createCheckpoint(manager, key, treeId));
    return { note, publicKey: key.verifierKey(originOf(treeId)) };
  }

  /** A checkpoint that contains the leaf, if the current key has signed one. */
  private async findCheckpoint(treeId: string, index: number) {
    const publicKey = this.requireKey().verifierKey(originOf(treeId));
    const newest = await readNewestCheckpoint(this.dataSource, treeId);
    if (newest === undefined || newest.size <= index || !isSignedBy([publicKey], newest.note)) return undefined;
    return { note: newest.note, publicKey };
  }

  private async findEvent(organizationId: string, id: string): Promise<ProvenEventRow & { index: number }> {
    const read = () =>
      this.dataSource.query<(ProvenEventRow & { index: number | null })[]>(
        `select ${provenEventColumns}, index::float8 as index
         from audit_events left join audit_leaves on event_id = audit_events.id
         where organization_id = $1 and audit_events.id = $2`,
        [organizationId, id],
      );
    let [event] = await read();
    if (event?.index === null) {
      await this.trees.catchUp();
      [event] = await read();
    }
    if (event?.index == null) throw notFound('Audit event');
    return { ...event, index: event.index };
  }

  private requireKey(): AuditKey {
    const [key] = this.keys;
    if (key !== undefined) return key;
    throw new AppError('audit-proofs-off', 'The audit log of this service is not signed.');
  }
}

const toBase64 = (hash: Buffer) => hash.toString('base64');
