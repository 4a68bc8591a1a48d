import { Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { ServiceConfig } from '../../config/service-config.js';
import { LimitsModule } from '../limits/limits.module.js';
import { AccessTokensService, tokenAlgorithm, tokenAudience, tokenIssuer } from './access-tokens.service.js';
import { SessionRevocationService } from './session-revocation.service.js';
import { SessionRefreshService } from './session-refresh.service.js';
import { SessionsController } from './sessions.controller.js';
import { SessionsService } from './sessions.service.js';

@Module({
  imports: [
    LimitsModule,
    JwtModule.registerAsync({
      inject: [ServiceConfig],
      useFactory: (config: ServiceConfig) => ({
        secret: config.jwtSecrets[0],
        signOptions: {
          algorithm: tokenAlgorithm,
          issuer: tokenIssuer,
          audience: tokenAudience,
          expiresIn: config.jwtTtlSeconds,
        },
      }),
    }),
  ],
  controllers: [SessionsController],
  providers: [AccessTokensService, SessionRevocationService, SessionRefreshService, SessionsService],
  exports: [SessionRevocationService, SessionsService],
})
export class SessionsModule {}
