import { Injectable } from '@nestjs/common';
import type { Principal } from '../access/principal.js';
import { MembershipsService } from '../organizations/memberships.service.js';
import type { MeDto } from './dto/me.dto.js';

@Injectable()
export class CurrentUserService {
  constructor(private readonly memberships: MembershipsService) {}

  /** The principal's user, current organization, role and permissions. */
  async describe(principal: Principal): Promise<MeDto> {
    const { user, organization, role } = await this.memberships.get(principal.id, principal.organizationId);
    return {
      user: { id: user.id, email: user.email, name: user.name, passwordRemovedAt: recentTime(user.passwordRemovedAt) },
      organization: { id: organization.id, name: organization.name },
      role: { id: role.id, name: role.name },
      permissions: [...principal.permissions],
    };
  }
}

/** How long the dashboard mentions a removed password. */
const recentMilliseconds = 30 * 24 * 60 * 60 * 1000;

function recentTime(time: Date | null): string | null {
  return time !== null && Date.now() - time.getTime() < recentMilliseconds ? time.toISOString() : null;
}
