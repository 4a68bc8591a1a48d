import type { Thread } from './machine.js';

/** Costs of a statement for several requests, in microseconds. */
export interface StatementCosts {
  perStatement: number;
  perRequest: number;
}

/**
 * Simulates `ContinuousBatcher`: what arrives while a statement runs forms the next one, and what a process reads before it
 * sends joins it.
 */
export class Batcher {
  private waiting: (() => void)[] = [];
  private isBusy = false;

  /**
   * @param process that sends statements, and spends some time on each
   * @param session of the database that runs them
   */
  constructor(
    private readonly process: Thread,
    private readonly session: Thread,
    private readonly costs: StatementCosts,
    private readonly processPerStatement: number,
  ) {}

  submit(then: () => void): void {
    this.waiting.push(then);
    this.dispatch();
  }

  private dispatch(): void {
    if (this.isBusy || this.waiting.length === 0) return;
    this.isBusy = true;
    this.process.compute(this.processPerStatement, () => {
      const items = this.waiting;
      this.waiting = [];
      const { perStatement, perRequest } = this.costs;
      this.session.compute(perStatement + perRequest * items.length, () => {
        // The process reads the result after what it has to do already.
        this.process.compute(0, () => {
          this.isBusy = false;
          for (const then of items) then();
          this.dispatch();
        });
      });
    });
  }
}
