/** The only algorithm that is signed with and accepted (RFC 8725 §3.1). */
export const tokenAlgorithm = 'HS256' as const;
/** `iss` of the tokens that the built-in sign-in returns. */
export const tokenIssuer = 'keycard';
/** `aud` of the same: the management API. */
export const tokenAudience = 'keycard-management';
