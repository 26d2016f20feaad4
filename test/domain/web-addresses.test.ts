import { describe, expect, test } from 'vitest';
import { webAddressViolation } from '../../src/domain/text/web-addresses.ts';

const noAddress = 'must be an HTTP or HTTPS URL';
const noCredentials = "can't contain a username or password";

describe('the URL validation', () => {
  test.each([
    'https://shop.example/thanks',
    'http://localhost:3000',
    'HTTPS://Shop.Example/a?b=c&d=%20#e',
    'https://bücher.example/ü?q=ß',
    'https://[::1]:8080/',
    'https://shop.example/@seller?to=a@b.example',
    'https://shop.example/{CHECKOUT_ID}',
  ])('accepts %s', (text) => {
    expect(webAddressViolation(text)).toBeNull();
  });

  test.each([
    ['http:/\\evil', noAddress],
    ['https:\\\\evil.example', noAddress],
    ['https://good.example\\@evil.example', noAddress],
    ['https:evil.example', noAddress],
    ['https:/evil.example', noAddress],
    ['https:///evil.example', noAddress],
    [' https://a.b', noAddress],
    ['https://a.b ', noAddress],
    ['https://a.b/c d', noAddress],
    ['https://a.b/\r\nSet-Cookie: a=b', noAddress],
    ['https://a.b/\u0001', noAddress],
    ['java\nscript:alert(1)', noAddress],
    ['javascript:alert(1)//https://a.b', noAddress],
    ['ftp://a.b', noAddress],
    ['//a.b', noAddress],
    ['https://', noAddress],
    ['https://a.b:99999', noAddress],
    ['https://[::1', noAddress],
    ['https://user:pass@a.b', noCredentials],
    ['https://user@a.b/c', noCredentials],
    ['https://@a.b', noCredentials],
    ['https://a.example:443@evil.example', noCredentials],
  ])('rejects %j', (text, violation) => {
    expect(webAddressViolation(text)).toBe(violation);
  });

  test('allows a username and a password for a webhook endpoint', () => {
    expect(webAddressViolation('https://user:pass@a.b/hook', true)).toBeNull();
    expect(webAddressViolation('http:/\\user:pass@evil', true)).toBe(noAddress);
  });
});
