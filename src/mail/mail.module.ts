import { Global, Module } from '@nestjs/common';
import { MailWorkerService } from './mail-worker.service.js';
import { MailService } from './mail.service.js';

/** Global, because several features send mail. */
@Global()
@Module({ providers: [MailService, MailWorkerService], exports: [MailService] })
export class MailModule {}
