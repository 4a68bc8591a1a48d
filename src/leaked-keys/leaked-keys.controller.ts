import { verify } from 'node:crypto';
import { Controller, HttpCode, Inject, Post, Req } from '@nestjs/common';
import {
  ApiBody,
  ApiExtraModels,
  ApiForbiddenResponse,
  ApiOkResponse,
  ApiPayloadTooLargeResponse,
  ApiTags,
  ApiTooManyRequestsResponse,
} from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Public } from '../access/declare-access.js';
import { CurrentOrigin, type Origin } from '../access/principal.js';
import { Audited } from '../audit/audit.service.js';
import { RateLimitsService } from '../auth/limits/rate-limits.service.js';
import { AppError } from '../common/errors/app-error.js';
import { ApiBodyErrors, ApiUnavailable, errorCodes, problemContent } from '../common/errors/api-errors.js';
import { noStoreHeader, retryAfterHeader } from '../common/http/api-headers.js';
import { NoStore } from '../common/http/api-resource.js';
import type { PublicKeys } from '../config/public-keys.js';
import { ServiceConfig } from '../config/service-config.js';
import { LeakedKeyReportDto, LeakLabelDto } from './dto/leaked-key.dto.js';
import { LeakedKeysService } from './leaked-keys.service.js';
import { readReports } from './read-reports.js';

const maxBodyBytes = 1024 * 1024;

@ApiTags('Leaked keys')
@Controller('leaked-keys')
export class LeakedKeysController {
  constructor(
    private readonly leakedKeys: LeakedKeysService,
    private readonly limits: RateLimitsService,
    @Inject(ServiceConfig) private readonly config: ServiceConfig,
  ) {}

  /**
   * Report leaked API keys
   *
   * @remarks Takes what GitHub's secret scanning sends. Needs no credential: the full key is proof enough. What happens to a
   * key is the choice of its organization (`onLeak`), and applies to every request that arrives after the response.
   * Reporting a key again changes nothing. With `LEAKED_KEYS_PUBLIC_KEYS`, reports must be signed.
   */
  @Post()
  @HttpCode(200)
  @NoStore()
  @Public({ isSigned: true, maxBodyBytes })
  @Audited('api-key.leak')
  @ApiExtraModels(LeakedKeyReportDto, LeakLabelDto)
  @ApiBody({ schema: { $ref: '#/components/schemas/LeakedKeyReportList' } })
  @ApiOkResponse({
    schema: { $ref: '#/components/schemas/LeakLabelList' },
    headers: noStoreHeader,
    description: 'A label for each report, in the same order.',
  })
  @ApiForbiddenResponse({
    ...problemContent,
    ...errorCodes('invalid-signature'),
    description: 'The signature is missing or wrong.',
  })
  @ApiBodyErrors()
  @ApiPayloadTooLargeResponse({ ...problemContent, description: 'The body is larger than 1 MB.' })
  @ApiTooManyRequestsResponse({
    ...problemContent,
    headers: retryAfterHeader,
    description: 'Too many reports from this address; see `Retry-After`.',
  })
  @ApiUnavailable(problemContent)
  async reportLeakedKeys(
    @Req() request: FastifyRequest,
    @CurrentOrigin() { address }: Origin,
  ): Promise<LeakLabelDto[]> {
    await this.limits.spendByAddress('leaked keys by address', address);
    const { leakedKeysPublicKeys } = this.config;
    if (leakedKeysPublicKeys !== undefined) checkSignature(request, leakedKeysPublicKeys);
    return this.leakedKeys.report(readReports(request.body));
  }
}

/**
 * Checks the signature of a report as GitHub's secret scanning makes it: ECDSA on P-256 with SHA-256 over the body as it was
 * sent, DER and base64.
 *
 * @throws AppError 403 if it is missing or wrong, or made with an unknown key
 */
function checkSignature({ headers, bodyText = '' }: FastifyRequest, keys: PublicKeys): void {
  const { 'github-public-key-identifier': identifier, 'github-public-key-signature': signature } = headers;
  if (typeof identifier !== 'string' || typeof signature !== 'string') {
    throw new AppError(
      'invalid-signature',
      'Reports must be signed. Send Github-Public-Key-Identifier and Github-Public-Key-Signature.',
    );
  }
  const key = keys.find((known) => known.identifier === identifier);
  if (key === undefined) {
    throw new AppError('invalid-signature', 'Github-Public-Key-Identifier names an unknown public key.');
  }
  if (!verify('sha256', Buffer.from(bodyText), key.pem, Buffer.from(signature, 'base64'))) {
    throw new AppError('invalid-signature', "Github-Public-Key-Signature doesn't match the body.");
  }
}
