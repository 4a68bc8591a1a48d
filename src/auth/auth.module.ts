import { Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { JwtModule } from '@nestjs/jwt';
import { ServiceConfig } from '../config/service-config.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { AccessCheckService } from './access-check.service.js';
import { AuthController } from './auth.controller.js';
import { AuthService } from './auth.service.js';
import { AuthenticationGuard } from './guards/authentication.guard.js';
import { PermissionGuard } from './guards/permission.guard.js';
import { JwtStrategy } from './strategies/jwt.strategy.js';
import { tokenAlgorithm, tokenAudience, tokenIssuer } from './tokens.js';

@Module({
  imports: [
    DiscoveryModule,
    OrganizationsModule,
    JwtModule.registerAsync({
      inject: [ServiceConfig],
      useFactory: (config: ServiceConfig) => ({
        secret: config.jwtSecret,
        signOptions: {
          algorithm: tokenAlgorithm,
          issuer: tokenIssuer,
          audience: tokenAudience,
          expiresIn: config.jwtTtlSeconds,
        },
      }),
    }),
  ],
  controllers: [AuthController],
  providers: [
    AccessCheckService,
    AuthService,
    JwtStrategy,
    // Order matters: a permission is checked on the principal that authentication has established.
    { provide: APP_GUARD, useClass: AuthenticationGuard },
    { provide: APP_GUARD, useClass: PermissionGuard },
  ],
})
export class AuthModule {}
