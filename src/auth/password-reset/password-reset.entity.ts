import { Column, CreateDateColumn, Entity, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';
import { User } from '../../organizations/user.entity.js';

/** The open password reset link of an account. A new link replaces it; using it deletes it. */
@Entity('password_resets')
export class PasswordReset {
  @PrimaryColumn('uuid')
  userId: string;

  @OneToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id' })
  user: Relation<User>;

  /** SHA-256 of the token in the link, 32 bytes. */
  @Column({ type: 'bytea', unique: true, select: false })
  tokenHash: Buffer;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  /** Database clock. */
  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt: Date;
}
