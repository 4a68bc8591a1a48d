import { ValidateBy } from 'class-validator';
import { isEmailAddress, longestEmailAddress } from './email-address.js';

/** A field that holds an email address. */
export const IsEmailAddress = () =>
  ValidateBy({
    name: 'isEmailAddress',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && isEmailAddress(value),
      defaultMessage: (details) =>
        `${details?.property} must be an email address of at most ${longestEmailAddress} characters, without invisible or look-alike characters`,
    },
  });
