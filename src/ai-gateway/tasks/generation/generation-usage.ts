import type { AppError } from '../../../common/errors/app-error.js';
import type { MeterAmounts } from '../../../common/rules/meters.js';
import { isCount } from '../../../common/storable.js';
import type { AbandonedUse, RequestUsage } from '../../request-usage.js';
import { asRecord, type Dialect } from './dialects/dialect.js';

/** What may have been generated, and not have arrived yet, when a stream is canceled; per choice. */
const tokensUnderway = 64;
const usagePrefix = 'usage.';

/** The most that a request can use. */
export interface GenerationBounds {
  readonly inputTokens: number;
  /** Of all choices together. */
  readonly outputTokens: number;
  readonly choices: number;
  /** How many choices are generated for each one that is returned. */
  readonly choicesPerReturned: number;
  readonly isStream: boolean;
}

/** Usage of a request that generates text: as the upstream reports it, or else what was sent and received. */
export class GenerationUsage implements RequestUsage {
  inputTokens?: number;
  cachedInputTokens?: number;
  cacheWriteTokens?: number;
  cacheWrite1hTokens?: number;
  outputTokens?: number;
  reasoningTokens?: number;
  isLimited?: true;
  isUnreported?: boolean;
  abandoned?: readonly AbandonedUse[];
  failure?: AppError;
  settling?: Promise<void>;
  responseBytes?: number;
  /** Undefined until the body was read. */
  bounds: GenerationBounds | undefined;
  private deliveredBytes = 0;
  /** What had been delivered at the last report. */
  private reportedBytes = 0;
  /** As the upstream has reported them so far. */
  private reported: MeterAmounts = {};

  constructor(
    public model: string,
    private readonly dialect: Dialect,
  ) {}

  readonly assumed = (): MeterAmounts => {
    const { bounds, reported } = this;
    if (bounds === undefined) return {};
    const corrected = { outputTokens: 0, ...reported };
    this.dialect.protocol.completeUsage?.(corrected);
    const reportedOutput = Math.max(reported.outputTokens ?? 0, this.outputTokens ?? 0);
    return {
      ...corrected,
      inputTokens: corrected.inputTokens ?? bounds.inputTokens,
      outputTokens: Math.max(reportedOutput, this.assumedOutput(bounds)),
    };
  };

  /** Notes text that has arrived. */
  addText(bytes: number): void {
    this.deliveredBytes += bytes;
  }

  /**
   * Notes the amounts in an event. Each replaces what was reported before.
   *
   * @param isFinal whether they are those of the whole response
   */
  report(usage: unknown, isFinal: boolean): void {
    for (const [path, meter] of this.dialect.protocol.usageFields) {
      const value = path
        .slice(usagePrefix.length)
        .split('.')
        .reduce<unknown>((container, key) => asRecord(container)[key], usage);
      if (isCount(value)) this.reported[meter] = value;
    }
    this.reportedBytes = this.deliveredBytes;
    if (isFinal) this.complete();
  }

  /** The stream is complete. If text followed the last report, another one was lost, and this one is too low. */
  endStream(): void {
    if (this.reportedBytes === this.deliveredBytes) this.complete();
  }

  /** The response is complete: what was reported, if nothing is missing, is what it has used. */
  complete(): void {
    const amounts = { ...this.reported };
    if (this.dialect.protocol.completeUsage?.(amounts) !== true) return;
    Object.assign(this, amounts);
    this.isUnreported = false;
  }

  /**
   * Another upstream gets the request, although this one may have used something.
   *
   * @returns what it may have used
   */
  abandon(): MeterAmounts {
    const used = this.assumed();
    this.abandoned = [...(this.abandoned ?? []), { model: this.model, used }];
    this.deliveredBytes = 0;
    this.reportedBytes = 0;
    this.reported = {};
    this.isUnreported = false;
    return used;
  }

  private assumedOutput({ isStream, outputTokens, choices, choicesPerReturned }: GenerationBounds): number {
    const { responseBytes, deliveredBytes } = this;
    if (responseBytes !== undefined) return Math.min(responseBytes * choicesPerReturned, outputTokens);
    if (!isStream) return outputTokens;
    return Math.min(deliveredBytes * choicesPerReturned + tokensUnderway * choices, outputTokens);
  }
}
