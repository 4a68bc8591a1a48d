import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Organization } from '../organization.entity.js';

/** A person who left an organization or was removed, as they were at the time. Outlives their account. */
@Entity('former_members')
@Index('former_members_by_removal', ['organizationId', 'removedAt', 'userId'])
export class FormerMember {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'former_members_pkey' })
  organizationId: string;

  @ManyToOne(() => Organization, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id', foreignKeyConstraintName: 'former_members_organization_id_fkey' })
  organization: Relation<Organization>;

  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'former_members_pkey' })
  userId: string;

  @Column('text')
  email: string;

  @Column('text')
  name: string;

  /** Name of their last role; null if it's unknown. */
  @Column('text', { nullable: true })
  role: string | null;

  /** Null for members that earlier releases removed. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  joinedAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'clock_timestamp()' })
  removedAt: Date;
}
