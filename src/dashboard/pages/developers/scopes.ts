/** Permissions that an API key can have. */
export const scopes = ['read', 'write', 'finance', 'keys'] as const;
