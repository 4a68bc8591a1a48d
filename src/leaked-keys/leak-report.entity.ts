import {
  Check,
  Column,
  CreateDateColumn,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
} from 'typeorm';
import { type LeakedSecret, leakedSecrets } from '../common/rules/leak-rules.js';

/**
 * A place where a secret of an API key was found, so that repeated reports change nothing. Outlives the secret and its key:
 * reports keep getting the same label.
 */
@Entity('leak_reports')
@Check('leak_reports_secret', `secret in (${leakedSecrets.map((secret) => `'${secret}'`).join(', ')})`)
@Index('leak_reports_by_organization', ['organizationId'])
export class LeakReport {
  /** SHA-256 of the secret, 32 bytes. */
  @PrimaryColumn('bytea')
  secretHash: Buffer;

  /** SHA-256 of the source and the URL, 32 bytes. */
  @PrimaryColumn('bytea')
  placeHash: Buffer;

  @Column('uuid')
  organizationId: string;

  @ManyToOne('Organization', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id' })
  organization: Relation<object>;

  /** No foreign key: outlives the key. */
  @Column('uuid')
  apiKeyId: string;

  /** Which secret of the key it was when it was reported. */
  @Column('text')
  secret: LeakedSecret;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 })
  reportedAt: Date;
}
