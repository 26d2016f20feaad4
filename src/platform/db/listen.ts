import pg from 'pg';

const retryMs = 500;

/** A channel of notifications: by one process to all others that listen. */
export type Channel = {
  /** Sends payloads to all who listen, the sender included. Those that cannot be sent are lost. */
  readonly notify: (payload: string) => void;
  /** Stops listening. */
  readonly stop: () => Promise<void>;
};

/** Who listens on a channel. */
export type ChannelListener = {
  /** Called with the payload of each notification. */
  readonly heard: (payload: string) => void;
  /** Called when a new connection listens after one was lost: what was sent in between was not heard. */
  readonly resumed: () => void;
};

/** Payloads that wait to be sent, each once, by one statement at a time. */
export class Outgoing {
  readonly #send: (payloads: readonly string[]) => Promise<unknown>;
  readonly #waiting = new Set<string>();
  #isSending = false;

  constructor(send: (payloads: readonly string[]) => Promise<unknown>) {
    this.#send = send;
  }

  add(payload: string): void {
    this.#waiting.add(payload);
    if (!this.#isSending) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isSending = true;
    while (this.#waiting.size > 0) {
      const payloads = [...this.#waiting];
      this.#waiting.clear();
      // What is lost is found by those who look from time to time.
      await this.#send(payloads).catch(() => undefined);
    }
    this.#isSending = false;
  }
}

/** The statement that sends payloads: the channel is $1. */
export const notifyText = 'SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload';

/** Listens on a new connection; `lost` is called once when the server ends it. */
async function connect(
  settings: pg.ClientConfig,
  channel: string,
  heard: (payload: string) => void,
  lost: () => void,
): Promise<pg.Client> {
  const client = new pg.Client(settings);
  client.on('error', () => undefined);
  client.on('notification', (message) => heard(message.payload ?? ''));
  try {
    await client.connect();
    await client.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
  client.once('end', lost);
  return client;
}

/**
 * Opens a channel on a connection of its own, so that neither hearing nor sending waits for the pool. A connection the server ends is replaced until
 * one listens again; what is sent in between is not heard, and `resumed` is called. Rejects when the first connection cannot be opened.
 */
export async function openChannel(
  settings: pg.ClientConfig,
  channel: string,
  { heard, resumed }: ChannelListener,
): Promise<Channel> {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let client: pg.Client | null = await connect(settings, channel, heard, lost);

  function lost(): void {
    client = null;
    if (!isStopped) timer = setTimeout(() => void retry(), retryMs).unref();
  }

  async function retry(): Promise<void> {
    try {
      client = await connect(settings, channel, heard, lost);
      if (isStopped) await client.end();
      else resumed();
    } catch {
      lost();
    }
  }

  const outgoing = new Outgoing(async (payloads) => client?.query(notifyText, [channel, payloads]));
  return {
    notify: (payload) => outgoing.add(payload),
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await client?.end();
    },
  };
}
