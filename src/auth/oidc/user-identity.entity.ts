import { Column, CreateDateColumn, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation, Unique } from 'typeorm';
import { User } from '../../organizations/user.entity.js';

/** A user's identity at an identity provider. */
@Entity('user_identities')
@Unique(['issuer', 'subject'])
// One identity per provider: an email that the provider reassigns to someone else does not open the account.
@Unique(['userId', 'issuer'])
export class UserIdentity {
  /** UUID v7. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid')
  userId: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id' })
  user: Relation<User>;

  /** `iss` of the provider's tokens. */
  @Column('text')
  issuer: string;

  /** `sub` of the provider's tokens, the only identifier that is never reassigned. */
  @Column('text')
  subject: string;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
