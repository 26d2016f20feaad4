import { brokenJson } from './broken-json.ts';
import { texts } from './hostile.ts';
import { type HttpRequest, keyHeaders, oddHeaders, type World } from './request.ts';

const places = [
  '/',
  '/healthz',
  '/readyz',
  '/metrics',
  '/docs',
  '/docs/api-reference/2026-08-27/errors/duplicate.md',
  '/openapi.json',
  '/graphql',
  '/checkout/',
  '/pay/',
  '/portal/',
  '/recover/',
  '/method/',
  '/claim/',
  '/invitation/',
  '/documents/invoices/',
  '/embed.js',
  '/assets/../package.json',
  '/callbacks/stripe/',
  '/api/v1',
  '/api/v1/',
  '/api/v2/plans',
  '//',
  '/.env',
  '/%2e%2e/',
  '/\\',
];

const accounts = [
  'sign-in/email',
  'sign-up/email',
  'sign-out',
  'get-session',
  'change-password',
  'reset-password',
  'verify-email',
  'x',
];

/** Generates a request for a path outside REST and GraphQL: pages, documents, accounts, and unknown paths. */
export function pageRequest(world: World): HttpRequest {
  const { random, tenant } = world;
  const shared = {
    kind: 'http' as const,
    answers: null,
    headers: { ...keyHeaders(world), ...oddHeaders(world) },
  };
  if (random.below(4) === 0) {
    const body = {
      email: random.pick(['a@example.com', ...texts]),
      password: random.pick(['password1', ...texts]),
      name: random.pick(texts),
    };
    const text = JSON.stringify(body);
    const path = `/auth/${random.pick(accounts)}${random.pick(['', '?/sign-out', '?callbackURL=http://127.0.0.1:9/', '/', '/%00'])}`;
    const headers = {
      'content-type': 'application/json',
      ...(random.below(2) === 0 ? { origin: 'http://127.0.0.1:9' } : {}),
      ...shared.headers,
    };
    return {
      ...shared,
      about: '/auth',
      method: random.pick(['POST', 'POST', 'GET']),
      path,
      headers,
      body: random.below(3) === 0 ? brokenJson(random, text) : Buffer.from(text),
    };
  }
  const place = random.pick(places);
  const rest = place.endsWith('/')
    ? random.pick([tenant.pool.valueFor(random, '', 'token') ?? 'none', ...texts])
    : random.pick(['', '', '/', '?a=%', '/x']);
  const path = `${place}${place.endsWith('/') ? encodeURIComponent(rest.toWellFormed()).slice(0, 4_000) : rest}`;
  const method = random.pick(['GET', 'GET', 'GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']);
  return { ...shared, about: place, method, path, body: method === 'POST' ? Buffer.from('{}') : null };
}
