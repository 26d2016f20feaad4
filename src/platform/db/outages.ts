import { setTimeout as rest } from 'node:timers/promises';
import { monotonicMs } from '../clock.ts';
import { DatabaseBusyError, DatabaseUnavailableError, type OutageListener } from './pool.ts';
import { isUnavailable } from './temporary.ts';
import { stopWork, type Work } from './work.ts';

/** Interval of the checks, in milliseconds. */
const lookMs = 250;

/** Duration of work in milliseconds after which its place is probed, because the place may not respond. */
const suspectMs = 1_500;

/** Maximum response time of a place to a probe, in milliseconds. */
const probeMs = 2_000;

/**
 * Number of probes in a row that must take too long before a place is unavailable. A server that is only busy responds to one of them. A probe that
 * loses its connection is sufficient on its own.
 */
const lateProbes = 2;

/** Maximum number of probes at the same time. */
export const mostProbes = 2;

/** Pause between the probes of a place, in milliseconds. */
const restMs = 1_000;

/** Pause before a probe that lost its connection is repeated, in milliseconds. */
const againMs = 200;

/** Additional time for a response that has arrived while the process was busy, in milliseconds. */
const slackMs = 100;

type Place = {
  isOut: boolean;
  isProbed: boolean;
  /** Number of probes in a row that took too long. */
  lateCount: number;
  probeAt: number;
  readonly environmentId: string;
};

/** Result of a probe. */
type Response = 'arrived' | 'late' | 'lost';

/** Reads a row of an environment. Rejects if the environment's part of the database is unavailable. `stop` closes the connection. */
export type Probe = (environmentId: string, signal: AbortSignal) => Promise<unknown>;

const outOfReach = (): Error =>
  new DatabaseUnavailableError('The database of the environment does not respond.');

/**
 * Circuit breaker for the places of a database, such as the nodes of a cluster. If work takes long or loses its connection, a probe reads one row
 * in the same place. If the probe fails, or two probes take too long, the place is unavailable: its work is stopped, which frees the connections, and new work is rejected
 * immediately. Probes then repeat every second, until one succeeds. Also stops work at its deadline.
 */
export class Outages {
  readonly #probe: Probe;
  readonly #works = new Set<Work>();
  readonly #places = new Map<string, Place>();
  readonly #listeners = new Set<OutageListener>();
  #probes = 0;
  #isClosed = false;

  constructor(probe: Probe) {
    this.#probe = probe;
    void this.#watch();
  }

  /** Throws DatabaseBusyError if the place is unavailable. */
  demand(place: string): void {
    if (this.#places.get(place)?.isOut === true) throw outOfReach();
  }

  begin(work: Work): void {
    this.#works.add(work);
  }

  /** Ends work. `error` is the work's failure, or `null`. Returns the error to throw. */
  end(work: Work, error: unknown): unknown {
    this.#works.delete(work);
    if (error === null) return null;
    if (work.stopped !== null) return work.stopped;
    if (isUnavailable(error)) void this.#check(work.place, work.environmentId);
    return error;
  }

  /** Names of the unavailable places. */
  get unavailable(): string[] {
    return [...this.#places].filter(([, { isOut }]) => isOut).map(([name]) => name);
  }

  onChange(listener: OutageListener): void {
    this.#listeners.add(listener);
  }

  close(): void {
    this.#isClosed = true;
  }

  async #watch(): Promise<void> {
    while (!this.#isClosed) {
      await rest(lookMs, undefined, { ref: false });
      this.#look();
    }
  }

  #look(): void {
    const now = monotonicMs();
    for (const work of this.#works) {
      if (now >= work.endsAt)
        stopWork(work, new DatabaseBusyError('The database did not respond within the time of the request.'));
      else if (now - work.startedAt >= suspectMs) void this.#check(work.place, work.environmentId);
    }
    for (const [name, { isOut, lateCount, environmentId }] of this.#places)
      if (isOut || lateCount > 0) void this.#check(name, environmentId);
  }

  /** Probes a place, at most once per pause. Never rejects. */
  async #check(name: string, environmentId: string): Promise<void> {
    const now = monotonicMs();
    if (this.#probes >= mostProbes) return;
    const place = this.#places.getOrInsertComputed(name, () => ({
      isOut: false,
      isProbed: false,
      lateCount: 0,
      probeAt: now,
      environmentId,
    }));
    if (place.isProbed || now < place.probeAt) return;
    place.isProbed = true;
    this.#probes++;
    let response = await this.#ask(environmentId);
    if (response === 'lost') {
      // The server may have closed its connections, for example during a restart. A new connection shows whether it is back.
      await rest(againMs, undefined, { ref: false });
      response = await this.#ask(environmentId);
    }
    this.#probes--;
    place.isProbed = false;
    place.probeAt = monotonicMs() + restMs;
    place.lateCount = response === 'late' ? place.lateCount + 1 : 0;
    if (response === 'arrived') {
      this.#change(name, place, false);
      this.#forgetLater(name, place);
    } else if (response === 'lost' || place.lateCount >= lateProbes) {
      this.#change(name, place, true);
      for (const work of this.#works) if (work.place === name) stopWork(work, outOfReach());
    }
  }

  #change(name: string, place: Place, isOut: boolean): void {
    if (place.isOut === isOut) return;
    place.isOut = isOut;
    for (const listener of this.#listeners) listener(name, isOut);
  }

  /** Removes a place that responds after a pause, unless the place is probed again. */
  #forgetLater(name: string, place: Place): void {
    const { probeAt } = place;
    void rest(restMs, undefined, { ref: false }).then(() => {
      if (!place.isOut && !place.isProbed && place.probeAt === probeAt) this.#places.delete(name);
    });
  }

  async #ask(environmentId: string): Promise<Response> {
    const stop = new AbortController();
    const probed = this.#probe(environmentId, stop.signal).then(
      (): Response => 'arrived',
      (error: unknown): Response => (isUnavailable(error) ? 'lost' : 'arrived'),
    );
    const timedOut = rest(probeMs, undefined, { ref: false, signal: stop.signal })
      .then(() => rest(slackMs))
      .then(
        (): Response => 'late',
        (): Response => 'late',
      );
    const response = await Promise.race([probed, timedOut]);
    stop.abort();
    return response;
  }
}
