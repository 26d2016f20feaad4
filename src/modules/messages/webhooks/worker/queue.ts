import type { DeliveryRow } from '../store.ts';

/**
 * Queue of one endpoint's deliveries (PLT-47). First attempts for the same customer run one after another, in the order of their events.
 * Retries, and deliveries of events without a customer, don't wait. Customers take turns.
 */
export class DeliveryQueue {
  readonly #held = new Map<string, DeliveryRow>();
  /**
   * Deliveries that wait for their first attempt, by customer. The first delivery of each customer is ready or running.
   */
  readonly #chains = new Map<string, DeliveryRow[]>();
  #ready: DeliveryRow[] = [];

  /** Number of deliveries in the queue, including deliveries that are running or whose result hasn't been recorded yet. */
  get size(): number {
    return this.#held.size;
  }

  get ids(): string[] {
    return [...this.#held.keys()];
  }

  /** True if no delivery is ready to start. Deliveries may still be running. */
  get isIdle(): boolean {
    return this.#ready.length === 0;
  }

  /** Adds deliveries to the queue. The deliveries must be in the order of their events. */
  add(deliveries: readonly DeliveryRow[]): void {
    for (const delivery of deliveries) {
      this.#held.set(delivery.id, delivery);
      const { customerId, attempts } = delivery;
      if (customerId === null || attempts > 0) {
        this.#ready.push(delivery);
        continue;
      }
      const chain = this.#chains.get(customerId);
      if (chain === undefined) {
        this.#chains.set(customerId, [delivery]);
        this.#ready.push(delivery);
      } else chain.push(delivery);
    }
  }

  /** Removes and returns the next delivery to attempt. `null` if no delivery is ready. */
  take(): DeliveryRow | null {
    return this.#ready.shift() ?? null;
  }

  /** Marks an attempt as finished, so that the customer's next delivery can start. */
  attempted({ id, customerId }: DeliveryRow): void {
    const chain = customerId === null ? undefined : this.#chains.get(customerId);
    if (customerId === null || chain?.[0]?.id !== id) return;
    chain.shift();
    const [next] = chain;
    if (next === undefined) this.#chains.delete(customerId);
    else this.#ready.push(next);
  }

  /** Removes a delivery from the queue after its attempt was recorded. */
  forget(id: string): void {
    this.#held.delete(id);
  }

  /** Removes all waiting deliveries from the queue. Running deliveries stay in the queue until `forget` is called. */
  clear(): void {
    const waiting = new Set(this.#ready.map(({ id }) => id));
    for (const [customerId, [first, ...later]] of this.#chains) {
      for (const { id } of later) waiting.add(id);
      if (first === undefined || waiting.has(first.id)) this.#chains.delete(customerId);
      else this.#chains.set(customerId, [first]);
    }
    for (const id of waiting) this.#held.delete(id);
    this.#ready = [];
  }
}
