import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type ReceivedFile = {
  readonly path: string;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
};

/** Response status after a request is completely received, or a function that handles the request itself. */
type Taking = number | ((request: IncomingMessage, response: ServerResponse) => void);

/** Server that receives uploaded files. */
export type FileReceiver = {
  readonly url: string;
  /** Completely received files, in the order of arrival. */
  readonly files: readonly ReceivedFile[];
  /** Returns the number of uploads that were started, including incomplete ones. */
  readonly begun: () => number;
  /** Sets the response to later requests. The initial status is 200. */
  readonly behave: (taking: Taking) => void;
  readonly close: () => Promise<void>;
};

export async function openFileReceiver(): Promise<FileReceiver> {
  const files: ReceivedFile[] = [];
  let taking: Taking = 200;
  let begun = 0;
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    begun++;
    if (typeof taking === 'function') return taking(request, response);
    const status = taking;
    const chunks = await Array.fromAsync(request as AsyncIterable<Buffer>);
    const { url: path = '', method = '', headers } = request;
    files.push({ path, method, headers, bytes: Buffer.concat(chunks) });
    response.writeHead(status).end(status === 200 ? '' : '<Error>Request has expired</Error>');
  };
  const server = createServer(
    (request, response) => void receive(request, response).catch(() => response.destroy()),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    files,
    begun: () => begun,
    behave: (next) => {
      taking = next;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
