import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { bytesOf, type Message, MessageReader, nameIn, withName } from './wire-messages.ts';

// Connection pooler in transaction mode at the level of PostgreSQL's protocol, like PgBouncer 1.21: a client has a server connection only
// during a transaction, startup settings aren't forwarded, and prepared statements belong to the client.

export type TransactionPooler = {
  /** URL of the database through the pooler. */
  readonly url: string;
  /** Number of opened server connections. */
  readonly opened: () => number;
  readonly close: () => Promise<void>;
};

type Options = {
  /** Maximum number of server connections. */
  readonly size: number;
  /** Whether the pooler prepares the statements of a client on each server connection. Older versions of PgBouncer don't. */
  readonly prepares: boolean;
};

/** Expected response of the server: to a client's `Parse`, to a `Parse` of the pooler, or to a `Sync` or simple query. */
type Expected = { readonly kind: 'parsed' | 'inserted'; readonly name: string } | { readonly kind: 'ready' };

const codes = { parse: 80, bind: 66, describe: 68, close: 67, sync: 83, query: 81, terminate: 88 } as const;
const answers = { parsed: 49, ready: 90, key: 75, authenticated: 82, parameter: 83, error: 69 } as const;

const idle = 'I'.charCodeAt(0);
const trusted = bytesOf(answers.authenticated, Buffer.from([0, 0, 0, 0]));
const ready = bytesOf(answers.ready, Buffer.from('I'));

const errorOf = (code: string, text: string): Buffer =>
  bytesOf(answers.error, Buffer.from(`SFATAL\0C${code}\0M${text}\0\0`));

/** Connection of the pooler to the server. */
class ServerConnection {
  readonly socket: Socket;
  readonly known = new Set<string>();
  readonly greeting: Buffer[] = [];
  readonly #reader = new MessageReader();
  #expected: Expected[] = [];
  client: PooledClient | null = null;
  isClosed = false;

  constructor(target: URL, startup: Buffer, pool: Pool) {
    this.socket = connect(Number(target.port), target.hostname, () => this.socket.write(startup));
    const closed = (): void => {
      this.isClosed = true;
      this.client?.end();
      pool.lost(this);
    };
    this.socket.on('error', closed).on('close', closed);
    let isOpen = false;
    this.socket.on('data', (chunk: Buffer) => {
      for (const message of this.#reader.read(chunk)) {
        if (isOpen) this.#receive(message, pool);
        else if (message.code === answers.parameter) this.greeting.push(message.bytes);
        else if (message.code === answers.ready) {
          isOpen = true;
          pool.release(this);
        }
      }
    });
  }

  /** Sends a message of the client. `name` is the name of the statement on this connection that the message contains. */
  send({ code, bytes }: Message, name: string): void {
    if (code === codes.parse && name !== '') this.#prepare('parsed', name, bytes);
    else {
      if (code === codes.parse) this.#expected.push({ kind: 'parsed', name });
      if (code === codes.sync || code === codes.query) this.#expected.push({ kind: 'ready' });
      if (code === codes.close) this.known.delete(name);
      this.socket.write(bytes);
    }
  }

  /** Prepares a statement of the client that another connection has prepared. */
  insert(name: string, parse: Buffer): void {
    if (!this.known.has(name)) this.#prepare('inserted', name, parse);
  }

  #prepare(kind: 'parsed' | 'inserted', name: string, bytes: Buffer): void {
    this.#expected.push({ kind, name });
    this.known.add(name);
    this.socket.write(bytes);
  }

  #receive({ code, bytes }: Message, pool: Pool): void {
    if (code === answers.parsed && this.#expected.shift()?.kind === 'inserted') return;
    if (code === answers.ready) {
      // After an error, the server skips all messages before the next `Sync`.
      for (let next = this.#expected.shift(); next !== undefined && next.kind !== 'ready'; ) {
        this.known.delete(next.name);
        next = this.#expected.shift();
      }
    }
    this.client?.write(bytes);
    if (code === answers.ready && bytes[5] === idle && !this.#expected.some(({ kind }) => kind === 'ready')) {
      this.client?.unlink();
      pool.release(this);
    }
  }
}

/** Client connection of the pooler. */
class PooledClient {
  readonly #socket: Socket;
  readonly #pool: Pool;
  readonly #id: number;
  readonly #prepared = new Map<string, Buffer>();
  readonly #reader = new MessageReader(true);
  #waiting: Message[] = [];
  #server: ServerConnection | null = null;

