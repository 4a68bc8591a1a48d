import { Column, CreateDateColumn, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';

/** What is left of a key when it is deleted: how to call it where its usage is shown. */
@Entity('deleted_api_keys')
export class DeletedApiKey {
  /** That of the key. */
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
