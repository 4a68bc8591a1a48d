// Kinds of mail. Shared with the dashboard, so no dependencies.

/** Kinds that every recipient gets, because they are about security or were asked for. */
export const requiredMail = ['invitation', 'password-reset', 'new-device', 'key-leaked'] as const;

/** Kinds that users can turn off, with their titles. */
export const optionalMail = {
  'key-expiring': 'API keys that expire soon',
  'limit-reached': 'Budgets that reach a percentage, or are exhausted',
  'webhook-disabled': 'Webhooks that were disabled because they failed',
} as const;

export type OptionalMail = keyof typeof optionalMail;
export type MailKind = (typeof requiredMail)[number] | OptionalMail;

export const optionalMailKinds = Object.keys(optionalMail) as OptionalMail[];
