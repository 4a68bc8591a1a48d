import type { MigrationInterface, QueryRunner } from 'typeorm';
import { readSql } from '../sql-file.js';

/** The queue of mail, what users turned off, and the devices they sign in from. */
export class AddMail1795660000000 implements MigrationInterface {
  name = 'AddMail1795660000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(readSql('database/migrations/mail/tables.sql'));
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      drop table mail_messages, mail_progress, known_devices;
      alter table users drop muted_mail;
    `);
  }
}
