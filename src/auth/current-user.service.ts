import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Actor, Principal } from '../access/principal.js';
import { AuditService, changedFields } from '../audit/audit.service.js';
import { optionalMailKinds } from '../common/rules/mail-rules.js';
import { MembershipsService } from '../organizations/memberships.service.js';
import { OrganizationCreationService } from '../organizations/organization-creation.service.js';
import { User } from '../organizations/user.entity.js';
import type { MeDto, UpdateMeDto } from './dto/me.dto.js';

/** What users change of their own account. */
type Settings = Pick<User, 'name' | 'mutedMail'>;

@Injectable()
export class CurrentUserService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditService,
    private readonly memberships: MembershipsService,
    private readonly creation: OrganizationCreationService,
  ) {}

  /** Changes the actor's name, and which mail they get. */
  async update(actor: Actor, { name, mutedMail }: UpdateMeDto): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const lock = { mode: 'pessimistic_write' } as const;
      const user = await manager.findOneOrFail(User, { where: { id: actor.id }, lock });
      const change = changedFields<Settings>(user, { name, mutedMail: mutedMail?.toSorted() });
      if (change === undefined) return;
      await manager.update(User, { id: user.id }, change.after);
      await this.audit.record(manager, actor, {
        action: 'account.update',
        target: { kind: 'user', id: user.id, name: user.email },
        ...change,
      });
    });
  }

  /** The principal's user, current organization, role and permissions. */
  async describe(principal: Principal): Promise<MeDto> {
    const { user, organization, role } = await this.memberships.get(principal.id, principal.organizationId);
    return {
      user: {
        id: user.id,
        email: user.email,
        name: user.name,
        passwordRemovedAt: recentTime(user.passwordRemovedAt),
        mutedMail: optionalMailKinds.filter((kind) => user.mutedMail.includes(kind)),
      },
      organization: { id: organization.id, name: organization.name, timeZone: organization.timeZone },
      role: { id: role.id, name: role.name },
      permissions: [...principal.permissions],
      canCreateOrganizations: await this.creation.isAllowed(principal),
    };
  }
}

/** How long the dashboard mentions a removed password. */
const recentMilliseconds = 30 * 24 * 60 * 60 * 1000;

function recentTime(time: Date | null): string | null {
  return time !== null && Date.now() - time.getTime() < recentMilliseconds ? time.toISOString() : null;
}
