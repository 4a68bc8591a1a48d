import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Origin } from '../../access/principal.js';
import { AuditService } from '../../audit/audit.service.js';
import { AppError } from '../../common/errors/app-error.js';
import { hashLinkToken } from '../../common/link-token.js';
import { normalizeEmail } from '../../common/rules/email-address.js';
import { inFuture } from '../../database/clock.js';
import { MailService } from '../../mail/mail.service.js';
import { organizationIdsOf } from '../../organizations/memberships.service.js';
import { User } from '../../organizations/user.entity.js';
import { rejectGuessable } from '../guessable-password.js';
import { RateLimitsService } from '../limits/rate-limits.service.js';
import { hashPassword } from '../password.js';
import { SessionRevocationService } from '../sessions/session-revocation.service.js';
import type { ResetPasswordDto } from './dto/reset-password.dto.js';
import { PasswordReset } from './password-reset.entity.js';

@Injectable()
export class PasswordResetsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditService,
    private readonly limits: RateLimitsService,
    private readonly revocations: SessionRevocationService,
    private readonly mail: MailService,
  ) {}

  /**
   * Queues a mail with a password reset link. Does the same for unknown emails; whether there is an account is found out
   * when the mail is sent.
   *
   * @throws AppError 404 without SMTP; 429 after too many requests from the address or for the email
   */
  async request(email: string, origin: Origin): Promise<void> {
    if (!this.mail.isOn) throw new AppError('not-found', 'Keycard sends no mail. Ask the operator for a reset link.');
    const normalized = normalizeEmail(email);
    await this.limits.spendByAddress('password reset mail by address', origin.address);
    await this.limits.spend('password reset mail by account', normalized);
    const mail = { kind: 'password-reset', email: normalized, userId: null, organizationId: null } as const;
    await this.mail.queue(this.dataSource.manager, { ...mail, data: { origin } });
  }

  /**
   * Sets the password of the account that the token belongs to and ends all of its sessions. The token works once.
   *
   * @returns the email of the account
   * @throws AppError 400 if the password is easy to guess; 404 if the token is wrong, used, replaced or expired; 429 after too many wrong ones
   */
  async reset({ token, newPassword }: ResetPasswordDto, origin: Origin): Promise<string> {
    await this.limits.spendByAddress('password reset by address', origin.address);
    const open = { tokenHash: hashLinkToken(token), expiresAt: inFuture() };
    if (!(await this.dataSource.manager.existsBy(PasswordReset, open))) throw unknownLink();
    await this.limits.giveBackByAddress('password reset by address', origin.address);
    await rejectGuessable(newPassword, 'newPassword');
    // Hashed before the transaction, so that its locks are held briefly.
    const passwordHash = await hashPassword(newPassword);
    return this.dataSource.transaction(async (manager) => {
      const reset = await manager.findOneBy(PasswordReset, open);
      // Of two requests with the same token, only one deletes it.
      if (reset === null || (await manager.delete(PasswordReset, open)).affected !== 1) throw unknownLink();
      const { id, email } = await manager.findOneByOrFail(User, { id: reset.userId });
      await manager.update(User, { id }, { passwordHash });
      const target = { kind: 'user', id, name: email } as const;
      for (const organizationId of await organizationIdsOf(manager, id)) {
        await this.audit.record(manager, { id, email, organizationId, origin }, { action: 'password.reset', target });
      }
      await this.revocations.revokeOthersWithin(manager, { id, sessionId: undefined, origin });
      return email;
    });
  }
}

function unknownLink(): AppError {
  return new AppError(
    'not-found',
    'This password reset link is not valid: it is incomplete, was already used or replaced, or has expired.',
  );
}
