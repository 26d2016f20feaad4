import { createServer, type Socket } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/**
 * Behavior for an email: the server accepts it, rejects the mailbox, requests a retry, accepts it without confirmation, or closes the
 * connection after receiving it.
 */
export type Manner = 'takes' | 'rejects' | 'postpones' | 'holds' | 'hangs up';

export type MailServer = {
  readonly url: string;
  /** Emails that the server has accepted, in parsed form. */
  readonly notifications: Email[];
  manner: Manner;
  /** Waits until `count` emails have been accepted in total. The test's timeout limits the wait. */
  readonly received: (count: number) => Promise<readonly Email[]>;
  readonly close: () => Promise<void>;
};

const portOf = (address: unknown): number => {
  if (typeof address !== 'object' || address === null || !('port' in address))
    throw new Error('The server has no port.');
  return Number(address.port);
};

/** Starts a mail server. It accepts every email until a test sets `manner`. */
export async function startMailServer(): Promise<MailServer> {
  const notifications: Email[] = [];
  const waiting = new Set<() => void>();
  const state: { manner: Manner } = { manner: 'takes' };
  const browserErrors: { readonly [manner in Manner]?: Error } = {
    rejects: new Error('No such mailbox'),
    postpones: Object.assign(new Error('Come again'), { responseCode: 451 }),
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: (_address, _session, callback) => callback(browserErrors[state.manner] ?? null),
    onData: (stream, _session, callback) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        PostalMime.parse(Buffer.concat(chunks)).then((notification) => {
          notifications.push(notification);
          for (const wake of waiting) wake();
          if (state.manner === 'hangs up') for (const socket of sockets) socket.destroy();
          else if (state.manner !== 'holds') callback();
        }, callback);
      });
    },
  });
  server.on('error', () => undefined);
  const sockets = new Set<Socket>();
  server.server.on('connection', (socket) => void sockets.add(socket));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `smtp://127.0.0.1:${portOf(server.server.address())}`,
    notifications,
    received: async (count) => {
      while (notifications.length < count) await new Promise<void>((resolve) => waiting.add(resolve));
      return notifications;
    },
    get manner() {
      return state.manner;
    },
    set manner(manner) {
      state.manner = manner;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Starts a server that accepts connections and never responds. */
export async function startSilentServer(): Promise<Pick<MailServer, 'url' | 'close'>> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => void sockets.add(socket.on('error', () => undefined)));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `smtp://127.0.0.1:${portOf(server.address())}`,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
