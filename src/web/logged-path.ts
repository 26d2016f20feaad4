// Page URLs contain access tokens. To keep tokens out of logs, only paths that never contain a token are logged in full. For other paths, the route
// pattern is logged.

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
  [/^\/documents\/credit-notes\//, '/documents/credit-notes/:token'],
  [/^\/documents\/exports\//, '/documents/exports/:token'],
  [/^\/webhooks\/stripe\//, '/webhooks/stripe/:environmentId/:connectionId'],
];

/** Returns the path to log for a URL, without its query string. Paths with a token are replaced by their pattern, and unknown paths by `/:other`. */
export function loggedPath(address: string): string {
  const [path = ''] = address.split(/[?#]/, 1);
  if (tokenless.test(path)) return path;
  return patterns.find(([pattern]) => pattern.test(path))?.[1] ?? '/:other';
}
