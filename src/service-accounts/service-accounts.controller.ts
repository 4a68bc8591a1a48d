import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiNotFoundResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { LimitCreation, RequirePermission } from '../access/declare-access.js';
import { type Actor, CurrentActor, CurrentPrincipal, type Principal } from '../access/principal.js';
import { Audited } from '../audit/audit.service.js';
import { ApiBodyErrors, ApiConflict, ApiQueryErrors, problemContent } from '../common/errors/api-errors.js';
import { locationHeader, noStoreHeader } from '../common/http/api-headers.js';
import { IdParam, NoStore } from '../common/http/api-resource.js';
import { MessageDto } from '../common/http/message.dto.js';
import { KeyRemovalQueryDto } from '../organizations/removal/key-removal.dto.js';
import { describeRemoval, removalPermissions } from '../organizations/removal/remove-keys.js';
import {
  ClientCredentialsDto,
  CreateServiceAccountDto,
  ListServiceAccountsQueryDto,
  RotateClientSecretDto,
  ServiceAccountDto,
  ServiceAccountListDto,
  UpdateServiceAccountDto,
} from './dto/service-account.dto.js';
import { ServiceAccountsService } from './service-accounts.service.js';

@ApiTags('Service accounts')
@Controller('service-accounts')
export class ServiceAccountsController {
  constructor(private readonly serviceAccounts: ServiceAccountsService) {}

  /**
   * Create a service account
   *
   * @remarks The response contains the client secret. It can't be retrieved later.
   */
  @Post()
  @NoStore()
  @RequirePermission('create-service-accounts', 'one of the permissions of the role')
  @LimitCreation()
  @Audited('service-account.create')
  @ApiCreatedResponse({
    type: ClientCredentialsDto,
    description: 'The credentials of the new service account.',
    headers: { ...locationHeader('service account', '/service-accounts'), ...noStoreHeader },
  })
  @ApiNotFoundResponse({ ...problemContent, description: 'Role not found.' })
  @ApiBodyErrors()
  async createServiceAccount(
    @CurrentActor() actor: Actor,
    @Body() body: CreateServiceAccountDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ClientCredentialsDto> {
    const credentials = await this.serviceAccounts.create(actor, body);
    void reply.header('location', `/service-accounts/${credentials.id}`);
    return credentials;
  }

  /**
   * List service accounts
   *
   * @remarks Returns one page of the service accounts of the current organization, newest first.
   */
  @Get()
  @RequirePermission('get-service-accounts')
  @ApiOkResponse({ type: ServiceAccountListDto, description: 'A page of service accounts.' })
  @ApiQueryErrors()
  listServiceAccounts(
    @CurrentPrincipal() principal: Principal,
    @Query() query: ListServiceAccountsQueryDto,
  ): Promise<ServiceAccountListDto> {
    return this.serviceAccounts.list(principal, query);
  }

  /**
   * Get a service account
   *
   * @remarks Without its client secret.
   */
  @Get(':id')
  @RequirePermission('get-service-accounts')
  @ApiOkResponse({ type: ServiceAccountDto, description: 'The service account.' })
  getServiceAccount(
    @CurrentPrincipal() principal: Principal,
    @IdParam('service account') id: string,
  ): Promise<ServiceAccountDto> {
    return this.serviceAccounts.get(principal, id);
  }

  /**
   * Update a service account
   *
   * @remarks A new role applies to every request that arrives after the response.
   */
  @Patch(':id')
  @RequirePermission('update-service-accounts', 'one of the permissions of the new role')
  @Audited('service-account.update')
  @ApiOkResponse({ type: ServiceAccountDto, description: 'The changed service account.' })
  @ApiBodyErrors()
  updateServiceAccount(
    @CurrentActor() actor: Actor,
    @IdParam('service account') id: string,
    @Body() body: UpdateServiceAccountDto,
  ): Promise<ServiceAccountDto> {
    return this.serviceAccounts.update(actor, id, body);
  }

  /**
   * Rotate a client secret
   *
   * @remarks The current secret and access tokens issued for it keep working for the grace period. Those of earlier
   * rotations are revoked immediately. The response contains the new secret, which can't be retrieved later.
   */
  @Post(':id/rotate')
  @HttpCode(200)
  @NoStore()
  @RequirePermission('update-service-accounts', 'one of the permissions of the service account')
  @LimitCreation()
  @Audited('service-account.rotate')
  @ApiOkResponse({ type: ClientCredentialsDto, description: 'The new credentials.', headers: noStoreHeader })
  @ApiBodyErrors()
  rotateClientSecret(
    @CurrentActor() actor: Actor,
    @IdParam('service account') id: string,
    @Body() { gracePeriodSeconds }: RotateClientSecretDto,
  ): Promise<ClientCredentialsDto> {
    return this.serviceAccounts.rotate(actor, id, gracePeriodSeconds);
  }

  /**
   * Revoke the previous client secret
   *
   * @remarks Ends the grace period of a rotation. Returns 404 if no previous secret is accepted.
   */
  @Delete(':id/previous-secret')
  @RequirePermission('update-service-accounts')
  @Audited('service-account.update')
  @ApiOkResponse({ type: MessageDto, description: 'The previous client secret was revoked.' })
  async revokePreviousClientSecret(
    @CurrentActor() actor: Actor,
    @IdParam('service account') id: string,
  ): Promise<MessageDto> {
    await this.serviceAccounts.revokePrevious(actor, id);
    return {
      message: 'The previous client secret was revoked. Requests using it or its access tokens are now rejected.',
    };
  }

  /**
   * Delete a service account
   *
   * @remarks Revokes its client secret and access tokens immediately. Keeps the API keys that it created, unless `keys` says
   * otherwise. Either everything happens or nothing: with `disable` and `delete`, requests using the keys are rejected as
   * soon as this responds.
   */
  @Delete(':id')
  @RequirePermission('delete-service-accounts', removalPermissions)
  @Audited('service-account.delete', 'api-key.update', 'api-key.delete')
  @ApiOkResponse({ type: MessageDto, description: 'The service account was deleted.' })
  @ApiConflict('The service account created more than 1,000 keys.')
  @ApiQueryErrors()
  async deleteServiceAccount(
    @CurrentActor() actor: Actor,
    @IdParam('service account') id: string,
    @Query() { keys }: KeyRemovalQueryDto,
  ): Promise<MessageDto> {
    const count = await this.serviceAccounts.delete(actor, id, keys);
    const deleted = 'The service account was deleted. Its requests are now rejected.';
    return { message: deleted + describeRemoval(keys, count) };
  }
}
