import { ValidateBy, type ValidationOptions } from 'class-validator';

/** Length as a reader counts: in code points, not in UTF-16 units. */
function countCodePoints(text: string): number {
  return [...text].length;
}

/** Whether the text can be stored and shown: no control characters, no halves of surrogate pairs. */
function isPrintable(text: string): boolean {
  return text.isWellFormed() && !/\p{Cc}/u.test(text);
}

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
