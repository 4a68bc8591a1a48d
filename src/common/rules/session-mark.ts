/** Name of the cookie that is set and deleted with the refresh token. Scripts can read it; it contains no secret. */
export const sessionMarkName = 'keycard_signed_in';
