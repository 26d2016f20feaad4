/** What an API key may do. */
export const scopes = ['read', 'write', 'finance', 'keys'] as const;
