import { ValidateBy } from 'class-validator';
import { isName, nameRule } from './text-rules.js';

/** A field that holds the name of a person, key, role or organization. */
export const IsName = () =>
  ValidateBy({
    name: 'isName',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && isName(value),
      defaultMessage: (details) => `${details?.property} ${nameRule}`,
    },
  });
