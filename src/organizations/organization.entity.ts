import { Check, Column, CreateDateColumn, DeleteDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import { defaultOnLeak, type OnLeak, onLeakPolicies } from '../common/rules/leak-rules.js';
import type { Limit } from '../limits/limit.js';

/** Ten years. */
export const maxKeyLifetimeDays = 3650;

/** Owns API keys and roles; has users as members. */
@Entity('organizations')
@Check('organizations_key_lifetime', `longest_key_lifetime_days between 1 and ${maxKeyLifetimeDays}`)
@Check('organizations_on_leak', `on_leak in (${onLeakPolicies.map((policy) => `'${policy}'`).join(', ')})`)
export class Organization {
  /** UUID v7. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  name: string;

  /** Maximum lifetime of new API keys, in days of 24 hours; null means no limit. */
  @Column('integer', { nullable: true })
  longestKeyLifetimeDays: number | null;

  /** IANA name. Days, weeks and months of limits start in it. */
  @Column('text', { default: 'UTC' })
  timeZone: string;

  /** Limits of all keys together; null without limits. Their state is in `LimitCounter`. */
  @Column('jsonb', { nullable: true })
  limits: Limit[] | null;

  /** What happens to an API key that is reported as leaked. */
  @Column('text', { default: defaultOnLeak })
  onLeak: OnLeak;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;

  /** Deleted organizations are kept for their audit events. Only SQL finds them: TypeORM ignores rows with this column. */
  @DeleteDateColumn({ type: 'timestamptz', precision: 3 })
  deletedAt: Date | null;
}