  constructor(socket: Socket, pool: Pool, id: number) {
    this.#socket = socket;
    this.#pool = pool;
    this.#id = id;
    const closed = (): void => {
      pool.forget(this);
      // Ends the transaction of a client that has left.
      this.#server?.socket.destroy();
    };
    socket.on('error', closed).on('close', closed);
    socket.on('data', (chunk: Buffer) => {
      for (const message of this.#reader.read(chunk)) this.#receive(message);
    });
  }

  write(bytes: Buffer): void {
    this.#socket.write(bytes);
  }

  end(): void {
    this.#socket.destroy();
  }

  unlink(): void {
    this.#server = null;
  }

  /** Sends the waiting messages to a server connection. */
  link(server: ServerConnection): void {
    this.#server = server;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const message of waiting) this.#forward(server, message);
  }

  /** Completes the startup with the server's parameters. */
  greet(parameters: readonly Buffer[]): void {
    const key = bytesOf(answers.key, Buffer.alloc(8));
    this.write(Buffer.concat([trusted, ...parameters, key, ready]));
  }

  #receive(message: Message): void {
    const { code, bytes } = message;
    if (code === null) return this.#start(bytes);
    if (code === codes.terminate) return this.end();
    if (this.#server !== null) return this.#forward(this.#server, message);
    this.#waiting.push(message);
    if (this.#waiting.length === 1) this.#pool.ask(this);
  }

  #start(bytes: Buffer): void {
    // Protocol 3.0. Other numbers request encryption or cancel a statement.
    if (bytes.readInt32BE(4) !== 196_608) return void this.#socket.write('N');
    const fields = bytes.subarray(8).toString().split('\0');
    if (fields.includes('options')) {
      this.write(errorOf('08P01', 'unsupported startup parameter: options'));
      return this.end();
    }
    void this.#pool.parameters(bytes).then((parameters) => this.greet(parameters));
  }

  #forward(server: ServerConnection, message: Message): void {
    const name = this.#pool.options.prepares ? nameIn(message) : '';
    if (name === '') return server.send(message, '');
    const own = `${this.#id}_${name}`;
    const renamed = { ...message, bytes: withName(message, own) };
    if (message.code === codes.parse) {
      if (this.#prepared.has(name)) {
        this.write(errorOf('42P05', 'prepared statement name is already in use'));
        return this.end();
      }
      this.#prepared.set(name, renamed.bytes);
    } else if (message.code === codes.close) this.#prepared.delete(name);
    else {
      const parse = this.#prepared.get(name);
      if (parse !== undefined) server.insert(own, parse);
    }
    server.send(renamed, own);
  }
}

/** Server connections, and waiting clients. */
class Pool {
  readonly options: Options;
  readonly #target: URL;
  readonly clients = new Set<PooledClient>();
  readonly servers = new Set<ServerConnection>();
  #idle: ServerConnection[] = [];
  #asking: PooledClient[] = [];
  #startup: Buffer | null = null;
  #greeted: ((parameters: readonly Buffer[]) => void)[] = [];
  #greeting: readonly Buffer[] | null = null;
  opened = 0;

  constructor(target: URL, options: Options) {
    this.#target = target;
    this.options = options;
  }

  /** Returns the parameters that the server sends at the start of a connection. */
  async parameters(startup: Buffer): Promise<readonly Buffer[]> {
    if (this.#greeting !== null) return this.#greeting;
    const { promise, resolve } = Promise.withResolvers<readonly Buffer[]>();
    this.#greeted.push(resolve);
    this.#startup = startup;
    this.#grow();
    return promise;
  }

  ask(client: PooledClient): void {
    this.#asking.push(client);
    this.#match();
  }

  release(server: ServerConnection): void {
    server.client = null;
    this.#greeting ??= server.greeting;
    for (const greeted of this.#greeted.splice(0)) greeted(this.#greeting);
    // The connection that was used longest ago is used next, so that a client rarely gets the same connection again.
    this.#idle.push(server);
    this.#match();
  }

  lost(server: ServerConnection): void {
    this.servers.delete(server);
    this.#idle = this.#idle.filter((each) => each !== server);
    if (this.#asking.length > 0) this.#grow();
  }

  forget(client: PooledClient): void {
    this.clients.delete(client);
    this.#asking = this.#asking.filter((each) => each !== client);
  }

  #grow(): void {
    if (this.servers.size >= this.options.size || this.#startup === null) return;
    this.opened++;
    this.servers.add(new ServerConnection(this.#target, this.#startup, this));
  }

  #match(): void {
    if (this.#asking.length > this.#idle.length) this.#grow();
    while (this.#asking.length > 0 && this.#idle.length > 0) {
      const [client, server] = [this.#asking.shift(), this.#idle.shift()];
      if (client === undefined || server === undefined) return;
      server.client = client;
      client.link(server);
    }
  }
}

/** Opens a pooler in front of a database server that trusts its clients. */
export async function openTransactionPooler(
  databaseUrl: string,
  { size = 3, prepares = true }: Partial<Options> = {},
): Promise<TransactionPooler> {
  const pool = new Pool(new URL(databaseUrl), { size, prepares });
  let clients = 0;
  const server = createServer((socket) => {
    pool.clients.add(new PooledClient(socket, pool, ++clients));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const through = new URL(databaseUrl);
  through.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: through.href,
    opened: () => pool.opened,
    close: async () => {
      for (const client of pool.clients) client.end();
      for (const { socket } of pool.servers) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
