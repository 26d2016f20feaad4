/** Says the session of a portal operation among its arguments; a token that comes as Bearer or with the connection may be left out here. */
export const sessionToken = {
  description:
    'The last part of the portal address; may be left out where it comes as Bearer or with the connection.',
} as const;
