/** Permissions that an API key can have. */
export const scopes = ['read', 'write', 'finance', 'keys'] as const;

/** Areas to which permissions can be limited. */
export const areas = [
  'organization',
  'catalog',
  'customers',
  'subscriptions',
  'usage',
  'invoices',
  'payments',
  'messages',
  'metrics',
  'exports',
  'pages',
  'sandbox',
] as const;
