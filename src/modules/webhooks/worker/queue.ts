import type { DeliveryRow } from '../store.ts';

/**
 * Deliveries of one endpoint waiting for their attempt. First attempts of one customer come one after another in the order of their events;
 * attempts after the first, and events about nobody, wait for nothing. Customers take turns (PLT-47).
 */
export class DeliveryQueue {
  readonly #held = new Map<string, DeliveryRow>();
  /** First attempts by customer; the first of each is the next, or under way. */
  readonly #chains = new Map<string, DeliveryRow[]>();
  #ready: DeliveryRow[] = [];

  /** How many deliveries are held, those under way or not recorded yet included. */
  get size(): number {
    return this.#held.size;
  }

  /** Ids of all that is held. */
  get ids(): string[] {
    return [...this.#held.keys()];
  }

  /** Whether nothing waits; some may be under way. */
  get isIdle(): boolean {
    return this.#ready.length === 0;
  }

  /** Takes in deliveries in the order of their events, each once. */
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

  /** The next delivery to attempt; null when none may be begun now. */
  take(): DeliveryRow | null {
    return this.#ready.shift() ?? null;
  }

  /** Tells that an attempt is over, so that the customer's next event may have its first one. */
  attempted({ id, customerId }: DeliveryRow): void {
    const chain = customerId === null ? undefined : this.#chains.get(customerId);
    if (customerId === null || chain?.[0]?.id !== id) return;
    chain.shift();
    const [next] = chain;
    if (next === undefined) this.#chains.delete(customerId);
    else this.#ready.push(next);
  }

  /** Forgets a delivery whose attempt is recorded. */
  forget(id: string): void {
    this.#held.delete(id);
  }

  /** Drops what waits; what is under way stays held until it is forgotten. */
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
