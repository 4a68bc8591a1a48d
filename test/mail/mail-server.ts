import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';

/** How the server treats a recipient. */
export type Treatment = 'accept' | 'reject' | 'defer';

/** A real SMTP server in this process. */
export class MailServer {
  readonly received: ParsedMail[] = [];
  /** Attempts to name a recipient. */
  attempts = 0;
  treat: (recipient: string) => Treatment = () => 'accept';
  /** Runs before the server accepts a mail. */
  beforeAccept: () => Promise<void> = () => Promise.resolve();
  private port = 0;

  private readonly server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onRcptTo: ({ address }, _session, callback) => {
      this.attempts += 1;
      const treatment = this.treat(address);
      if (treatment === 'accept') callback();
      else callback(Object.assign(new Error('No.'), { responseCode: treatment === 'reject' ? 550 : 451 }));
    },
    onData: (stream, _session, callback) => {
      void simpleParser(stream).then(async (mail) => {
        await this.beforeAccept();
        this.received.push(mail);
        callback();
      });
    },
  });

  /** The URL of the server, once it has started. */
  get url(): string {
    return `smtp://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    this.server.on('error', () => undefined);
    const listening = this.server.listen(0, '127.0.0.1');
    await once(listening, 'listening');
    const address = listening.address();
    this.port = typeof address === 'object' && address !== null ? address.port : 0;
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => this.server.close(resolve));
  }

  /** The mail to an address, the oldest first. */
  to(email: string): ParsedMail[] {
    return this.received.filter(({ to }) => !Array.isArray(to) && to?.text === email);
  }
}

/** A server that accepts connections and says nothing. */
export class HangingServer {
  private readonly sockets = new Set<Socket>();
  private readonly server: Server = createServer((socket) => {
    this.sockets.add(socket);
    socket.on('error', () => undefined);
  });

  get connections(): number {
    return this.sockets.size;
  }

  async start(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    const address = this.server.address();
    return `smtp://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }
}

/** Settings of an app that sends mail. */
export const mailSettings = (smtpUrl: string, options = {}) => ({
  publicUrl: 'http://127.0.0.1:3000',
  mail: {
    smtpUrl,
    from: 'Keycard <keycard@example.com>',
    options: { pollMilliseconds: 20, timeoutMilliseconds: 5000, retrySeconds: [0, 0, 0], ...options },
  },
});

/** The secret of the link in a mail. */
export function tokenIn({ text = '' }: ParsedMail): string {
  return /#token=(\S+)/.exec(text)?.[1] ?? '';
}
