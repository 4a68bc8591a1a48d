import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Engines } from '../ai-gateway/engines/engines.module.js';
import { unavailable } from '../common/errors/app-error.js';
import { UsageRecorderService } from '../usage/usage-recorder.service.js';

type Phase = 'starting' | 'running' | 'stopping';

/** Whether this replica should be given requests. */
@Injectable()
export class ReadinessService {
  private phase: Phase = 'starting';

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly engines: Engines,
    private readonly recorder: UsageRecorderService,
  ) {}

  /** To be told by whoever starts and stops the service. */
  enter(phase: Phase): void {
    this.phase = phase;
  }

  /** @throws AppError 503 that says what is missing */
  async check(): Promise<void> {
    if (this.phase !== 'running') throw unavailable('not-ready', `Keycard is ${this.phase}.`, 1);
    if (!this.engines.canServe()) {
      throw unavailable('engine-unavailable', 'None of the embedded engines can run; the log says why.', 5);
    }
    try {
      await this.dataSource.query('select 1');
    } catch (error) {
      throw unavailable('database-unavailable', 'The database cannot be reached.', 1, error);
    }
    if (this.recorder.refusal !== undefined) throw this.recorder.refusal;
  }
}
