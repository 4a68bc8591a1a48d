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
  UpdateDateColumn,
} from 'typeorm';
import { Organization } from './organization.entity.js';
import { Role } from './role.entity.js';
import { User } from './user.entity.js';

/** A user's membership in an organization, with one role. */
@Entity('memberships')
@Unique(['userId', 'organizationId'])
@Index('memberships_by_joining', ['organizationId', 'createdAt', 'id'])
@Index('memberships_by_role', ['organizationId', 'roleId'])
export class Membership {
  /** UUID v7. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid')
  userId: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id' })
  user: Relation<User>;

  @Column('uuid')
  organizationId: string;

  @ManyToOne(() => Organization, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id' })
  organization: Relation<Organization>;

  @Column('uuid')
  roleId: string;

  @ManyToOne(() => Role)
  @JoinColumn([
    { name: 'organization_id', referencedColumnName: 'organizationId' },
    { name: 'role_id', referencedColumnName: 'id' },
  ])
  role: Relation<Role>;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
