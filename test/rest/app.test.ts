import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Door, envelope, invalid, openDoor, requestId } from './door.ts';

let door: Door;
beforeAll(async () => {
  door = await openDoor({ BODY_LIMIT_BYTES: '4096' });
});
afterAll(() => door.close());

/** Opens a REST layer with different settings on the same database. */
const beside = (settings: Record<string, string> = {}) => openDoor(settings, { database: door.app.database });

const customers = () => door.sandbox.db.customer.count({});

/** Sends a request and asserts that the number of customers didn't change. */
async function rejected(...args: Parameters<Door['ask']>) {
  const before = await customers();
  const reply = await door.ask(...args);
  expect(await customers()).toBe(before);
  return reply;
}

describe('a REST API caller', () => {
  test('is rejected with 401 without a key and with an empty, unknown, or expired key', async () => {
    const expired = await door.mint(false, ['read'], new Date('2020-01-01T00:00:00Z'));
    for (const key of [null, '', 'ck_sandbox_unknown', 'something else', expired]) {
      const reply = await rejected('POST', '/customers', { key, body: { email: 'a@example.com' } });
      expect(reply.status).toBe(401);
      expect(reply.body).toEqual(
        envelope(
          'authentication_error',
          'unauthorized',
          'The API key is missing or invalid. Send a valid API key in the `x-api-key` header.',
        ),
      );
    }
  });

  test('is rejected with 403 without the scope, before its input is validated', async () => {
    const key = await door.mint(false, ['read']);
    const reply = await rejected('POST', '/customers', { key, text: '{' });
    expect(reply.status).toBe(403);
    expect(reply.body).toEqual(
      envelope(
        'authentication_error',
        'forbidden',
        "The API key doesn't have the scope write. Use a key with this scope.",
      ),
    );
    expect((await door.ask('GET', '/customers', { key })).status).toBe(200);
  });

  test("can't read objects in the other environment", async () => {
    const made = await door.ask('POST', '/customers', {
      body: { email: 'mode@example.com', externalId: 'mode' },
    });
    const { id } = made.body as { id: string };
    const reply = await door.ask('GET', `/customers/${id}`, { key: await door.mint(true) });
    expect(reply.status).toBe(404);
    expect(reply.body).toEqual(
      envelope('not_found_error', 'customer_not_found', "The customer doesn't exist in this environment.", {
        param: 'id',
      }),
    );
  });
});

describe('a REST route', () => {
  test("returns 404 if it's not declared, with and without a key", async () => {
    for (const [method, path] of [
      ['GET', '/nothing'],
      ['PUT', '/customers'],
      ['GET', '/customers/'],
      ['GET', '/customers/a/b'],
      ['HEAD', '/customers'],
    ] as const) {
      const reply = await door.ask(method, path, { key: null });
      expect(reply.status).toBe(404);
      expect(reply.body).toEqual(
        envelope(
          'not_found_error',
          'not_found',
          `The route ${method} /api/v1${path} doesn't exist. Check the method and the path.`,
        ),
      );
    }
  });

  test('returns JSON with the request ID', async () => {
    for (const reply of [await door.ask('GET', '/customers'), await door.ask('GET', '/nothing')]) {
      expect(reply.headers.get('content-type')).toBe('application/json');
      expect(reply.headers.get('x-request-id')).toBe(requestId);
    }
  });

  test('derives the status from the result', async () => {
    const ask = () => door.ask('POST', '/customers', { body: { email: 'twice@example.com', id: 'twice' } });
    const [first, second] = [await ask(), await ask()];
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.text).toBe(first.text);
  });

  test('takes precedence over a route with a parameter if it has a fixed segment in its place', async () => {
    const reply = await door.ask('POST', '/customers/batch', {
      body: { customers: [{ email: 'no address' }] },
    });
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      object: 'customer_batch',
      successful: [],
      failed: [{ index: 0 }],
      livemode: false,
    });
  });
});

