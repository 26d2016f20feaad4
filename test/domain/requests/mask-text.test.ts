import { describe, expect, it } from 'vitest';
import { shortAddress } from '../../../src/domain/requests/counted.ts';
import {
  cutMark,
  maskAddress,
  maskDocument,
  maskJson,
  maskText,
} from '../../../src/domain/requests/mask-text.ts';

const live = { operation: 'customerCreate', isLive: true };
const sandbox = { ...live, isLive: false };

describe('maskText', () => {
  it.each([
    ['Mail to ann@acme.test today', 'Mail to •••• today'],
    ['key ck_live_abcdefghijklmnop', 'key ••••'],
    ['https://pay.test/portal/eyJhbGciOi', 'https://pay.test/portal/••••'],
    ['https://pay.test/portal', 'https://pay.test/portal'],
    ['card 4242 4242 4242 4242', 'card ••••'],
    ['card 4242424242424241', 'card 4242424242424241'],
    ['cus_1JPrPSSk0003Bgb18zq7fr', 'cus_1JPrPSSk0003Bgb18zq7fr'],
  ])('%s becomes %s', (text, masked) => {
    expect(maskText(text)).toBe(masked);
  });
});

describe('maskJson', () => {
  it.each([
    ['a personal field in live', '{"email":"a"}', live, '{"email":"••••"}'],
    ['a personal field in a sandbox', '{"phone":"555123"}', sandbox, '{"phone":"••••23"}'],
    ['a secret in a sandbox', '{"secretKey":"whatever"}', sandbox, '{"secretKey":"••••"}'],
    [
      'a card',
      '{"card":{"number":"4242","cvc":123,"last4":"4242"}}',
      sandbox,
      '{"card":{"number":"••••","cvc":"••••","last4":"4242"}}',
    ],
    ['the name of a customer', '{"name":"Ann"}', live, '{"name":"••••"}'],
    ['the name of a plan', '{"name":"Pro"}', { ...live, operation: 'planCreate' }, '{"name":"Pro"}'],
    [
      'a plan inside a customer',
      '{"plan":{"name":"Pro"},"name":"Ann"}',
      live,
      '{"plan":{"name":"Pro"},"name":"••••"}',
    ],
    [
      'a customer inside a plan',
      '{"data":[{"customer":{"name":"Ann"}}]}',
      { ...live, operation: 'plans' },
      '{"data":[{"customer":{"name":"••••"}}]}',
    ],
    [
      'nested metadata',
      '{"metadata":{"a":["x",{"b":"y"}],"n":1}}',
      live,
      '{"metadata":{"a":["••••",{"b":"••••"}],"n":1}}',
    ],
    [
      'an escaped key and value',
      '{"em\\u0061il":"x","memoX":"a\\u0040b.cd"}',
      live,
      '{"em\\u0061il":"••••","memoX":"••••"}',
    ],
    [
      'a number of an invoice',
      '{"number":"INV-1"}',
      { ...live, operation: 'invoices' },
      '{"number":"INV-1"}',
    ],
    [
      'no other values',
      '{"id":"cus_1","total":1200,"paid":true,"at":null}',
      live,
      '{"id":"cus_1","total":1200,"paid":true,"at":null}',
    ],
  ])('masks %s', (_name, text, masking, masked) => {
    expect(maskJson(text, 8_192, masking)).toBe(masked);
  });

  it('masks fields that a document renames', () => {
    const fieldsOf = (key: string): string[] => (key === 'x' ? ['email'] : [key]);
    expect(maskJson('{"data":{"x":"ann"}}', 8_192, { ...live, fieldsOf })).toBe('{"data":{"x":"••••"}}');
  });

  it('cuts a text off without showing the end of a value', () => {
    const text = `{"data":[${'{"email":"ann@acme.test"},'.repeat(1_000)}{}]}`;
    const masked = maskJson(text, 100, live);
    expect(masked).toHaveLength(101);
    expect(masked.endsWith(cutMark)).toBe(true);
    expect(masked).not.toContain('ann');
  });

  it('keeps the beginning of a text that ends within a string', () => {
    expect(maskJson('{"id":"a","email":"ann@ac', 8_192, live)).toBe(`{"id":"a","email":${cutMark}`);
  });
});

describe('maskDocument', () => {
  it('masks literals except IDs', () => {
    expect(maskDocument('{ a(x: "secret", id: "cus_1JPrPSSk0003Bgb18zq7fr", t: """b""") }')).toBe(
      '{ a(x: "••••", id: "cus_1JPrPSSk0003Bgb18zq7fr", t: "••••") }',
    );
  });
});

describe('maskAddress', () => {
  it('masks external IDs that are emails, and personal parameters', () => {
    expect(maskAddress('/api/v1/customers/ann%40acme.test', 'email=ann%40acme.test&limit=2', live)).toBe(
      '/api/v1/customers/••••?email=••••&limit=2',
    );
  });
});

describe('shortAddress', () => {
  it.each([
    ['203.0.113.9', '203.0.113.0/24'],
    ['::ffff:203.0.113.9', '203.0.113.0/24'],
    ['2001:db8:85a3:8d3:1319:8a2e:370:7348', '2001:db8:85a3::/48'],
    ['2001:db8::1', '2001:db8:0::/48'],
    ['::1', '0:0:0::/48'],
  ])('shortens %s to %s', (address, short) => {
    expect(shortAddress(address)).toBe(short);
  });
});
