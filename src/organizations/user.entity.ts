import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';

/** A person who can sign in. */
@Entity('users')
export class User {
  /** UUID v7. */
  @PrimaryColumn('uuid')
  id: string;

  /** Lower case, so that one address is one account. */
  @Column('text', { unique: true })
  email: string;

  @Column('text')
  name: string;

  /** Argon2id, PHC string format; null for who has no password and signs in through the identity provider. */
  @Column('text', { nullable: true })
  passwordHash: string | null;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