describe('an API version', () => {
  test("is rejected if it isn't a date", async () => {
    for (const version of ['latest', '2026-8-27', '']) {
      const reply = await rejected('GET', '/customers', { headers: { 'Service-Version': version } });
      expect(reply.status).toBe(400);
      expect(reply.body).toEqual(invalid(['Service-Version', 'must be a date such as 2026-08-27']));
    }
  });

  test("is treated as the current version if it's unknown", async () => {
    const reply = await door.ask('GET', '/nothing', { headers: { 'Service-Version': '2001-01-01' } });
    expect(reply.body).toMatchObject({
      error: { doc_url: 'https://billing.example/docs/api-reference/2026-08-27/errors/not_found.md' },
    });
  });
});

describe('a REST request body', () => {
  test("is rejected if it isn't a JSON object", async () => {
    const notUtf8 = new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
    for (const text of ['{', '{"email":', 'email=a', notUtf8, ' ']) {
      const reply = await rejected('POST', '/customers', { text });
      expect(reply.status).toBe(400);
      expect(reply.body).toEqual(
        envelope('validation_error', 'invalid_json', 'The request body must be JSON in UTF-8.'),
      );
    }
    for (const text of ['[]', 'null', '1', '"email"']) {
      const reply = await rejected('POST', '/customers', { text });
      expect(reply.status).toBe(400);
      const message = 'The body must be a JSON object';
      expect(reply.body).toEqual(
        envelope('validation_error', 'validation_error', `${message}.`, {
          details: [{ field: '', message }],
        }),
      );
    }
  });

  test('is rejected above the size limit, with and without a declared length', async () => {
    const text = JSON.stringify({ email: 'a@example.com', fullName: 'x'.repeat(4096) });
    for (const headers of [{}, { 'content-length': String(text.length) }]) {
      const reply = await rejected('POST', '/customers', { text, headers });
      expect(reply.status).toBe(400);
      expect(reply.body).toMatchObject({
        error: { code: 'validation_error', message: 'The request body exceeds 4096 bytes.' },
      });
    }
    const exact = JSON.stringify({ email: 'exact@example.com', metadata: { filler: '' } });
    const full = exact.replace('""', `"${'x'.repeat(4096 - exact.length)}"`);
    expect((await door.ask('POST', '/customers', { text: full })).status).toBe(201);
  });

  test("is rejected if it's nested too deeply", async () => {
    const deep = `${'{"a":'.repeat(64)}1${'}'.repeat(64)}`;
    const reply = await rejected('POST', '/customers', {
      text: `{"email":"a@example.com","metadata":${deep}}`,
    });
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({
      error: { message: "The request body can't be nested more than 64 levels deep." },
    });
  });

  test("is ignored if it's empty, with every content type", async () => {
    const reply = await rejected('POST', '/customers', { text: '' });
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual(invalid(['email', 'is required']));
    const key = await door.mint(false);
    const { body } = await door.ask('GET', '/api-keys', { key });
    const [{ id }] = (body as { data: [{ id: string }] }).data;
    const headers = { 'content-type': 'application/json' };
    expect((await door.ask('DELETE', `/api-keys/${id}`, { headers })).body).toEqual({
      id,
      deleted: true,
      object: 'api_key',
      livemode: false,
    });
  });

  test('can only be {} on a route without a body', async () => {
    await door.mint(false);
    const { body } = await door.ask('GET', '/api-keys');
    const [{ id }] = (body as { data: [{ id: string }] }).data;
    const more = await door.ask('DELETE', `/api-keys/${id}`, { body: { really: true } });
    expect(more.body).toEqual(invalid(['really', "isn't a supported field"]));
    expect((await door.ask('DELETE', `/api-keys/${id}`, { body: {} })).status).toBe(200);
  });
});

