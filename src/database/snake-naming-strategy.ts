import { DefaultNamingStrategy } from 'typeorm';

/** Columns are named as is usual in SQL: `createdAt` is `created_at`. */
export class SnakeNamingStrategy extends DefaultNamingStrategy {
  override columnName(propertyName: string, customName: string | undefined): string {
    return customName ?? propertyName.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  }
}
