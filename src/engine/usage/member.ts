import { type Context, RequestContext } from '../../context.ts';
import type { KeyBelief } from '../../infra/credentials.ts';
import type { Claim, KeyRequest, StoredAnswer } from '../../infra/idempotency.ts';
import { Seat } from './seat.ts';

/** How an operation ended: its value, the answer to be stored under its key, and whether what it wrote is to be undone, with the failure behind that. */
export type Finished<A> = { readonly value: A; readonly stored: StoredAnswer | null; readonly isUndone: boolean; readonly cause?: unknown };

/** An operation that records usage among others. `work` may be begun anew, when the transaction it took part in was rolled back. */
export type Operation<A> = { readonly key: KeyRequest | null; readonly work: (seat: Seat) => Promise<Finished<A>> };

/** What became of an operation: its value, or how its key was found. */
export type Flushed<A> = { readonly value: A } | { readonly found: Exclude<Claim, { readonly state: 'claimed' }> };

/** A failure of the transaction an operation took part in, and whether its key had been claimed by then. */
export class FlushError extends Error {
  override name = 'FlushError';
  readonly hasBegun: boolean;

  constructor(cause: unknown, hasBegun: boolean) {
    super('The flush failed.', { cause });
    this.hasBegun = hasBegun;
  }
}

type Settled = { readonly finished: Finished<unknown> } | { readonly error: unknown };

/** An operation on its way through flushes. It is settled once. */
export class Member {
  readonly key: KeyRequest | null;
  readonly #context: Context;
  readonly #work: (seat: Seat) => Promise<Finished<unknown>>;
  readonly #result = Promise.withResolvers<Flushed<unknown>>();
  #seat: Seat;
  #ended: Promise<Settled>;
  #isUsed = false;

  constructor(context: Context, { key, work }: Operation<unknown>) {
    this.key = key;
    this.#context = context;
    this.#work = work;
    [this.#seat, this.#ended] = this.#begin();
  }

  #begin(): [Seat, Promise<Settled>] {
    const seat = new Seat(this.#context);
    const ended = this.#work(seat).then(
      (finished) => ({ finished }),
      (error: unknown) => ({ error }),
    );
    return [seat, ended];
  }

  get result(): Promise<Flushed<unknown>> {
    return this.#result.promise;
  }

  /** Whom its caller was taken for without looking, as long as that is not confirmed. */
  get belief(): KeyBelief | null {
    const belief = this.#context instanceof RequestContext ? this.#context.belief : null;
    return belief?.isConfirmed === false ? belief : null;
  }

  /** Its place in the present attempt. */
  get seat(): Seat {
    return this.#seat;
  }

  /** How its operation ended in the present attempt. */
  get ended(): Promise<Settled> {
    return this.#ended;
  }

  /** Whether it waits for its events. */
  get isReady(): boolean {
    return !this.#isUsed && this.#seat.hasAsked;
  }

  /** Brings the operation to the point where it waits for its events, anew when it went on from there before; answers how it ended if it did not get there. */
  async prepare(): Promise<Settled | null> {
    if (this.#isUsed) [this.#seat, this.#ended] = this.#begin();
    this.#isUsed = false;
    return Promise.race([this.#seat.asked.then(() => null), this.#ended]);
  }

  /** Lets the operation go on with what was decided. */
  decide(...decided: Parameters<Seat['decide']>): void {
    this.#isUsed = true;
    this.#seat.decide(...decided);
  }

  settle(flushed: Flushed<unknown>): void {
    this.#result.resolve(flushed);
  }

  fail(error: unknown, hasBegun: boolean): void {
    this.#result.reject(new FlushError(error, hasBegun));
  }
}
