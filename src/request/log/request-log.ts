import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/pool.ts';
import { isOfOutage } from '../../platform/db/temporary.ts';
import type { Log } from '../../platform/log.ts';
import type { RequestNote, RequestRecorder } from './entry.ts';
import { type ShapedRequest, shapeRequest } from './shape-record.ts';
import { blockSize, writeRequests } from './store.ts';

/** Maximum number of waiting requests. Further requests aren't recorded. */
const maxWaiting = 10_000;

/** Maximum size in characters and bytes of all waiting bodies. Requests above this size are recorded without bodies. */
const maxWaitingBytes = 32 * 1_024 * 1_024;

/** Time in milliseconds that a request waits for others to be written with it. */
const gatherMs = 500;

/** Number of successful `GET` requests of an environment that are recorded per minute. A record costs about as much as reading a list, so further reads are counted. */
const readsPerMinute = 100;

type Waiting = { readonly note: RequestNote; readonly at: Date; readonly isCrowded: boolean };

type Settings = {
  /** Number of days that records are kept. 0 turns the log off. */
  readonly requestLogDays: number;
  /** Maximum number of requests of an environment that are recorded per minute. Further requests are counted. */
  readonly requestLogPerMinute: number;
};

const bytesOf = (body: unknown): number =>
  typeof body === 'string' ? body.length : body instanceof Uint8Array ? body.byteLength : 0;

/**
 * Records requests and responses in batches after the response was sent. Requests never wait for the log: if the database is too slow, bodies are
 * dropped first, and then records.
 */
export class RequestLog implements RequestRecorder {
  readonly #settings: Settings;
  readonly #database: Database;
  readonly #log: Log;
  readonly #wall: Clock;
  #waiting: Waiting[] = [];
  #waitingBytes = 0;
  #dropped = 0;
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> | null = null;
  #minute = 0;
  #recorded = new Map<string, number>();

  constructor(settings: Settings, database: Database, log: Log, wall: Clock) {
    this.#settings = settings;
    this.#database = database;
    this.#log = log;
    this.#wall = wall;
  }

  get isOn(): boolean {
    return this.#settings.requestLogDays > 0;
  }

  add(note: RequestNote): void {
    const { request, response } = note;
    if (this.#waiting.length >= maxWaiting) {
      this.#dropped++;
      return;
    }
    const at = this.#wall.now();
    const size = bytesOf(request.body) + bytesOf(response);
    const isFull = this.#waitingBytes + size > maxWaitingBytes;
    this.#waitingBytes += isFull ? 0 : size;
    this.#waiting.push({
      note: isFull ? { ...note, request: { ...request, body: null }, response: null } : note,
      at,
      isCrowded: this.#isCrowded(note, at),
    });
    if (this.#writing === null) this.#timer ??= setTimeout(() => this.#start(), gatherMs).unref();
  }

  /** Writes all waiting requests. */
  async flush(): Promise<void> {
    while (this.#writing !== null || this.#waiting.length > 0) {
      if (this.#writing === null) this.#start();
      await this.#writing;
    }
  }

  /** True if the environment has reached its number of records, or of records of reads, in this minute. */
  #isCrowded({ environmentId, request, status }: RequestNote, at: Date): boolean {
    const minute = Math.floor(at.getTime() / 60_000);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#recorded = new Map();
    }
    const isRead = request.method === 'GET' && status < 400;
    const key = isRead ? `${environmentId} read` : environmentId;
    const recorded = (this.#recorded.get(key) ?? 0) + 1;
    this.#recorded.set(key, recorded);
    const most = this.#settings.requestLogPerMinute;
    return recorded > (isRead ? Math.min(readsPerMinute, most) : most);
  }

  #start(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const batch = this.#waiting;
    const dropped = this.#dropped;
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#dropped = 0;
    if (dropped > 0) this.#log.warn({ dropped }, 'Requests were not recorded because too many were waiting.');
    this.#writing = this.#write(batch).then(() => {
      this.#writing = null;
      if (this.#waiting.length > 0) this.#timer ??= setTimeout(() => this.#start(), gatherMs).unref();
    });
  }

  /** Writes a batch. If an environment's records can't be written, they are dropped. */
  async #write(batch: readonly Waiting[]): Promise<void> {
    const byEnvironment = Map.groupBy(batch, ({ note }) => note.environmentId);
    for (const [environmentId, waiting] of byEnvironment) {
      try {
        await this.#writeEnvironment(environmentId, waiting);
      } catch (error) {
        const level = isOfOutage(error) ? 'debug' : 'warn';
        this.#log[level]({ err: error, dropped: waiting.length }, 'Requests could not be recorded.');
      }
    }
  }

  /** Shapes and writes the requests of an environment. Lets other requests continue after each block. */
  async #writeEnvironment(environmentId: string, waiting: readonly Waiting[]): Promise<void> {
    const shaped: ShapedRequest[] = [];
    for (const [index, { note, at, isCrowded }] of waiting.entries()) {
      shaped.push(shapeRequest(note, at, isCrowded));
      if (index % blockSize === blockSize - 1) await setImmediate();
    }
    await writeRequests(this.#database, environmentId, shaped);
  }
}
