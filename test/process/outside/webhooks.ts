import { eventually } from '../../support/eventually.ts';
import { openReceiver, type Receiver } from '../../support/receiver.ts';
import type { Place, Scene } from './scene.ts';

type Deliveries = { webhookDeliveries: { edges: unknown[] } };

/** Scenario: an event was delivered, but the receiver didn't respond to the next event. */
export class HeldDelivery implements Scene {
  readonly env = { WEBHOOK_TIMEOUT_MS: '60000' };
  readonly receiver: Receiver;

  private constructor(receiver: Receiver) {
    this.receiver = receiver;
  }

  static open = async (): Promise<HeldDelivery> => new HeldDelivery(await openReceiver());

  /** Waits until this many deliveries have succeeded. */
  #recorded = async ({ sandbox }: Place, count: number): Promise<void> => {
    const query = '{ webhookDeliveries(status: succeeded) { edges { cursor } } }';
    await eventually(
      async () => (await sandbox.graphql<Deliveries>(query)).webhookDeliveries.edges.length === count,
    );
  };

  prepare = async (place: Place): Promise<void> => {
    await place.sandbox.rest('POST', '/webhooks', { url: this.receiver.url, events: ['customer.created'] });
    await place.sandbox.rest('POST', '/customers', { email: 'a@shop.test', externalId: 'a' });
    await this.#recorded(place, 1);
  };

  ask = async ({ sandbox }: Place): Promise<void> => {
    this.receiver.behave(() => undefined);
    await sandbox.rest('POST', '/customers', { email: 'b@shop.test', externalId: 'b' });
    await this.receiver.received(2);
  };

  meanwhile = async (): Promise<void> => {
    this.receiver.behave(200);
  };

  end = async (place: Place): Promise<void> => {
    await this.receiver.received(3);
    await this.#recorded(place, 2);
  };

  close = (): Promise<void> => this.receiver.close();
}
