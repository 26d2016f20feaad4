// Addresses of pages carry tokens: a reader of one can open the page. So logs show the paths that are known to carry none, and of others the pattern.

const tokenless =
  /^\/(?:(?:api\/v1|auth|docs|assets|web|dashboard)\/[^\s]*|docs|dashboard|graphql|openapi\.json|healthz|readyz|metrics|embed\.js|favicon\.ico|robots\.txt)?$/;

const patterns: readonly (readonly [RegExp, string])[] = [
  ...[
    'checkout',
    'claim',
    'invitation',
    'invoice',
    'manage',
    'method',
    'pay',
    'portal',
    'pricing',
    'recover',
  ].map((page) => [new RegExp(`^/${page}/`), `/${page}/:token`] as const),
  [/^\/documents\/invoices\//, '/documents/invoices/:token'],
  [/^\/documents\/exports\//, '/documents/exports/:token'],
  [/^\/webhooks\/stripe\//, '/webhooks/stripe/:environmentId/:connectionId'],
];

/** The path of an address as logs may show it: without its query string, and the pattern of an address that carries a token. `/:other` for any other address. */
export function loggedPath(address: string): string {
  const [path = ''] = address.split(/[?#]/, 1);
  if (tokenless.test(path)) return path;
  return patterns.find(([pattern]) => pattern.test(path))?.[1] ?? '/:other';
}
