import { operationFor, rootFields } from './graphql.ts';
import { jsonPieces, texts } from './hostile.ts';
import type { BytesRequest, World } from './request.ts';

const addresses = [
  '/graphql',
  '/graphql',
  '/graphql',
  '/graphql?a=b',
  '/',
  '//',
  'http://[',
  '//:99999/',
  '/graphql/',
  '*',
  '/%',
  `/${'a'.repeat(9_000)}`,
];
const protocols = [
  'graphql-transport-ws',
  'graphql-transport-ws',
  'graphql-transport-ws',
  'graphql-ws',
  '',
  'x, y',
  ',',
  'x'.repeat(2_000),
];

/** Returns a WebSocket upgrade request, valid or almost valid. */
function upgrade({ random }: World): Buffer {
  const isRight = random.below(3) > 0;
  const lines = [
    `${isRight ? 'GET' : random.pick(['GET', 'POST', 'CONNECT'])} ${isRight ? '/graphql' : random.pick(addresses)} HTTP/1.1`,
    'Host: localhost',
    'Connection: Upgrade',
    `Upgrade: ${isRight ? 'websocket' : random.pick(['websocket', 'WebSocket', 'h2c', ''])}`,
    `Sec-WebSocket-Key: ${isRight ? 'dGhlIHNhbXBsZSBub25jZQ==' : random.pick(['dGhlIHNhbXBsZSBub25jZQ==', '', 'x', 'a'.repeat(5_000)])}`,
    `Sec-WebSocket-Version: ${isRight ? '13' : random.pick(['13', '8', '', 'x', '-1'])}`,
    `Sec-WebSocket-Protocol: ${isRight ? 'graphql-transport-ws' : random.pick(protocols)}`,
    ...(random.below(4) === 0
      ? ['Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits']
      : []),
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

type FrameOptions = {
  readonly opcode?: number;
  readonly isFinal?: boolean;
  readonly isMasked?: boolean;
  readonly reserved?: number;
  readonly length?: number;
};

/** Returns a WebSocket frame with a zero mask. `length` overrides the length in the header. */
function frame(
  payload: Buffer,
  { opcode = 1, isFinal = true, isMasked = true, reserved = 0, length = payload.length }: FrameOptions = {},
): Buffer {
  const first = (isFinal ? 0x80 : 0) | (reserved << 4) | opcode;
  const mask = isMasked ? 0x80 : 0;
  const head =
    length < 126
      ? Buffer.from([first, mask | length])
      : length < 65_536
        ? Buffer.from([first, mask | 126, length >> 8, length & 0xff])
        : Buffer.concat([Buffer.from([first, mask | 127]), bigLength(length)]);
  return Buffer.concat([head, isMasked ? Buffer.alloc(4) : Buffer.alloc(0), payload]);
}

function bigLength(length: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(length));
  return bytes;
}

const message = (value: unknown): Buffer =>
  frame(Buffer.from(typeof value === 'string' ? value : (JSON.stringify(value) ?? '')));

/** Returns a graphql-transport-ws message, valid or almost valid. */
function anyMessage(world: World): Buffer {
  const { random, tenant } = world;
  const id = random.pick(['1', '1', '2', '', '__proto__', 'x'.repeat(1_000)]);
  return random.pick<() => Buffer>([
    () => message({ type: 'connection_init', payload: { apiKey: tenant.sandboxKey } }),
    () =>
      message({
        type: 'connection_init',
        payload: random.pick([
          null,
          1,
          [],
          'x',
          { apiKey: 1 },
          { apiKey: 'none' },
          { token: random.pick(texts) },
        ]),
      }),
    () => message({ id, type: 'subscribe', payload: operationFor(world, random.pick(rootFields)) }),
    () => message({ id, type: 'subscribe', payload: operationFor(world, random.pick(rootFields)) }),
    () =>
      message({
        id,
        type: 'subscribe',
        payload: random.pick([
          null,
          1,
          {},
          { query: 1 },
          { query: '{' },
          { query: '{ __typename }', variables: 1 },
        ]),
      }),
    () => message({ id, type: random.pick(['complete', 'ping', 'pong', 'next', 'error', 'x', '']) }),
    () => message(random.pick([...jsonPieces, 'null', '[]', '1', '{}', '{"type":1}'])),
  ])();
}

/** Returns a frame that violates the WebSocket protocol. */
function badFrame({ random }: World): Buffer {
  return random.pick<() => Buffer>([
    () => frame(Buffer.from('{}'), { isMasked: false }),
    () => frame(Buffer.from('{}'), { opcode: random.pick([3, 5, 11, 15]) }),
    () => frame(Buffer.from('{}'), { reserved: 1 + random.below(7) }),
    () => frame(Buffer.from('{}'), { length: random.pick([3, 70_000, 2 ** 31, 2 ** 52]) }),
    () => frame(Buffer.from([0xff, 0xfe, 0xc0])),
    () => frame(Buffer.from('{"type"'), { isFinal: false }),
    () => frame(Buffer.from('x'), { opcode: 0 }),
    () => frame(Buffer.alloc(126, 'a'), { opcode: 9 }),
    () => frame(Buffer.from('a'), { opcode: 9, isFinal: false }),
    () =>
      frame(Buffer.from(random.pick([[0x03, 0xe8], [0x00, 0x01], [0x03], [0xff, 0xff, 0xff]])), {
        opcode: 8,
      }),
    () => frame(Buffer.from('{}'), { opcode: 2 }),
    () => Buffer.from(Array.from({ length: 40 }, () => random.below(256))),
  ])();
}

/** Returns an upgrade request followed by random messages and invalid frames. */
export function socketRequest(world: World): BytesRequest {
  const { random, tenant } = world;
  const begin =
    random.below(2) === 0
      ? [message({ type: 'connection_init', payload: { apiKey: tenant.sandboxKey } })]
      : [];
  const rest = Array.from({ length: random.below(6) }, () =>
    random.below(4) === 0 ? badFrame(world) : anyMessage(world),
  );
  return { kind: 'bytes', about: 'a socket', pieces: [upgrade(world), ...begin, ...rest] };
}
