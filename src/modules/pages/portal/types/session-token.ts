/** Argument with the session token of a portal operation. Optional if the request or the connection sends it as a bearer token. */
export const sessionToken = {
  description:
    'Token from the portal URL (the last path segment). Optional if the token is sent as a bearer token or in `connectionParams`.',
} as const;
