import { Transform } from 'class-transformer';

/** Removes spaces around a text before it is checked. */
export const Trimmed = () =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value));
