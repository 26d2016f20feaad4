import { describe, expect, test } from 'vitest';
import { isPublicAddress, requirePublicHost } from '../../src/platform/public-address.ts';

describe('a private address', () => {
  test.each([
    ['private', ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1']],
    ['loopback', ['127.0.0.1', '127.255.0.1', '::1']],
    ['link-local', ['169.254.169.254', 'fe80::1']],
    ['unique-local', ['fc00::1', 'fd12:3456::1']],
    ['multicast', ['224.0.0.1', '239.1.1.1', 'ff02::1']],
    ['unspecified or broadcast', ['0.0.0.0', '0.1.2.3', '::', '255.255.255.255']],
    [
      'shared, reserved or for documentation',
      ['100.64.0.1', '192.0.2.1', '198.18.0.1', '203.0.113.5', '240.0.0.1', '2001:db8::1'],
    ],
    [
      'IPv4 inside IPv6',
      [
        '::ffff:127.0.0.1',
        '::ffff:10.0.0.1',
        '::127.0.0.1',
        '64:ff9b::7f00:1',
        '2002:7f00:1::',
        '2001:0:1::',
      ],
    ],
    ['site-local of old', ['fec0::1']],
    ['no address at all', ['', 'localhost', '1.2.3', 'example.com']],
  ])('is recognized: %s', (_what, addresses) => {
    expect(addresses.filter(isPublicAddress)).toEqual([]);
  });
});

test('public addresses are recognized, including IPv4 addresses mapped to IPv6', () => {
  const addresses = [
    '1.1.1.1',
    '8.8.8.8',
    '93.184.216.34',
    '::ffff:8.8.8.8',
    '2606:4700:4700::1111',
    '2a00:1450:4001:800::200e',
  ];
  expect(addresses.filter(isPublicAddress)).toEqual(addresses);
});

describe('the host of a URL', () => {
  test.each([
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://127.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://169.254.169.254/latest/meta-data',
    'https://localhost/',
    'https://LOCALHOST:8443/',
  ])("is rejected if it's a private address, in every notation: %s", async (url) => {
    await expect(requirePublicHost(new URL(url))).rejects.toThrow('must point to a public address');
  });

  test("is accepted if it's a public address, and rejected if it can't be resolved", async () => {
    await expect(requirePublicHost(new URL('https://1.1.1.1/hook'))).resolves.toBeUndefined();
    await expect(
      requirePublicHost(new URL('https://[2606:4700:4700::1111]:8443/hook')),
    ).resolves.toBeUndefined();
    await expect(requirePublicHost(new URL('https://nowhere.invalid/'))).rejects.toThrow(
      'must have a host name that DNS can resolve',
    );
  });
});
