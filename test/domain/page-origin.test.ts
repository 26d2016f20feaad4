import { describe, expect, test } from 'vitest';
import { isPageOrigin, pageOrigins } from '../../src/domain/pages/page-origin.ts';

describe('the page origin validation (PLT-110)', () => {
  test.each([
    'https://shop.example',
    'https://shop.example:8443',
    'https://xn--mnchen-3ya.example',
    'https://127.0.0.1',
    'https://[2001:db8::1]:8443',
    'http://localhost',
    'http://localhost:3000',
    'http://127.0.0.1:3000',
  ])('accepts %s', (text) => expect(isPageOrigin(text)).toBe(true));

  test.each([
    '*',
    'https:',
    'https://',
    'https://*',
    'https://*.evil.com',
    "https://a.b'none'",
    'https://a.b;script-src',
    'https://a.b,https://c.d',
    'https://a.b c.d',
    'https://a..b',
    'https://shop.example/',
    'https://shop.example/path',
    'https://shop.example?query',
    'https://shop.example:443',
    'https://shop.example:99999',
    'https://user@shop.example',
    'https://Shop.example',
    'https://münchen.example',
    'http://shop.example',
    'http://localhost.evil.com',
    'data:text/html,x',
    'javascript:alert(1)',
    "'self'",
    '',
  ])('rejects %s', (text) => expect(isPageOrigin(text)).toBe(false));

  test('omits stored origins that are invalid', () => {
    expect(pageOrigins(['https://*', 'https://shop.example', "https://a.b'none'"])).toEqual([
      'https://shop.example',
    ]);
    expect(pageOrigins(undefined)).toEqual([]);
  });
});
