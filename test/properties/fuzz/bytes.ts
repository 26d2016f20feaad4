import type { BytesRequest, World } from './request.ts';

const crlf = '\r\n';
const post = (headers: readonly string[], body = ''): string =>
  ['POST /api/v1/customers HTTP/1.1', 'Host: localhost', ...headers, '', body].join(crlf);
const get = (address: string, headers: readonly string[] = [], version = 'HTTP/1.1'): string =>
  [`GET ${address} ${version}`, 'Host: localhost', ...headers, 'Connection: close', '', ''].join(crlf);

/** Malformed HTTP requests, by the name of their defect. */
const broken: Readonly<Record<string, string>> = {
  'no address': get(''),
  'two slashes': get('//'),
  'half a host': get('http://['),
  'a port too far': get('//:99999/'),
  'an absolute address': get('http://evil.example/api/v1/plans'),
  'a backslash': get('/\\..\\api'),
  'a byte beyond ASCII': get('/é'),
  'a star': ['OPTIONS * HTTP/1.1', 'Host: localhost', 'Connection: close', '', ''].join(crlf),
  'a tunnel': ['CONNECT 127.0.0.1:9 HTTP/1.1', 'Host: localhost', '', ''].join(crlf),
  'an unknown method': ['BREW /pot HTTP/1.1', 'Host: localhost', 'Connection: close', '', ''].join(crlf),
  'an old version': get('/healthz', [], 'HTTP/1.0'),
  'a future version': get('/healthz', [], 'HTTP/3.0'),
  'no version': 'GET /healthz\r\n\r\n',
  'no host': 'GET /healthz HTTP/1.1\r\n\r\n',
  'two hosts': get('/healthz', ['Host: other']),
  'an empty host': 'GET /healthz HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n',
  'a bare line feed': 'GET /healthz HTTP/1.1\nHost: localhost\n\n',
  'a folded header': get('/healthz', ['X-A: b\r\n c']),
  'a blank before the colon': get('/healthz', ['X-A : b']),
  'a header without a name': get('/healthz', [': b']),
  'a null character': get('/healthz', ['X-A: \u0000']),
  'a header of 20 kB': get('/healthz', [`X-A: ${'a'.repeat(20_000)}`]),
  'two thousand headers': get(
    '/healthz',
    Array.from({ length: 2_000 }, (_none, index) => `X-${index}: a`),
  ),
  'an address of 20 kB': get(`/${'a'.repeat(20_000)}`),
  'two keys': get('/api/v1/plans', ['X-Api-Key: a', 'X-Api-Key: b']),
  'both lengths': post(['Content-Length: 4', 'Transfer-Encoding: chunked'], '0\r\n\r\n'),
  'two lengths': post(['Content-Length: 2', 'Content-Length: 3'], '{}'),
  'a negative length': post(['Content-Length: -1'], '{}'),
  'a length that is no number': post(['Content-Length: 1e1'], '{}'),
  'a length that is too large': post(['Content-Length: 99999999999999999999'], '{}'),
  'a length that is never reached': post(['Content-Length: 50'], '{}'),
  'a chunk of no size': post(['Transfer-Encoding: chunked'], 'zz\r\n{}\r\n0\r\n\r\n'),
  'a chunk too large': post(['Transfer-Encoding: chunked'], 'ffffffffffffffff\r\n{}\r\n'),
  'chunks that stop': post(['Transfer-Encoding: chunked'], '2\r\n{}\r\n'),
  'an unknown coding': post(['Transfer-Encoding: gzip, chunked'], '0\r\n\r\n'),
  'a trailer': post(['Transfer-Encoding: chunked', 'Trailer: X-A'], '0\r\nX-A: b\r\n\r\n'),
  'an expectation no one knows': post(['Expect: 200-maybe', 'Content-Length: 2', 'Connection: close'], '{}'),
  'two requests in one':
    get('/healthz').replace('Connection: close', 'Connection: keep-alive') + get('/readyz'),
  'a handshake of TLS': '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
  'the preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'nothing but line ends': crlf.repeat(200),
  'an upgrade to HTTP/2': get('/healthz', [
    'Upgrade: h2c',
    'HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA',
  ]).replace('Connection: close', 'Connection: Upgrade, HTTP2-Settings'),
};

const names = Object.keys(broken);

/**
 * Returns bytes for a separate connection: a malformed request, a request with one random byte changed, or
 * noise.
 */
export function bytesRequest({ random }: World): BytesRequest {
  const about = random.pick(names);
  const whole = Buffer.from(broken[about] ?? '', 'latin1');
  const draw = random.below(10);
  if (draw === 0)
    return {
      kind: 'bytes',
      about: 'noise',
      pieces: [Buffer.from(Array.from({ length: 1 + random.below(400) }, () => random.below(256)))],
    };
  if (draw > 3) return { kind: 'bytes', about, pieces: [whole] };
  const at = random.below(whole.length);
  if (draw === 1)
    return {
      kind: 'bytes',
      about: `${about}, in two pieces`,
      pieces: [whole.subarray(0, at), whole.subarray(at)],
    };
  const changed = Buffer.from(whole);
  changed[at] = random.below(256);
  return { kind: 'bytes', about: `${about}, with another byte`, pieces: [changed] };
}
