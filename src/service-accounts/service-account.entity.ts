import {
  Column,
  CreateDateColumn,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
  UpdateDateColumn,
} from 'typeorm';
import { Organization } from '../organizations/organization.entity.js';
import { Role } from '../organizations/role.entity.js';

/** A program's access to the management API of one organization, with one role. */
@Entity('service_accounts')
@Index('service_accounts_by_creation', ['organizationId', 'createdAt', 'id'])
@Index('service_accounts_by_role', ['organizationId', 'roleId'])
export class ServiceAccount {
  /** UUID v7. Also the OAuth client id. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid')
  organizationId: string;

  @ManyToOne(() => Organization, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id' })
  organization: Relation<Organization>;

  /** Trimmed. */
  @Column('text')
  name: string;

  @Column('uuid')
  roleId: string;

  @ManyToOne(() => Role)
  @JoinColumn([
    { name: 'organization_id', referencedColumnName: 'organizationId' },
    { name: 'role_id', referencedColumnName: 'id' },
  ])
  role: Relation<Role>;

  /** The first characters of the client secret. */
  @Column('text')
  hint: string;

  /** SHA-256 of the client secret, 32 bytes. */
  @Column({ type: 'bytea', select: false })
  secretHash: Buffer;

  /** Incremented by each rotation. Access tokens name the version of the secret that they were issued for. */
  @Column('integer', { default: 1 })
  secretVersion: number;

  /** SHA-256 of the secret from before the last rotation, accepted until `previousSecretExpiresAt`. */
  @Column({ type: 'bytea', nullable: true, select: false })
  previousSecretHash: Buffer | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  previousSecretExpiresAt: Date | null;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;

  /** When it last got an access token. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastUsedAt: Date | null;
}
