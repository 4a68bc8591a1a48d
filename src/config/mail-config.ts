/** How mail is sent. */
export interface MailConfig {
  /** SMTP server, with its credentials. */
  readonly smtpUrl: string;
  /** Address of the sender, with or without a name. */
  readonly from: string;
  /** Overrides of `defaultMailOptions`. */
  readonly options?: Partial<MailOptions>;
}

export interface MailOptions {
  /** Between two looks at the queue. */
  readonly pollMilliseconds: number;
  /** For a whole attempt. */
  readonly timeoutMilliseconds: number;
  /** How long other replicas leave a message to the one that sends it. Longer than an attempt. */
  readonly leaseSeconds: number;
  /** Between an attempt and the next one. The message is dropped when all have failed. */
  readonly retrySeconds: readonly number[];
  /** Messages that a replica sends at a time. */
  readonly maxAtOnce: number;
}

export const defaultMailOptions: MailOptions = {
  pollMilliseconds: 1000,
  timeoutMilliseconds: 60_000,
  leaseSeconds: 120,
  retrySeconds: [30, 2 * 60, 10 * 60, 3600, 4 * 3600, 12 * 3600, 24 * 3600],
  maxAtOnce: 5,
};
