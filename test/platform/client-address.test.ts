import { describe, expect, test } from 'vitest';
import { clientAddress, isLoopback } from '../../src/platform/client-address.ts';
import { ConfigurationError, parseConfig } from '../../src/platform/config.ts';

const proxies = (TRUSTED_PROXIES: string) => parseConfig({ TRUSTED_PROXIES }).trustedProxies;

describe('the client address without trusted proxies', () => {
  test.each(['', '0'])("is the socket's address, and X-Forwarded-For is ignored (%j)", (setting) => {
    expect(clientAddress(proxies(setting), '198.51.100.7', '203.0.113.9')).toBe('198.51.100.7');
    expect(clientAddress(proxies(setting), '::ffff:198.51.100.7', null)).toBe('198.51.100.7');
    expect(clientAddress(proxies(setting), '', '203.0.113.9')).toBe('');
  });
});

describe('the client address with trusted networks', () => {
  const trusted = proxies('10.0.0.0/8, 127.0.0.1, 2001:db8::/32');

  test.each([
    ['a client behind one proxy', '10.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['a client behind two proxies', '10.0.0.1', '203.0.113.9, 10.2.2.2', '203.0.113.9'],
    ['a header that the client set itself', '10.0.0.1', '1.1.1.1, 10.9.9.9, 203.0.113.9', '203.0.113.9'],
    ['a client that is not behind a proxy', '203.0.113.9', '1.1.1.1', '203.0.113.9'],
    ['a proxy without the header', '10.0.0.1', null, '10.0.0.1'],
    ['a header of trusted hops only', '10.0.0.1', '10.3.3.3, 10.2.2.2', '10.3.3.3'],
    ['IPv4 inside IPv6', '::ffff:10.0.0.1', '::ffff:203.0.113.9', '203.0.113.9'],
    ['IPv6', '2001:db8::1', '2a00:1450::5', '2a00:1450::5'],
    ['an entry with a port', '10.0.0.1', '203.0.113.9:4711', '203.0.113.9'],
    ['an entry in brackets with a port', '10.0.0.1', '[2a00:1450::5]:4711', '2a00:1450::5'],
    ['an entry that is not an address', '10.0.0.1', '203.0.113.9, unknown', '10.0.0.1'],
    ['an entry written as a number', '10.0.0.1', '203.0.113.9, 2130706433', '10.0.0.1'],
    ['an empty entry', '10.0.0.1', '203.0.113.9,', '10.0.0.1'],
    ['an invalid entry before the valid one', '10.0.0.1', 'x".<>,, 203.0.113.9', '203.0.113.9'],
  ])('is determined correctly for %s', (_what, socket, forwarded, client) => {
    expect(clientAddress(trusted, socket, forwarded)).toBe(client);
  });
});

describe('the client address behind trusted proxies', () => {
  test.each([
    ['1', '203.0.113.9', '203.0.113.9'],
    ['1', '1.1.1.1, 203.0.113.9', '203.0.113.9'],
    ['2', '1.1.1.1, 203.0.113.9, 10.0.0.1', '203.0.113.9'],
    ['2', '203.0.113.9', '203.0.113.9'],
    ['2', null, '10.0.0.1'],
  ])('is the entry at most %s positions from the right of %j', (setting, forwarded, client) => {
    expect(clientAddress(proxies(setting), '10.0.0.1', forwarded)).toBe(client);
  });
});

test.each(['10.0.0.0/33', 'proxy.local', '10.0.0.1;10.0.0.2', '100', '-1', '0x7f.1'])(
  'parseConfig rejects the TRUSTED_PROXIES setting %j with an explanation',
  (setting) => {
    expect(() => proxies(setting)).toThrow(ConfigurationError);
    expect(() => proxies(setting)).toThrow(
      'TRUSTED_PROXIES: must be a number of hops from 0 to 99, or a comma-separated list of addresses and networks, such as 10.0.0.0/8.',
    );
  },
);

test('isLoopback recognizes loopback hosts', () => {
  expect(
    ['127.0.0.1', '127.9.9.9', '::1', '[::1]', 'localhost', '::ffff:127.0.0.1'].filter(
      (host) => !isLoopback(host),
    ),
  ).toEqual([]);
  expect(['0.0.0.0', '::', '10.0.0.1', 'localhost.example', '128.0.0.1', ''].filter(isLoopback)).toEqual([]);
});
