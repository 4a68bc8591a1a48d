import { Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { MovedOrganizations } from '../../cells/moved-organizations.service.js';
import { ServiceConfig } from '../../config/service-config.js';
import { SignInLimitsModule } from '../limits/sign-in-limits.module.js';
import { AccessTokensService, keyOf, signingKeys, tokenOptions } from './access-tokens.service.js';
import { SessionRefreshService } from './session-refresh.service.js';
import { SessionRevocationService } from './session-revocation.service.js';
import { SessionsController } from './sessions.controller.js';
import { SessionsService } from './sessions.service.js';

@Module({
  imports: [
    SignInLimitsModule,
    JwtModule.registerAsync({
      inject: [ServiceConfig],
      useFactory: ({ jwtSecrets, jwtTtlSeconds: expiresIn }: ServiceConfig) => {
        const keys = signingKeys(jwtSecrets);
        return {
          signOptions: { ...tokenOptions, expiresIn },
          // For a token to verify, or an object to sign.
          secretOrKeyProvider: (_type, token) => (typeof token === 'string' ? keyOf(token, keys) : keys[0]),
        };
      },
    }),
  ],
  controllers: [SessionsController],
  providers: [
    AccessTokensService,
    MovedOrganizations,
    SessionRevocationService,
    SessionRefreshService,
    SessionsService,
  ],
  exports: [AccessTokensService, MovedOrganizations, SessionRefreshService, SessionRevocationService, SessionsService],
})
export class SessionsModule {}
