import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { Origin } from '../access/principal.js';
import { generateLinkToken } from '../common/link-token.js';
import { ServiceConfig } from '../config/service-config.js';
import { noteDevice } from './known-devices.js';
import { deriveLinkToken } from './link-tokens.js';
import { type NewMail, queueMail } from './mail-queue.js';

/** A mail with a link. */
interface LinkMail {
  /** The secret of the link. Only its hash may be stored. */
  token: string;
  /** Queues the mail in the transaction that stores the hash. */
  queue: (manager: EntityManager, mail: Omit<NewMail, 'id'>) => Promise<void>;
}

interface SignIn {
  userId: string;
  organizationId: string;
  origin: Origin;
}

/** Queues mail. Without SMTP, does nothing. */
@Injectable()
export class MailService {
  constructor(@Inject(ServiceConfig) private readonly config: Pick<ServiceConfig, 'mail' | 'jwtSecrets'>) {}

  get isOn(): boolean {
    return this.config.mail !== undefined;
  }

  /** Queues a mail in the transaction of the change it is about. */
  async queue(manager: EntityManager, mail: NewMail): Promise<void> {
    if (this.isOn) await queueMail(manager, mail);
  }

  /** Prepares a mail with a link. Without SMTP, the token is a random one. */
  prepareLink(): LinkMail {
    if (!this.isOn) return { token: generateLinkToken(), queue: () => Promise.resolve() };
    const id = uuidv7();
    const token = deriveLinkToken(this.config.jwtSecrets[0], id);
    return { token, queue: (manager, mail) => queueMail(manager, { ...mail, id }) };
  }

  /** Queues a mail about a sign-in from a browser or network that the user hasn't used lately. */
  async noteSignIn(manager: EntityManager, { userId, organizationId, origin }: SignIn): Promise<void> {
    if (!this.isOn || !(await noteDevice(manager, userId, origin))) return;
    const [user] = await manager.query<{ email: string }[]>('select email from users where id = $1', [userId]);
    if (user === undefined) return;
    const { address, userAgent = null } = origin;
    const data = { address, userAgent, time: new Date().toISOString() };
    await queueMail(manager, { kind: 'new-device', email: user.email, userId, organizationId, data });
  }
}
