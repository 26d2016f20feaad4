import pg from 'pg';

const retryMs = 500;

/** Notification channel between processes. */
export type Channel = {
  /** Sends payloads to all listeners, including this process. Payloads are lost if sending fails. */
  readonly notify: (payload: string) => void;
  readonly stop: () => Promise<void>;
};

export type ChannelListener = {
  /** Called with the payload of each notification. */
  readonly heard: (payload: string) => void;
  /** Called after a lost connection has been replaced. Notifications may have been missed. */
  readonly resumed: () => void;
};

/** Queue of payloads to send. Removes duplicates and executes one SQL statement at a time. */
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
      // Ignores the error, because polling compensates for lost payloads.
      await this.#send(payloads).catch(() => undefined);
    }
    this.#isSending = false;
  }
}

/** Statement that sends payloads to the channel `$1`. */
export const notifyText = 'SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload';

/** Opens a connection that listens to a channel. Calls `lost` once if the connection closes. */
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
 * Opens a notification channel on a separate connection, so that the channel doesn't depend on the pool. A lost connection is replaced, and
 * `resumed` is called because notifications may have been missed. Rejects if the first connection fails.
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