describe('a REST API input', () => {
  test('is validated together with other inputs, and reported under its REST name', async () => {
    const reply = await rejected('POST', '/customers', {
      body: {
        emial: 'a@example.com',
        fullName: 7,
        externalId: '',
        timezone: 'Mars/Olympus',
        metadata: [],
        taxDocument: null,
        address: { line1: 'Street 1', city: 2, postalCode: '1000', country: 'be', planet: 'Earth' },
      },
    });
    expect(reply.status).toBe(400);
    const { error } = reply.body as {
      error: { param: string; details: { field: string; message: string }[] };
    };
    expect(error.details.map(({ field }) => field)).toEqual([
      'emial',
      'address.planet',
      'address.city',
      'address.country',
      'email',
      'externalId',
      'fullName',
      'metadata',
      'taxDocument',
      'timezone',
    ]);
    expect(error.details).toContainEqual({ field: 'address.city', message: 'must be a string' });
    expect(error.details).toContainEqual({
      field: 'address.country',
      message: '`be` is not an ISO 3166-1 code. Use BE',
    });
    expect(error.param).toBe('emial');
  });

  test("is reported by index if it's in a list", async () => {
    const reply = await rejected('POST', '/customers/batch', {
      body: { customers: [{ email: 'a@example.com' }, { email: 1 }, { name: 'x' }, null, 'x'] },
    });
    expect(reply.body).toEqual(
      invalid(
        ['customers.1.email', 'must be a string'],
        ['customers.2.name', "isn't a supported field"],
        ['customers.2.email', 'is required'],
        ['customers.3', 'must not be null'],
        ['customers.4', 'must be an object'],
      ),
    );
  });

  test('is treated like any other input if its name matches a built-in object property', async () => {
    const text = '{"email":"a@example.com","__proto__":{"fullName":"x"},"constructor":1}';
    const reply = await rejected('POST', '/customers', { text });
    expect(reply.body).toEqual(
      invalid(['__proto__', "isn't a supported field"], ['constructor', "isn't a supported field"]),
    );
    const kept = await door.ask('POST', '/customers', {
      text: '{"email":"p@example.com","metadata":{"__proto__":{"a":1}}}',
    });
    expect(kept.status).toBe(201);
    expect(({} as { a?: number }).a).toBeUndefined();
  });

  test.each([
    ['the null character', 'a\u0000b', "can't contain the null character"],
    ['half of a surrogate pair', 'a\ud83c', "can't contain an unpaired UTF-16 surrogate"],
    ['the other half', '\udf0d', "can't contain an unpaired UTF-16 surrogate"],
  ])(
    'is rejected if it contains %s, in every string and in the keys of free-form JSON',
    async (_name, text, message) => {
      const emitted = async (body: object) =>
        (await rejected('POST', '/customers', { body: { email: 'text@example.com', ...body } })).body;
      expect(await emitted({ fullName: text })).toEqual(invalid(['fullName', message]));
      for (const metadata of [{ a: text }, { [text]: 1 }, { a: [1, { b: [text] }] }]) {
        expect(await emitted({ metadata })).toEqual(invalid(['metadata', message]));
      }
      const event = { customerId: 'c', featureCode: 'f', properties: [{ property: 'p', value: text }] };
      expect((await rejected('POST', '/usage/events', { body: event })).body).toEqual(
        invalid(['properties.0.value', message]),
      );
      expect((await rejected('POST', '/usage/events/batch', { body: { events: [event] } })).body).toEqual(
        invalid(['events.0.properties.0.value', message]),
      );
      // Accepts escape sequences that are ordinary text, and complete surrogate pairs.
      const metadata = { a: '\\u0000 \\ud83c', '🌍': '🌍' };
      const kept = await door.ask('POST', '/customers', { body: { email: 'text@example.com', metadata } });
      expect(kept.status).toBe(201);
      expect(kept.body).toMatchObject({ metadata });
    },
  );

  test("is validated if it's in the path", async () => {
    const bad = await door.ask('GET', '/customers/%ff');
    expect(bad.body).toEqual(invalid(['id', 'must be percent-encoded UTF-8']));
    const nul = await door.ask('GET', '/customers/a%00b');
    expect(nul.body).toEqual(invalid(['id', "can't contain the null character"]));
    await door.ask('POST', '/customers', { body: { email: 'slash@example.com', externalId: 'a/b c' } });
    expect((await door.ask('GET', '/customers/a%2Fb%20c')).body).toMatchObject({ externalId: 'a/b c' });
    const clash = await door.ask('PATCH', '/customers/a%2Fb%20c', { body: { id: 'x' } });
    expect(clash.body).toEqual(invalid(['id', "isn't a supported field"]));
  });

  test("is parsed by type if it's in the query string", async () => {
    for (const limit of [
      '0',
      '101',
      '1.5',
      'ten',
      '',
      '1e1',
      '%31%30%30%30%30%30%30%30%30%30%30%30%30%30%30%30%30',
    ]) {
      const reply = await door.ask('GET', `/customers?limit=${limit}`);
      expect(reply.status).toBe(400);
      expect(reply.body).toMatchObject({
        error: { code: 'validation_error', param: 'limit', details: [{ field: 'limit' }] },
      });
    }
    expect((await door.ask('GET', '/customers?limit=100')).status).toBe(200);
    expect((await door.ask('GET', '/customers?first=1&after=x&limit=1&limit=2')).body).toEqual(
      invalid(
        ['first', "isn't a supported field"],
        ['after', "isn't a supported field"],
        ['limit', 'must be sent only once'],
      ),
    );
  });
});

