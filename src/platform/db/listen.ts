import pg from 'pg';

const retryMs = 500;

/** Listens on a connection of the pool; answers a function that ends it. `lost` is called once when the server ends it. */
async function listen(
  pool: pg.Pool,
  channel: string,
  heard: (payload: string) => void,
  lost: () => void,
): Promise<() => void> {
  const client = await pool.connect();
  let isHeld = true;
  const release = (): boolean => {
    const wasHeld = isHeld;
    isHeld = false;
    if (wasHeld) client.release(true);
    return wasHeld;
  };
  client.on('error', () => undefined);
  client.on('notification', (message) => heard(message.payload ?? ''));
  try {
    await client.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
  } catch (error) {
    release();
    throw error;
  }
  client.once('end', () => {
    if (release()) lost();
  });
  return release;
}

/**
 * Calls back with the payload of each notification on a channel. A connection the server ends is replaced until one listens again; what is sent
 * in between is not heard. Answers a function that stops listening. Rejects when the first connection cannot be opened.
 */
export async function listenOn(
  pool: pg.Pool,
  channel: string,
  heard: (payload: string) => void,
): Promise<() => Promise<void>> {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let release = await listen(pool, channel, heard, retryLater);

  function retryLater(): void {
    if (!isStopped) timer = setTimeout(() => void retry(), retryMs).unref();
  }

  async function retry(): Promise<void> {
    try {
      release = await listen(pool, channel, heard, retryLater);
      if (isStopped) release();
    } catch {
      retryLater();
    }
  }

  return async () => {
    isStopped = true;
    clearTimeout(timer);
    release();
  };
}
