import { providerUnavailable } from './provider-request.js';

/**
 * Loads a document that the identity provider publishes. Concurrent calls share one request. After a failure, no
 * request is sent for a while; otherwise every token would cause one.
 */
export class ProviderLoader<Document> {
  private loading: Promise<Document> | undefined;
  private failure: { error: unknown; at: number } | undefined;

  constructor(
    private readonly request: () => Promise<Document>,
    private readonly cooldownMilliseconds: number,
  ) {}

  /** @throws AppError 503 if the request fails, or failed recently */
  load(): Promise<Document> {
    if (this.failure !== undefined && performance.now() - this.failure.at < this.cooldownMilliseconds) {
      return Promise.reject(providerUnavailable(this.failure.error));
    }
    this.loading ??= this.loadOnce().finally(() => (this.loading = undefined));
    return this.loading;
  }

  /** Loads in the background. */
  refresh(): void {
    this.load().catch(() => {
      // The previous document stays in use.
    });
  }

  private async loadOnce(): Promise<Document> {
    try {
      const document = await this.request();
      this.failure = undefined;
      return document;
    } catch (error) {
      this.failure = { error, at: performance.now() };
      throw providerUnavailable(error);
    }
  }
}
