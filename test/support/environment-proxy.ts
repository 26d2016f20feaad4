import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

// Proxy between a process and its database server that can cut off one environment, like a cluster whose node with that environment is unavailable.

/** Effect of an outage on a connection that sends the environment's ID: messages are dropped, or the connection is closed. */
export type Outage = 'frozen' | 'refused';

export type EnvironmentProxy = {
  /** URL of the database through the proxy. */
  readonly url: string;
  /** Starts an outage of an environment. */
  readonly cutOff: (environmentId: string, outage: Outage) => void;
  /** Ends the outage. Closes frozen connections, as a server does that was restarted. */
  readonly restore: () => void;
  readonly close: () => Promise<void>;
};

export async function openEnvironmentProxy(databaseUrl: string): Promise<EnvironmentProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const frozen = new Set<Socket>();
  let lost: { readonly environmentId: string; readonly outage: Outage } | null = null;
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    const close = (): void => {
      for (const socket of [near, far]) {
        sockets.delete(socket);
        frozen.delete(socket);
        socket.destroy();
      }
    };
    for (const socket of [near, far]) sockets.add(socket.on('error', close).on('close', close));
    near.on('data', (chunk) => {
      if (frozen.has(near)) return;
      if (lost === null || !chunk.includes(lost.environmentId)) return void far.write(chunk);
      if (lost.outage === 'refused') close();
      else frozen.add(near);
    });
    far.on('data', (chunk) => void near.write(chunk));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const through = new URL(databaseUrl);
  through.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: through.href,
    cutOff: (environmentId, outage) => {
      lost = { environmentId, outage };
    },
    restore: () => {
      lost = null;
      for (const socket of frozen) socket.destroy();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
