import { ValidateIf } from 'class-validator';

/** A field that may be missing, but not null: nothing can be set to null. */
export const MayBeLeftOut = () => ValidateIf((_object: object, value: unknown) => value !== undefined);
