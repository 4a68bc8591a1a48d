import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { AppError, unauthenticated } from '../common/errors/app-error.js';
import { ServiceConfig } from '../config/service-config.js';
import { MembershipsService } from '../organizations/memberships.service.js';
import { UsersService } from '../organizations/users.service.js';
import type { MeDto } from './dto/me.dto.js';
import type { AccessTokenDto, SignInDto } from './dto/sign-in.dto.js';
import { isPasswordRight } from './password.js';
import type { Principal } from './principal.js';

@Injectable()
export class AuthService {
  constructor(
    private readonly config: ServiceConfig,
    private readonly jwt: JwtService,
    private readonly users: UsersService,
    private readonly memberships: MembershipsService,
  ) {}

  /**
   * A token for the organization that the user has been a member of the longest.
   *
   * @throws AppError 401 alike for an unknown e-mail address and a wrong password; 403 without an organization
   */
  async signIn({ email, password }: SignInDto): Promise<AccessTokenDto> {
    const user = await this.users.findByEmail(email);
    const right = await isPasswordRight(password, user?.passwordHash);
    if (user === undefined || !right) {
      throw unauthenticated('sign-in-failed', 'The e-mail address or the password is wrong.');
    }
    const organizationId = await this.memberships.findFirstOrganizationId(user.id);
    if (organizationId === undefined) {
      throw new AppError('no-organization', 'Your account belongs to no organization.');
    }
    const accessToken = await this.jwt.signAsync({ org: organizationId }, { subject: user.id });
    return { accessToken, tokenType: 'Bearer', expiresIn: this.config.jwtTtlSeconds };
  }

  /** The user behind the principal, with organization, role and permissions. */
  async describe(principal: Principal): Promise<MeDto> {
    const { user, organization, role } = await this.memberships.get(principal.id, principal.organizationId);
    return {
      user: { id: user.id, email: user.email, name: user.name },
      organization: { id: organization.id, name: organization.name },
      role: { id: role.id, name: role.name },
      permissions: role.permissions,
    };
  }
}
