import {
  Column,
  CreateDateColumn,
  Entity,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
  Unique,
  UpdateDateColumn,
} from 'typeorm';
import type { Permission } from '../access/permissions.js';
import { Organization } from './organization.entity.js';

/** A named set of permissions in an organization. */
@Entity('roles')
@Unique(['organizationId', 'name'])
// Target of the memberships' foreign key, which keeps a member's role within the organization.
@Unique(['organizationId', 'id'])
export class Role {
  /** UUID v7. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid')
  organizationId: string;

  @ManyToOne(() => Organization, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id' })
  organization: Relation<Organization>;

  @Column('text')
  name: string;

  @Column('text', { array: true })
  permissions: Permission[];

  @CreateDateColumn({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
