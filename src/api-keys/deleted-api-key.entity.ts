import { Column, CreateDateColumn, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';

/** Name and hint of a deleted API key, for usage reports. */
@Entity('deleted_api_keys')
export class DeletedApiKey {
  /** Id of the key. */
  @PrimaryColumn('uuid')
  id: string;

  @Index('deleted_api_keys_by_organization')
  @Column('uuid')
  organizationId: string;

  @ManyToOne('Organization', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id' })
  organization: Relation<object>;

  @Column('text')
  name: string;

  @Column('text')
  hint: string;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 })
  deletedAt: Date;
}
