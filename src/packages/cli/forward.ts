import { headersOf } from '../../modules/messages/webhooks/sign.ts';
import type { LiveEvent } from '../sdk/index.ts';

/** Fields of the environment that every message contains. */
export type Sender = {
  readonly organizationId: string;
  readonly mode: 'live' | 'sandbox';
  readonly apiVersion: string;
  /** Secret that signs messages: `whsec_` and Base64. */
  readonly secret: string;
};

/** Returns the body and the headers with which a webhook delivery sends an event. */
function messageOf(
  { id, event, timestamp, data }: LiveEvent,
  { organizationId, mode, apiVersion, secret }: Sender,
  sentAt: Date,
): { readonly body: string; readonly headers: Readonly<Record<string, string>> } {
  const body = JSON.stringify({ id, event, timestamp, organizationId, mode, apiVersion, data });
  const emitted = { id, kind: event, occurredAt: new Date(timestamp), data };
  return { body, headers: headersOf(emitted, body, [secret], sentAt) };
}

/** Result of forwarding an event. `status` is `null` if the target didn't respond. */
export type Forwarded = {
  readonly position: number;
  readonly id: string;
  readonly event: string;
  readonly status: number | null;
  readonly error: string | null;
  readonly durationMs: number;
};

const timeoutMs = 30_000;

/** Returns the customer of an event, whose events are forwarded in order. Events without a customer share the key `''`. */
export function customerOf({ event, data }: LiveEvent): string {
  const { customerId, id } = data as { readonly customerId?: unknown; readonly id?: unknown };
  const own = event.startsWith('customer.') && customerId === undefined ? id : customerId;
  return typeof own === 'string' ? own : '';
}

/** Forwards events to a target: the events of one customer in order, and events of different customers at the same time. */
export class Forwarder {
  readonly #target: string;
  readonly #sender: Sender;
  readonly #report: (result: Forwarded) => void;
  readonly #queues = new Map<string, Promise<void>>();
  readonly #failed: LiveEvent[] = [];

  constructor(target: string, sender: Sender, report: (result: Forwarded) => void) {
    this.#target = target;
    this.#sender = sender;
    this.#report = report;
  }

  /** Events that the target didn't accept, in the order of their positions. */
  get failed(): readonly LiveEvent[] {
    return this.#failed;
  }

  /** Adds an event to the queue of its customer. */
  add(event: LiveEvent): void {
    const customer = customerOf(event);
    const queue = (this.#queues.get(customer) ?? Promise.resolve()).then(() => this.#send(event));
    this.#queues.set(customer, queue);
    void queue.then(() => {
      if (this.#queues.get(customer) === queue) this.#queues.delete(customer);
    });
  }

  /** Adds all failed events again. */
  retry(): void {
    for (const event of this.#failed.splice(0)) this.add(event);
  }

  /** Waits until all added events were forwarded. */
  async drain(): Promise<void> {
    while (this.#queues.size > 0) await Promise.all(this.#queues.values());
  }

  async #send(event: LiveEvent): Promise<void> {
    const began = performance.now();
    const { position, id } = event;
    const result = (status: number | null, error: string | null): Forwarded => ({
      position,
      id,
      event: event.event,
      status,
      error,
      durationMs: Math.round(performance.now() - began),
    });
    let outcome: Forwarded;
    try {
      const response = await fetch(this.#target, {
        method: 'POST',
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
        ...messageOf(event, this.#sender, new Date()),
      });
      await response.body?.cancel();
      outcome = result(response.status, response.ok ? null : `The target responded with ${response.status}.`);
    } catch (error) {
      const cause = error instanceof Error ? ((error.cause as Error | undefined) ?? error) : error;
      outcome = result(null, cause instanceof Error ? cause.message : String(cause));
    }
    if (outcome.error !== null) {
      this.#failed.push(event);
      this.#failed.sort((a, b) => a.position - b.position);
    }
    this.#report(outcome);
  }
}
