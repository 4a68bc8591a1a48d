import { hostname } from 'node:os';
import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { UpstreamTarget } from '../../config/model-definition.js';
import type { EventType } from '../../events/event-types.js';
import { publish } from '../../events/publish.js';
import { UpstreamsService } from './upstreams.service.js';

/**
 * Publishes an event when a circuit opens or closes, to each organization with a webhook for it: upstreams serve all
 * organizations. Each replica has circuits of its own, so the event names the replica.
 */
@Injectable()
export class CircuitEventsService {
  private readonly logger = new Logger('Upstreams');
  /** One after the other, so that events stay in order. */
  private latest: Promise<void> = Promise.resolve();

  constructor(
    private readonly dataSource: DataSource,
    upstreams: UpstreamsService,
  ) {
    upstreams.onCircuitChange = (target, isOpen) => {
      this.latest = this.latest.then(() => this.publish(target, isOpen));
    };
  }

  /** A request never waits for this, nor fails because of it. */
  private async publish({ baseUrl, model }: UpstreamTarget, isOpen: boolean): Promise<void> {
    const type: EventType = isOpen ? 'upstream.circuit_opened' : 'upstream.circuit_closed';
    const data = { upstream: { host: new URL(baseUrl).host, model }, replica: `${hostname()}:${process.pid}` };
    try {
      await this.dataSource.transaction(async (manager) => {
        const interested = await manager.query<{ organizationId: string }[]>(
          `select distinct organization_id as "organizationId" from webhooks
           where enabled and (event_types is null or $1 = any (event_types))`,
          [type],
        );
        for (const { organizationId } of interested) await publish(manager, { organizationId, type, data });
      });
    } catch (error) {
      this.logger.warn('The event of a circuit could not be published.', { err: error });
    }
  }
}
