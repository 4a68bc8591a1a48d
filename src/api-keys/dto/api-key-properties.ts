/** The first characters of a key. */
export const hintPattern = /^kc_[0-9A-Za-z]{5}$/;

/** OpenAPI text of a name. */
export const nameProperty = { example: 'Search indexer', minLength: 2, maxLength: 100 };

/** OpenAPI text of the first characters of a key. */
export const hintProperty = { example: 'kc_4fT9q', pattern: hintPattern.source };
