import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { ApiKeyVerifierService } from '../api-keys/api-key-verifier.service.js';
import { unavailable } from '../common/errors/app-error.js';
import { ServiceConfig } from '../config/service-config.js';
import { DatabaseHistory } from '../database/history/database-history.service.js';
import { ReadinessService } from '../health/readiness.service.js';
import { UsageRecorderService } from '../usage/usage-recorder.service.js';
import { Engines } from '../engines/engines.module.js';
import { UpstreamsService } from './upstreams/upstreams.service.js';

/**
 * Makes the replica unready while it can't serve API requests. The database is checked on the connection that verifies
 * API keys, which no management request can delay.
 */
@Injectable()
export class GatewayReadinessService implements OnModuleInit {
  constructor(
    private readonly readiness: ReadinessService,
    private readonly verifier: ApiKeyVerifierService,
    private readonly engines: Engines,
    private readonly upstreams: UpstreamsService,
    @Inject(ServiceConfig) private readonly config: Pick<ServiceConfig, 'models'>,
    private readonly recorder: UsageRecorderService,
    private readonly history: DatabaseHistory,
  ) {}

  onModuleInit(): void {
    this.readiness.addCheck(() => this.checkModels());
    this.readiness.addCheck(() => this.history.check());
    this.readiness.addCheck(() => this.verifier.check());
    this.readiness.addCheck(() => this.checkUsageWrites());
  }

  private checkModels(): void {
    if (!this.engines.haveAllFailed() || this.hasHealthyUpstream()) return;
    throw unavailable('engine-unavailable', 'All embedded engines have failed, and no upstream is available.', 5);
  }

  private hasHealthyUpstream(): boolean {
    return this.config.models.some(
      ({ servedBy }) => 'targets' in servedBy && this.upstreams.canServe(servedBy.targets),
    );
  }

  private checkUsageWrites(): void {
    if (this.recorder.refusal !== undefined) throw this.recorder.refusal;
  }
}
