import { connect, type Socket } from 'node:net';

// A connection below HTTP: what is sent is what is written here, and may be anything.

/** A connection to a server. */
export type RawConnection = {
  readonly socket: Socket;
  /** The first bytes heard; empty when the connection ended without any. */
  readonly first: Promise<string>;
  /** Everything heard until the connection ended. */
  readonly ended: Promise<string>;
};

/** Connects and sends some bytes; what comes back is gathered. A connection that is reset has ended as well. */
export async function rawConnection(url: string, bytes: string | Uint8Array = ''): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => void chunks.push(chunk)).on('error', () => undefined);
  const first = new Promise<string>((resolve) => {
    socket
      .once('data', (chunk: Buffer) => resolve(chunk.toString('latin1')))
      .once('close', () => resolve(''));
  });
  const ended = new Promise<string>((resolve) =>
    socket.once('close', () => resolve(Buffer.concat(chunks).toString('latin1'))),
  );
  await new Promise<void>((resolve) => {
    socket.once('connect', resolve).once('close', () => resolve());
  });
  if (bytes.length > 0) socket.write(bytes);
  return { socket, first, ended };
}

/** Sends some bytes and answers what comes back until the server ends the connection. */
export const exchange = async (url: string, bytes: string | Uint8Array): Promise<string> =>
  (await rawConnection(url, bytes)).ended;

/** The status in the first line of an answer; null when there was none. */
export const statusIn = (answer: string): number | null => {
  const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(answer) ?? [];
  return status === undefined ? null : Number(status);
};
