/** How webhooks are delivered. */
export interface WebhookOptions {
  /** Between two looks at the queue. */
  readonly pollMilliseconds: number;
  /** For a whole attempt, from the first lookup to the status of the response. */
  readonly timeoutSeconds: number;
  /** Between an attempt and the next one, varied by up to a tenth. The webhook is disabled when all have failed. */
  readonly retrySeconds: readonly number[];
  /** How long other replicas leave a webhook to the one that delivers, unless it reports. Longer than an attempt. */
  readonly leaseSeconds: number;
  /** Webhooks delivered at a time that respond quickly. */
  readonly maxQuick: number;
  /** Webhooks delivered at a time that failed, or take longer than `slowMilliseconds`. */
  readonly maxSlow: number;
  readonly slowMilliseconds: number;
}

export const defaultWebhookOptions: WebhookOptions = {
  pollMilliseconds: 500,
  timeoutSeconds: 15,
  retrySeconds: [5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 14 * 3600, 20 * 3600, 24 * 3600],
  leaseSeconds: 25,
  maxQuick: 64,
  maxSlow: 192,
  slowMilliseconds: 1000,
};
