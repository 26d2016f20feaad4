import { connect, type Socket } from 'node:net';

// TCP connection for tests that send arbitrary bytes instead of valid HTTP requests.

export type RawConnection = {
  readonly socket: Socket;
  /** The first bytes received. Empty if the connection ends without any. */
  readonly first: Promise<string>;
  /** All bytes received by the time that the connection ends. */
  readonly ended: Promise<string>;
};

/** Connects, sends bytes, and collects the response. A reset also ends the connection. */
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

/** Sends bytes. Returns the response after the server closes the connection. */
export const exchange = async (url: string, bytes: string | Uint8Array): Promise<string> =>
  (await rawConnection(url, bytes)).ended;

/** Returns the HTTP status of a response. `null` if there was no response. */
export const statusIn = (answer: string): number | null => {
  const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(answer) ?? [];
  return status === undefined ? null : Number(status);
};
