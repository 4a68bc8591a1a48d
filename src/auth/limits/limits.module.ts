import { Module } from '@nestjs/common';
import { CreationLimitGuard } from './creation-limit.guard.js';
import { KnownAddressesService } from './known-addresses.service.js';
import { OidcLimitsService } from './oidc-limits.service.js';
import { RateLimitsService } from './rate-limits.service.js';
import { SignInLimitsService } from './sign-in-limits.service.js';

@Module({
  providers: [CreationLimitGuard, KnownAddressesService, OidcLimitsService, RateLimitsService, SignInLimitsService],
  exports: [CreationLimitGuard, OidcLimitsService, RateLimitsService, SignInLimitsService],
})
export class LimitsModule {}
