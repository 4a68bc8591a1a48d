import { Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { ServiceConfig } from '../../config/service-config.js';
import { LimitsModule } from '../limits/limits.module.js';
import { AccessTokensService, tokenOptions } from './access-tokens.service.js';
import { SessionRefreshService } from './session-refresh.service.js';
import { SessionRevocationService } from './session-revocation.service.js';
import { SessionsController } from './sessions.controller.js';
import { SessionsService } from './sessions.service.js';

@Module({
  imports: [
    LimitsModule,
    JwtModule.registerAsync({
      inject: [ServiceConfig],
      useFactory: ({ jwtSecrets, jwtTtlSeconds: expiresIn }: ServiceConfig) => ({
        secret: jwtSecrets[0],
        signOptions: { ...tokenOptions, expiresIn },
      }),
    }),
  ],
  controllers: [SessionsController],
  providers: [AccessTokensService, SessionRevocationService, SessionRefreshService, SessionsService],
  exports: [SessionRevocationService, SessionsService],
})
export class SessionsModule {}
