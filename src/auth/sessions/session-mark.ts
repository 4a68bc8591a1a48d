/** The cookie that comes and goes with that of the refresh token, for the scripts of the dashboard. It holds no secret. */
export const sessionMarkName = 'keycard_signed_in';