describe('a REST API list', () => {
  test('returns pages with a cursor as long as more rows follow', async () => {
    const own = await beside();
    for (const name of ['one', 'two', 'three'])
      await own.ask('POST', '/customers', { body: { email: `${name}@example.com`, externalId: name } });
    const first = await own.ask('GET', '/customers?limit=2');
    const page = first.body as {
      object: string;
      data: { externalId: string }[];
      hasMore: boolean;
      nextCursor: string;
    };
    expect(Object.keys(page)).toEqual(['object', 'data', 'hasMore', 'nextCursor']);
    expect(page.data.map((customer) => customer.externalId)).toEqual(['three', 'two']);
    expect(page.nextCursor).toMatch(/^[A-Za-z0-9_-]+$/);
    const rest = (await own.ask('GET', `/customers?limit=2&cursor=${page.nextCursor}`)).body as typeof page;
    expect(Object.keys(rest)).toEqual(['object', 'data', 'hasMore']);
    expect(rest).toMatchObject({ object: 'list', data: [{ externalId: 'one' }], hasMore: false });
    expect((await own.ask('GET', '/customers?externalId=two')).body).toMatchObject({
      data: [{ externalId: 'two' }],
      hasMore: false,
    });
  });

  test('rejects an invalid cursor', async () => {
    expect((await door.ask('GET', '/customers?cursor=')).body).toEqual(
      invalid(['cursor', 'must have at least 1 character']),
    );
    expect((await door.ask('GET', '/customers?cursor=nonsense')).body).toEqual(
      invalid(['cursor', 'must be a cursor that this list returned']),
    );
  });
});

describe('the REST API rate limit', () => {
  test('is reported in the headers of every response, and rejects excess requests with 429', async () => {
    const own = await beside({ RATE_LIMIT_PER_MINUTE: '3' });
    const list = await own.ask('GET', '/customers');
    expect([list.headers.get('ratelimit-limit'), list.headers.get('ratelimit-remaining')]).toEqual([
      '3',
      '2',
    ]);
    const one = await own.ask('POST', '/customers', { body: { email: 'a@example.com' } });
    expect([one.status, one.headers.get('ratelimit-remaining')]).toEqual([201, '1']);
    expect((await own.ask('GET', '/customers')).headers.get('ratelimit-remaining')).toBe('0');
    const rejection = await own.ask('POST', '/customers', { body: { email: 'b@example.com' } });
    expect(rejection.status).toBe(429);
    expect(rejection.body).toMatchObject({ error: { type: 'rate_limit_error', code: 'rate_limited' } });
    expect([rejection.headers.get('ratelimit-limit'), rejection.headers.get('ratelimit-remaining')]).toEqual([
      '3',
      '0',
    ]);
    const wait = Number(rejection.headers.get('retry-after'));
    expect(wait).toBeGreaterThanOrEqual(1);
    expect(wait).toBeLessThanOrEqual(60);
    expect(rejection.headers.get('ratelimit-reset')).toBe(String(wait));
    expect(await own.sandbox.db.customer.count({})).toBe(1);
    expect((await own.ask('GET', '/customers', { key: await own.mint(false) })).status).toBe(200);
  });

  test("allows every request and still sends its headers if it's set to 0", async () => {
    const own = await beside({ RATE_LIMIT_PER_MINUTE: '0' });
    const list = await own.ask('GET', '/customers');
    expect(list.headers.get('ratelimit-limit')).toMatch(/^\d+$/);
    expect(list.headers.get('ratelimit-remaining')).toMatch(/^\d+$/);
  });
});
