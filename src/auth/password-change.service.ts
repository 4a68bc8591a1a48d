import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Actor } from '../access/principal.js';
import { AuditService } from '../audit/audit.service.js';
import { type AppError, invalidField } from '../common/errors/app-error.js';
import { User } from '../organizations/user.entity.js';
import type { ChangePasswordDto } from './dto/change-password.dto.js';
import { rejectGuessable } from './guessable-password.js';
import { RateLimitsService } from './limits/rate-limits.service.js';
import { hashPassword, isPasswordCorrect } from './password.js';
import { SessionRevocationService } from './sessions/session-revocation.service.js';

@Injectable()
export class PasswordChangeService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditService,
    private readonly limits: RateLimitsService,
    private readonly revocations: SessionRevocationService,
  ) {}

  /**
   * Changes the actor's password and ends all their other sessions.
   *
   * @throws AppError 400 if the current password is wrong or the new one easy to guess, 429 after too many wrong ones, 503 if too many passwords are
   *   being hashed
   */
  async change(actor: Actor, { currentPassword, newPassword }: ChangePasswordDto): Promise<void> {
    await this.limits.spend('password change by user', actor.id);
    const user = await this.dataSource.manager.findOneBy(User, { id: actor.id });
    if (user === null || !(await this.isCurrent(user, currentPassword))) throw wrongPassword();
    await this.limits.forget('password change by user', actor.id);
    await rejectGuessable(newPassword, 'newPassword');
    const passwordHash = await hashPassword(newPassword);
    await this.dataSource.transaction(async (manager) => {
      const unchanged = { id: user.id, passwordHash: user.passwordHash };
      // Of two concurrent changes, the second no longer has the current password.
      if ((await manager.update(User, unchanged, { passwordHash })).affected === 0) throw wrongPassword();
      const target = { kind: 'user', id: user.id, name: user.email } as const;
      await this.audit.record(manager, actor, { action: 'password.change', target });
      await this.revocations.revokeOthersWithin(manager, actor);
    });
  }

  /** An attempt that can't be checked doesn't count. */
  private async isCurrent({ id, passwordHash }: User, password: string): Promise<boolean> {
    try {
      return await isPasswordCorrect(password, passwordHash);
    } catch (error) {
      await this.limits.giveBack('password change by user', id);
      throw error;
    }
  }
}

function wrongPassword(): AppError {
  return invalidField('currentPassword', 'This is not your current password.');
}
