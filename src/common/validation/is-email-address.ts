import { Matches } from 'class-validator';

/** Control characters and halves of surrogate pairs cannot be stored. */
const emailAddress = /^(?=.{3,254}$)[^\s@\p{Cc}\p{Cs}]+@[^\s@\p{Cc}\p{Cs}]+$/u;

/** An address that mail could be sent to, as far as its form can tell. */
export const IsEmailAddress = () =>
  Matches(emailAddress, { message: '$property must be an e-mail address of at most 254 characters' });
