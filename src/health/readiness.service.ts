import { Inject, Injectable } from '@nestjs/common';
import { Engines } from '../ai-gateway/engines/engines.module.js';
import { UpstreamsService } from '../ai-gateway/upstreams/upstreams.service.js';
import { ApiKeyVerifierService } from '../api-keys/api-key-verifier.service.js';
import { unavailable } from '../common/errors/app-error.js';
import { ServiceConfig } from '../config/service-config.js';
import { UsageRecorderService } from '../usage/usage-recorder.service.js';

type Phase = 'starting' | 'running' | 'stopping';

/**
 * Whether this replica should receive requests. The database is checked on the connection that verifies API keys, which
 * no management request can delay.
 */
@Injectable()
export class ReadinessService {
  private phase: Phase = 'starting';

  constructor(
    private readonly verifier: ApiKeyVerifierService,
    private readonly engines: Engines,
    private readonly upstreams: UpstreamsService,
    @Inject(ServiceConfig) private readonly config: Pick<ServiceConfig, 'models'>,
    private readonly recorder: UsageRecorderService,
  ) {}

  /** Called when the service starts and stops. */
  enter(phase: Phase): void {
    this.phase = phase;
  }

  /** @throws AppError 503 that names what is unavailable */
  async check(): Promise<void> {
    if (this.phase !== 'running') throw unavailable('not-ready', `Keycard is ${this.phase}.`, 1);
    if (this.engines.haveAllFailed() && !this.hasHealthyUpstream()) {
      throw unavailable('engine-unavailable', 'No model can be served: all embedded engines have failed.', 5);
    }
    await this.verifier.check();
    if (this.recorder.refusal !== undefined) throw this.recorder.refusal;
  }

  private hasHealthyUpstream(): boolean {
    return this.config.models.some(
      ({ servedBy }) => 'targets' in servedBy && this.upstreams.canServe(servedBy.targets),
    );
  }
}
