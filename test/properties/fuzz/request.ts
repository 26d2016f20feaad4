import type { Random } from '../../support/random.ts';
import type { Pool } from './pool.ts';
import type { OpenShop } from './shop.ts';

export type HttpRequest = {
  readonly kind: 'http';
  /** Name of the operation or group of paths, used in findings. */
  readonly about: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
  /** Schema type of the response, used to fill the pool. `null` if the response is ignored. */
  readonly answers: string | null;
};

/** Bytes that are sent in chunks over a separate connection. */
export type BytesRequest = {
  readonly kind: 'bytes';
  readonly about: string;
  readonly pieces: readonly Buffer[];
};

export type FuzzRequest = HttpRequest | BytesRequest;

/** An organization that sends requests, and the values from the responses to it. */
export type Tenant = {
  readonly sandboxKey: string;
  readonly liveKey: string;
  readonly pool: Pool;
  readonly openShop: OpenShop;
};

export type World = { readonly random: Random; readonly tenant: Tenant; readonly unknownRecord: Tenant };

export type MakeRequest = (world: World) => FuzzRequest | Promise<FuzzRequest>;

/** Returns authentication headers: usually the tenant's sandbox key, and sometimes another key, an invalid key, or no key. */
export function keyHeaders({ random, tenant, unknownRecord }: World): Record<string, string> {
  const draw = random.below(100);
  if (draw < 82) return { 'x-api-key': tenant.sandboxKey };
  if (draw < 87) return { 'x-api-key': tenant.liveKey };
  if (draw < 90) return { 'x-api-key': unknownRecord.sandboxKey };
  if (draw < 93) return { 'x-api-key': `ck_sandbox_${random.below(1_000_000)}` };
  if (draw < 95) return { authorization: `Bearer ${random.pick([tenant.sandboxKey, 'none', 'a.b.c', ''])}` };
  if (draw < 97)
    return { 'x-api-key': random.pick(['', ' ', 'x'.repeat(5_000), 'ck_live_', "' OR 1=1", 'é']) };
  return {};
}

/** Occasionally returns a header that changes how the server processes a request. */
export function oddHeaders({ random }: World): Record<string, string> {
  if (random.below(100) >= 12) return {};
  return random.pick<Record<string, string>>([
    { 'service-version': random.pick(['2026-08-27', '1', '', '9999-99-99', 'x'.repeat(300)]) },
    {
      'content-type': random.pick([
        'text/plain',
        '',
        'application/json; charset=utf-16',
        'multipart/form-data',
        'application/x-www-form-urlencoded',
      ]),
    },
    { 'content-encoding': random.pick(['gzip', 'br', 'identity', 'zstd']) },
    {
      accept: random.pick(['text/event-stream', 'text/html', 'multipart/mixed', '*/*;q=0', 'x'.repeat(300)]),
    },
    {
      'idempotency-key': random.pick([
        '',
        'same',
        'x'.repeat(300),
        '🧾'.slice(0, 1),
        '00000000-0000-4000-8000-000000000000',
      ]),
    },
    { 'x-forwarded-for': random.pick(['127.0.0.1', 'x', '::ffff:1.2.3.4, 5', ','.repeat(500)]) },
    {
      'x-organization': random.pick(['org_none', '', '__proto__']),
      cookie: random.pick(['a=b', 'better-auth.session_token=x', ';;;=']),
    },
    { expect: '100-continue' },
    { range: 'bytes=0-1', 'if-none-match': '*' },
    { host: random.pick(['x', 'localhost:0', 'a.b:99999', '[::1', '127.0.0.1@evil']) },
    { 'x-http-method-override': 'DELETE' },
  ]);
}
