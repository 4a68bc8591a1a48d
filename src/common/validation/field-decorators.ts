import { ValidateBy, type ValidationOptions } from 'class-validator';
import { countCodePoints, isPrintable } from './text-rules.js';

/** A printable text of so many code points. */
export function HasCodePoints(shortest: number, longest: number, options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'hasCodePoints',
      validator: {
        validate: (value: unknown) => {
          if (typeof value !== 'string' || !isPrintable(value)) return false;
          const length = countCodePoints(value);
          return length >= shortest && length <= longest;
        },
        defaultMessage: (details) =>
          shortest === 0
            ? `${details?.property} must have at most ${longest} characters and no control characters`
            : `${details?.property} must have ${shortest} to ${longest} characters, not counting spaces around it, and no control characters`,
      },
    },
    options,
  );
}
