import { setTimeout as delay } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import { RepeatedTask } from '../common/repeated-task.js';
import { optionalMail } from '../common/rules/mail-rules.js';
import { defaultMailOptions, type MailOptions } from '../config/mail-config.js';
import { ServiceConfig } from '../config/service-config.js';
import { compose, preferencesUrl } from './compose.js';
import { queueMailOfEvents } from './event-mail.js';
import { claimMail, type QueuedMail, removeMail, retryMail } from './mail-queue.js';
import { prepareReset } from './prepare-reset.js';
import { RejectedMailError, SmtpSender } from './smtp-sender.js';

/** How long mail may go on being sent when the service stops. Then another replica sends it again. */
const stopPatienceMilliseconds = 2000;

/**
 * Sends queued mail, outside of requests: a server that hangs delays none. Every replica does this; each mail is taken by
 * one of them, and by another one if that doesn't report in time. Without SMTP, does nothing.
 */
@Injectable()
export class MailWorkerService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Mail');
  private readonly options: MailOptions;
  /** Undefined without SMTP. */
  private readonly task: RepeatedTask | undefined;
  private readonly sending = new Set<Promise<void>>();
  private isFailing = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditService,
    @Inject(ServiceConfig) private readonly config: Pick<ServiceConfig, 'mail' | 'jwtSecrets' | 'publicUrl'>,
  ) {
    const { mail } = config;
    this.options = { ...defaultMailOptions, ...mail?.options };
    if (mail === undefined) return;
    const sender = new SmtpSender(mail, this.options);
    this.task = new RepeatedTask({
      delayMilliseconds: 0,
      intervalMilliseconds: this.options.pollMilliseconds,
      run: () => this.startSending(sender),
      onFailure: (error) => this.warn(error),
    });
  }

  onApplicationBootstrap(): void {
    this.task?.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.task?.stop();
    const patience = new AbortController();
    const expired = delay(stopPatienceMilliseconds, undefined, { signal: patience.signal }).catch(() => undefined);
    await Promise.race([Promise.all(this.sending), expired]);
    patience.abort();
  }

  /** Queues mail about events, and starts to send what is due. */
  private async startSending(sender: SmtpSender): Promise<void> {
    const { manager } = this.dataSource;
    if (await this.hasEvents()) while (await this.dataSource.transaction(queueMailOfEvents));
    const free = this.options.maxAtOnce - this.sending.size;
    const claimed = free > 0 ? await claimMail(manager, free, this.options.leaseSeconds) : [];
    for (const mail of claimed) {
      const sent = this.send(sender, mail).catch((error: unknown) => this.warn(error));
      this.sending.add(sent);
      void sent.finally(() => this.sending.delete(sent));
    }
  }

  private async hasEvents(): Promise<boolean> {
    const [found] = await this.dataSource.query<{ hasEvents: boolean }[]>(
      `select coalesce((select max(position) from events) > (select position from mail_progress), true) as "hasEvents"`,
    );
    return found?.hasEvents === true;
  }

  /** Sends a mail, and removes it or has it tried again. */
  private async send(sender: SmtpSender, mail: QueuedMail): Promise<void> {
    const { manager } = this.dataSource;
    const { publicUrl = '', jwtSecrets: secrets } = this.config;
    try {
      const prepare = (reset: QueuedMail) => prepareReset(this.dataSource, this.audit, secrets, reset);
      const message = await compose(mail, { manager, publicUrl, secrets, prepareReset: prepare });
      const unsubscribeUrl = mail.kind in optionalMail ? preferencesUrl(publicUrl) : undefined;
      if (message !== undefined) await sender.send(mail.id, mail.email, message, unsubscribeUrl);
      await removeMail(manager, mail);
      this.isFailing = false;
    } catch (error) {
      await this.postpone(mail, error);
    }
  }

  /** Has a mail tried again, or drops it. Logs neither recipients nor texts. */
  private async postpone(mail: QueuedMail, error: unknown): Promise<void> {
    const { manager } = this.dataSource;
    const { id: mailId, kind, attempts } = mail;
    const seconds = error instanceof RejectedMailError ? undefined : this.options.retrySeconds[attempts - 1];
    if (seconds !== undefined) {
      this.warn(error);
      await retryMail(manager, mail, seconds);
      return;
    }
    this.logger.warn('A mail was dropped, because the mail server rejected it.', {
      mailId,
      kind,
      attempts,
      ...causeOf(error),
    });
    await removeMail(manager, mail);
  }

  /** Of failures in a row, the first is logged. */
  private warn(error: unknown): void {
    if (!this.isFailing && this.task?.signal.aborted !== true) {
      this.logger.warn('Mail could not be sent. It is retried.', causeOf(error));
    }
    this.isFailing = true;
  }
}

/** What may be logged of an error: responses of mail servers contain addresses. */
function causeOf(error: unknown): { code: unknown; responseCode: unknown } {
  const cause = error instanceof RejectedMailError ? error.cause : error;
  const { code, responseCode } = (cause ?? {}) as { code?: unknown; responseCode?: unknown };
  return { code, responseCode };
}
