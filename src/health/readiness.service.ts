import { Injectable } from '@nestjs/common';
import { unavailable } from '../common/errors/app-error.js';

type Phase = 'starting' | 'running' | 'stopping';

/** @throws AppError 503 that names what is unavailable */
type Check = () => Promise<void> | void;

/** Whether this replica should receive requests. */
@Injectable()
export class ReadinessService {
  private phase: Phase = 'starting';
  private readonly checks: Check[] = [];

  /** Adds a check that must pass for the replica to be ready. */
  addCheck(check: Check): void {
    this.checks.push(check);
  }

  /** Sets the phase of the service. */
  enter(phase: Phase): void {
    this.phase = phase;
  }

  /** @throws AppError 503 that names what is unavailable */
  async check(): Promise<void> {
    if (this.phase !== 'running') throw unavailable('not-ready', `Keycard is ${this.phase}.`, 1);
    for (const check of this.checks) await check();
  }
}
