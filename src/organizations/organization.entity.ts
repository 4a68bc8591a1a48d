import { Check, Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';

/** Ten years: a longer life is no limit worth the name. */
export const largestKeyLifetimeDays = 3650;

/** Owns keys and roles; users are its members. */
@Entity('organizations')
@Check('organizations_key_lifetime', `longest_key_lifetime_days between 1 and ${largestKeyLifetimeDays}`)
export class Organization {
  /** UUID v7. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  name: string;

  /** How long new keys may live, in days of 24 hours; null: as long as they like. */
  @Column('integer', { nullable: true })
  longestKeyLifetimeDays: number | null;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
