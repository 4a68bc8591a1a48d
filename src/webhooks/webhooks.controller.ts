import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { LimitCreation, RequirePermission } from '../access/declare-access.js';
import { type Actor, CurrentActor, CurrentPrincipal, type Principal } from '../access/principal.js';
import { Audited } from '../audit/audit.service.js';
import { ApiBodyErrors, ApiConflict, ApiQueryErrors } from '../common/errors/api-errors.js';
import { locationHeader, noStoreHeader } from '../common/http/api-headers.js';
import { IdParam, NoStore } from '../common/http/api-resource.js';
import { MessageDto } from '../common/http/message.dto.js';
import { PageQueryDto } from '../common/validation/paging.dto.js';
import { DeliveriesService } from './deliveries.service.js';
import { ListDeliveriesQueryDto, NewWebhookDeliveryDto, WebhookDeliveryListDto } from './dto/delivery.dto.js';
import {
  CreateWebhookDto,
  RotateWebhookSecretDto,
  UpdateWebhookDto,
  WebhookDto,
  WebhookListDto,
  WebhookSecretDto,
} from './dto/webhook.dto.js';
import { WebhooksService } from './webhooks.service.js';

@ApiTags('Webhooks')
@Controller('webhooks')
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly deliveries: DeliveriesService,
  ) {}

  /**
   * Create a webhook
   *
   * @remarks The response contains the signing secret. It can't be retrieved later.
   */
  @Post()
  @NoStore()
  @RequirePermission('create-webhooks')
  @LimitCreation()
  @Audited('webhook.create')
  @ApiCreatedResponse({
    type: WebhookSecretDto,
    description: 'The new webhook and its secret.',
    headers: { ...locationHeader('webhook', '/webhooks'), ...noStoreHeader },
  })
  @ApiConflict('The organization has the maximum number of webhooks.')
  @ApiBodyErrors()
  async createWebhook(
    @CurrentActor() actor: Actor,
    @Body() body: CreateWebhookDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<WebhookSecretDto> {
    const created = await this.webhooks.create(actor, body);
    void reply.header('location', `/webhooks/${created.id}`);
    return created;
  }

  /**
   * List webhooks
   *
   * @remarks Returns one page of the webhooks of the current organization, newest first.
   */
  @Get()
  @RequirePermission('get-webhooks')
  @ApiOkResponse({ type: WebhookListDto, description: 'A page of webhooks.' })
  @ApiQueryErrors()
  listWebhooks(@CurrentPrincipal() principal: Principal, @Query() query: PageQueryDto): Promise<WebhookListDto> {
    return this.webhooks.list(principal, query);
  }

  /**
   * Get a webhook
   *
   * @remarks Without its secret.
   */
  @Get(':id')
  @RequirePermission('get-webhooks')
  @ApiOkResponse({ type: WebhookDto, description: 'The webhook.' })
  getWebhook(@CurrentPrincipal() principal: Principal, @IdParam('webhook') id: string): Promise<WebhookDto> {
    return this.webhooks.get(principal, id);
  }

  /**
   * Update a webhook
   *
   * @remarks Enabling a webhook retries the deliveries that wait, in order.
   */
  @Patch(':id')
  @RequirePermission('update-webhooks')
  @Audited('webhook.update')
  @ApiOkResponse({ type: WebhookDto, description: 'The changed webhook.' })
  @ApiBodyErrors()
  updateWebhook(
    @CurrentActor() actor: Actor,
    @IdParam('webhook') id: string,
    @Body() body: UpdateWebhookDto,
  ): Promise<WebhookDto> {
    return this.webhooks.update(actor, id, body);
  }

  /**
   * Rotate a webhook secret
   *
   * @remarks Deliveries are signed with the current secret too until the grace period ends, so you can replace it without
   * losing any. The response contains the new secret, which can't be retrieved later.
   */
  @Post(':id/rotate')
  @HttpCode(200)
  @NoStore()
  @RequirePermission('update-webhooks')
  @LimitCreation()
  @Audited('webhook.rotate')
  @ApiOkResponse({ type: WebhookSecretDto, description: 'The webhook and its new secret.', headers: noStoreHeader })
  @ApiBodyErrors()
  rotateWebhookSecret(
    @CurrentActor() actor: Actor,
    @IdParam('webhook') id: string,
    @Body() { gracePeriodSeconds }: RotateWebhookSecretDto,
  ): Promise<WebhookSecretDto> {
    return this.webhooks.rotate(actor, id, gracePeriodSeconds);
  }

  /**
   * Test a webhook
   *
   * @remarks Sends an event of type `webhook.test` once, even if the webhook is disabled. The list of deliveries has the
   * result.
   */
  @Post(':id/test')
  @HttpCode(202)
  @RequirePermission('update-webhooks')
  @LimitCreation()
  @Audited('webhook.test')
  @ApiAcceptedResponse({ type: NewWebhookDeliveryDto, description: 'The delivery of the test.' })
  testWebhook(@CurrentActor() actor: Actor, @IdParam('webhook') id: string): Promise<NewWebhookDeliveryDto> {
    return this.deliveries.test(actor, id);
  }

  /**
   * List deliveries of a webhook
   *
   * @remarks Returns one page of the deliveries of the last 30 days, newest first, with their attempts and bodies.
   */
  @Get(':id/deliveries')
  @RequirePermission('get-webhooks')
  @ApiOkResponse({ type: WebhookDeliveryListDto, description: 'A page of deliveries.' })
  @ApiQueryErrors()
  listWebhookDeliveries(
    @CurrentPrincipal() principal: Principal,
    @IdParam('webhook') id: string,
    @Query() query: ListDeliveriesQueryDto,
  ): Promise<WebhookDeliveryListDto> {
    return this.deliveries.list(principal, id, query);
  }

  /**
   * Redeliver an event
   *
   * @remarks Sends the event of a delivery once more, with the same `webhook-id`, even if the webhook is disabled. If the
   * delivery still waits for a retry, the webhook is retried immediately instead, in order.
   */
  @Post(':id/deliveries/:deliveryId/redeliver')
  @HttpCode(202)
  @RequirePermission('update-webhooks')
  @LimitCreation()
  @Audited('webhook.redeliver')
  @ApiAcceptedResponse({ type: NewWebhookDeliveryDto, description: 'The delivery.' })
  redeliverWebhookEvent(
    @CurrentActor() actor: Actor,
    @IdParam('webhook') id: string,
    @IdParam('delivery', 'deliveryId') deliveryId: string,
  ): Promise<NewWebhookDeliveryDto> {
    return this.deliveries.redeliver(actor, id, deliveryId);
  }

  /**
   * Delete a webhook
   *
   * @remarks Drops the deliveries that wait.
   */
  @Delete(':id')
  @RequirePermission('delete-webhooks')
  @Audited('webhook.delete')
  @ApiOkResponse({ type: MessageDto, description: 'The webhook was deleted.' })
  async deleteWebhook(@CurrentActor() actor: Actor, @IdParam('webhook') id: string): Promise<MessageDto> {
    await this.webhooks.delete(actor, id);
    return { message: 'The webhook was deleted. It gets no more events.' };
  }
}
