import { type Json, payCheckout } from '../../support/caller.ts';
import { eventually } from '../../support/eventually.ts';
import { openStripe, type StripeServer, stripeMethods } from '../../support/stripe.ts';
import type { Place, Scene } from './scene.ts';

const customers = 5;
const keys = { secretKey: 'sk_test_1', publishableKey: 'pk_test_1', webhookSecret: 'whsec_test' };
const create =
  'mutation ($input: ConnectedAccountCreateInput!) { connectedAccountCreate(input: $input) { id } }';

type Rows = { data: Json[] };

/**
 * Scenario: a clock run with five renewals, two of which are charged concurrently. The first charge succeeds, the second doesn't, and the
 * other three wait.
 */
export class HeldCharges implements Scene {
  readonly env;
  readonly stripe: StripeServer;
  run: Json = {};
  transactions: unknown[] = [];
  invoices: unknown[] = [];
  ledger: Json = {};

  private constructor(stripe: StripeServer) {
    this.stripe = stripe;
    this.env = { STRIPE_URL: stripe.url, CHARGE_CONCURRENCY: '2', CHARGE_TIMEOUT_MS: '50000' };
  }

  static open = async (): Promise<HeldCharges> => new HeldCharges(await openStripe());

  /** Number of payment requests that Stripe received. */
  get requested(): number {
    return this.stripe.calls.filter((call) => call === 'POST /v1/payment_intents').length;
  }

  prepare = async ({ child, sandbox, live }: Place): Promise<void> => {
    await live.graphql(
      'mutation { organizationUpdate(input: { issuerAddress: "1 Main St", customerEmails: false }) { id } }',
    );
    await sandbox.graphql(create, { input: { name: 'Main', isDefault: true, ...keys } });
    const { id } = await sandbox.rest('POST', '/plans', { name: 'Pro', code: 'pro' });
    await sandbox.rest('POST', `/plans/${String(id)}/prices`, { billingInterval: 'monthly', price: 1_900 });
    for (let index = 0; index < customers; index++) {
      await sandbox.rest('POST', '/customers', { email: `c${index}@example.com`, externalId: `c${index}` });
      const { checkoutUrl } = await sandbox.rest('POST', '/subscriptions', {
        customerId: `c${index}`,
        planCode: 'pro',
      });
      const { checkoutPay } = await payCheckout(child, checkoutUrl, { paymentMethod: stripeMethods.pays });
      if (checkoutPay.status !== 'paid') throw new Error(`The checkout is ${checkoutPay.status}.`);
    }
  };

  ask = async ({ sandbox }: Place): Promise<void> => {
    this.stripe.fails('/v1/payment_intents', 'hangs after', 'hangs before');
    await sandbox.rest('POST', '/test-clock', { advanceDays: 40 });
    await eventually(() => this.requested === customers + 2);
  };

  meanwhile = async (): Promise<void> => undefined;

  end = async ({ sandbox }: Place): Promise<void> => {
    const isOver = ({ status }: Json): boolean => status !== 'pending' && status !== 'running';
    this.run = await eventually(
      async () => (await sandbox.rest<{ latestRun: Json }>('GET', '/test-clock')).latestRun,
      isOver,
    );
    const statuses = async (path: string): Promise<unknown[]> => {
      const { data } = await sandbox.rest<Rows>('GET', `${path}?limit=100`);
      return data.map(({ status }) => status);
    };
    [this.transactions, this.invoices] = [await statuses('/transactions'), await statuses('/invoices')];
    this.ledger = await sandbox.graphql('{ ledgerVerify { ok mismatches { account } } }');
  };

  close = (): Promise<void> => this.stripe.close();
}
