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
import { Organization } from './organization.entity.js';
import { User } from './user.entity.js';

/**
 * The latest roles from the identity provider for a user in an organization. The membership follows them; a membership
 * without this row is managed in Keycard. Removing any member leaves a row with roles and no membership, which keeps
 * single sign-on from adding them again; accepting an invitation deletes it.
 */
@Entity('provisioned_memberships')
@Index('provisioned_memberships_by_organization', ['organizationId'])
export class ProvisionedMembership {
  @PrimaryColumn('uuid')
  userId: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id' })
  user: Relation<User>;

  @PrimaryColumn('uuid')
  organizationId: string;

  @ManyToOne(() => Organization, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id' })
  organization: Relation<Organization>;

  /**
   * The provider's roles that exist in the organization; empty if it removed all of them. The first is the membership's
   * role; the others count as long as that is so.
   */
  @Column('uuid', { array: true })
  roleIds: string[];

  /** `iat` of the newest token; older tokens are ignored. */
  @Column({ type: 'timestamptz', precision: 0 })
  claimedAt: Date;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
