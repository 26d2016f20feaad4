import type { Random } from '../../support/random.ts';
import type { Pool } from './pool.ts';
import type { OpenShop } from './shop.ts';

/** A request of HTTP that clients can send. */
export type HttpRequest = {
  readonly kind: 'http';
  /** The operation or surface it is for. */
  readonly about: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
  /** The type its answer is about, for the pool; null to learn nothing. */
  readonly answers: string | null;
};

/** Bytes for a connection of their own, piece after piece. */
export type BytesRequest = {
  readonly kind: 'bytes';
  readonly about: string;
  readonly pieces: readonly Buffer[];
};

export type FuzzRequest = HttpRequest | BytesRequest;

/** An organization that requests are sent as, and what its answers taught. */
export type Tenant = {
  readonly sandboxKey: string;
  readonly liveKey: string;
  readonly pool: Pool;
  readonly openShop: OpenShop;
};

/** What requests are made from. */
export type World = { readonly random: Random; readonly tenant: Tenant; readonly unknownRecord: Tenant };

/** Makes one request of a kind. */
export type MakeRequest = (world: World) => FuzzRequest | Promise<FuzzRequest>;

/** The headers of a caller: mostly the tenant's sandbox, now and then someone else, or nobody. */
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

/** Headers that change how a request is taken, now and then one of them. */
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
