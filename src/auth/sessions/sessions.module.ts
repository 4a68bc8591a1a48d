import { Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { ServiceConfig } from '../../config/service-config.js';
import { tokenAlgorithm, tokenAudience, tokenIssuer } from '../tokens.js';
import { AccessTokensService } from './access-tokens.service.js';
import { SessionsService } from './sessions.service.js';

@Module({
  imports: [
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
  providers: [AccessTokensService, SessionsService],
  exports: [SessionsService],
})
export class SessionsModule {}
