import type { Transporter } from 'nodemailer';
import type { MailConfig, MailOptions } from '../config/mail-config.js';
import type { Message } from './messages/message.js';

/** A rejection that other attempts can't change, such as of an unknown recipient. */
export class RejectedMailError extends Error {
  override name = 'RejectedMailError';
}

/** Sends mail to an SMTP server. Each attempt has its own connection, which a hanging server can't keep. */
export class SmtpSender {
  private transporter: Promise<Transporter> | undefined;

  constructor(
    private readonly config: MailConfig,
    private readonly options: MailOptions,
  ) {}

  /**
   * Returns once the server has accepted the mail.
   *
   * @param unsubscribeUrl where the recipient can turn this kind off; undefined if they can't
   * @throws RejectedMailError if the server rejects it for good; any other error if it may be tried again
   */
  async send(id: string, to: string, message: Message, unsubscribeUrl: string | undefined): Promise<void> {
    const { from } = this.config;
    const { subject, text, html } = message;
    const transporter = await (this.transporter ??= this.connect());
    const { timeoutMilliseconds } = this.options;
    let timer: NodeJS.Timeout | undefined;
    const expired = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(
        () => reject(new Error('The mail server did not accept the mail in time.')),
        timeoutMilliseconds,
      );
    });
    const sent = transporter.sendMail({
      from,
      // Not parsed, so an email can't name several recipients.
      to: { name: '', address: to },
      subject,
      text,
      html,
      // The same in each attempt, so that recipients' servers can drop duplicates.
      messageId: `<${id}@keycard>`,
      headers: {
        'Auto-Submitted': 'auto-generated',
        ...(unsubscribeUrl !== undefined && { 'List-Unsubscribe': `<${unsubscribeUrl}>` }),
      },
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    sent.catch(() => undefined);
    try {
      await Promise.race([sent, expired]);
    } catch (error) {
      throw isPermanent(error) ? new RejectedMailError('The mail server rejected the mail.', { cause: error }) : error;
    } finally {
      clearTimeout(timer);
    }
  }

  private async connect(): Promise<Transporter> {
    // Loaded only when there is mail to send.
    const { createTransport } = await import('nodemailer');
    const { smtpUrl } = this.config;
    const timeout = this.options.timeoutMilliseconds;
    return createTransport({
      url: smtpUrl,
      connectionTimeout: timeout,
      greetingTimeout: timeout,
      socketTimeout: timeout,
      dnsTimeout: timeout,
    });
  }
}

/** Whether the server rejected the recipient or the content with a 5xx. Failed authentication can be fixed. */
function isPermanent(error: unknown): boolean {
  const { responseCode, command } = error as { responseCode?: unknown; command?: unknown };
  return typeof responseCode === 'number' && responseCode >= 500 && /^(RCPT TO|DATA|MAIL FROM)/.test(String(command));
}
