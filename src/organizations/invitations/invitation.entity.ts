import {
  Column,
  CreateDateColumn,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
  Unique,
} from 'typeorm';
import { Organization } from '../organization.entity.js';
import { Role } from '../role.entity.js';
import { User } from '../user.entity.js';

/** A pending invitation. Accepting, withdrawing or replacing it deletes the row. */
@Entity('invitations')
@Unique(['organizationId', 'email'])
@Index('invitations_by_creation', ['organizationId', 'createdAt', 'id'])
@Index('invitations_by_role', ['organizationId', 'roleId'])
export class Invitation {
  /** UUID v7. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid')
  organizationId: string;

  @ManyToOne(() => Organization, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id' })
  organization: Relation<Organization>;

  /** Lower case, like emails of accounts. */
  @Column('text')
  email: string;

  @Column('uuid')
  roleId: string;

  @ManyToOne(() => Role)
  @JoinColumn([
    { name: 'organization_id', referencedColumnName: 'organizationId' },
    { name: 'role_id', referencedColumnName: 'id' },
  ])
  role: Relation<Role>;

  /** SHA-256 of the token in the link, 32 bytes. */
  @Column({ type: 'bytea', unique: true, select: false })
  tokenHash: Buffer;

  /** Null once the inviter's account is deleted; the invitation stays open. */
  @Index('invitations_by_inviter')
  @Column('uuid', { nullable: true })
  invitedById: string | null;

  @ManyToOne(() => User, { onDelete: 'SET NULL', nullable: true })
  @JoinColumn({ name: 'invited_by_id' })
  invitedBy: Relation<User> | null;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  /** Database clock. */
  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt: Date;
}
