import type { ApiKeyDetails } from '../../../api/schema.js';

interface LeakDescription {
  title: string;
  /** What to do. */
  advice: string;
  /** Whether the leaked secret can't be used any more. */
  isOver: boolean;
}

/** Describes the leak of a key and what to do about it. */
export function describeLeak({
  leak,
  enabled,
  previousSecretHint,
}: Pick<ApiKeyDetails, 'leak' | 'enabled' | 'previousSecretHint'>): LeakDescription {
  if (leak?.secret === 'previous') {
    return previousSecretHint === null
      ? {
          title: 'The previous secret of this key leaked. It was revoked.',
          advice: 'The current secret keeps working. The next rotation removes this notice.',
          isOver: true,
        }
      : {
          title: 'The previous secret of this key leaked and still works.',
          advice: 'Revoke the previous secret.',
          isOver: false,
        };
  }
  return enabled
    ? {
        title: 'This key leaked and still works.',
        advice: 'Rotate it without a grace period, disable it or delete it.',
        isOver: false,
      }
    : {
        title: 'This key leaked. It is disabled.',
        advice: 'Rotate it before you enable it: the leaked secret is then revoked immediately.',
        isOver: false,
      };
}
