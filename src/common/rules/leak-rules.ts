// What happens to leaked API keys. Shared with the dashboard, so no dependencies.

/** What an organization does with an API key that is reported as leaked: only record it, disable it or delete it. */
export const onLeakPolicies = ['notify', 'disable', 'delete'] as const;
export type OnLeak = (typeof onLeakPolicies)[number];

export const defaultOnLeak: OnLeak = 'disable';

/** Which secret of a key leaked: the one it has, or the one from before the last rotation. */
export const leakedSecrets = ['current', 'previous'] as const;
export type LeakedSecret = (typeof leakedSecrets)[number];

export const maxLeakUrlLength = 4096;
/** Limits the kinds of places and of secrets that reports name. */
export const maxLeakTextLength = 100;
