import { DefaultNamingStrategy } from 'typeorm';

/** Maps property names to SQL column names: `createdAt` becomes `created_at`. */
export class SnakeNamingStrategy extends DefaultNamingStrategy {
  override columnName(propertyName: string, customName: string | undefined): string {
    return customName ?? propertyName.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  }
}
