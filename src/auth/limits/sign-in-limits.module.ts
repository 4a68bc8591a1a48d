import { Module } from '@nestjs/common';
import { OidcLimitsService } from './oidc-limits.service.js';
import { RateLimitsService } from './rate-limits.service.js';
import { KnownAddressesService, SignInLimitsService } from './sign-in-limits.service.js';

@Module({
  providers: [KnownAddressesService, OidcLimitsService, RateLimitsService, SignInLimitsService],
  exports: [OidcLimitsService, RateLimitsService, SignInLimitsService],
})
export class SignInLimitsModule {}
