import type { Query } from '../../../src/platform/db/pool.ts';
import { wakeEnvironment } from '../../../src/platform/queue/lease.ts';
import type { BankScript } from '../../support/bank.ts';
import type { Json } from '../../support/caller.ts';
import { eventually } from '../../support/eventually.ts';
import type { Tenant } from '../../support/harness.ts';
import type { Processor } from '../../support/processor.ts';
import type { Place, Scene } from './scene.ts';

type State = { payouts: { edges: { node: { status: string } }[] }; payoutBalance: Json; ledgerVerify: Json };

const state =
  '{ payouts { edges { node { status } } } payoutBalance { available inTransit } ledgerVerify { ok } }';

/**
 * Scenario: a payout of 20.00 from a balance of 50.00. The script determines whether the provider accepts the
 * payout.
 */
export class HeldPayout implements Scene {
  readonly env;
  readonly #rail: Processor;
  readonly #script: BankScript;
  readonly #ends: string;
  #id = '';
  state: State | null = null;

  /** `ends` is the expected final status. */
  constructor(platformProcessor: Processor, script: BankScript, ends: string) {
    this.env = { PLATFORM_PROCESSOR_URL: platformProcessor.url };
    this.#rail = platformProcessor;
    this.#script = script;
    this.#ends = ends;
  }

  /** HTTP methods of the requests about the payout that the provider received. */
  get requested(): string[] {
    return this.#rail.calls
      .filter((call) => call.endsWith(` ${this.#id}`))
      .map((call) => call.replace(/ .*/, ''));
  }

  prepare = async (): Promise<void> => undefined;

  ask = async ({ live }: Place): Promise<void> => {
    this.#rail.bank.plays(this.#script);
    this.#id = (await live.rest<{ id: string }>('POST', '/payouts', { amount: 2_000 })).id;
    await eventually(() => this.requested.length === 1);
  };

  /** The bank accepts payouts again, and one minute passes before the first status request. */
  meanwhile = async (query: Query, { liveId }: Tenant): Promise<void> => {
    this.#rail.bank.plays('accepts');
    if (this.#rail.bank.made.has(this.#id)) this.#rail.bank.decides(this.#id, { status: 'paid' });
    const put = `UPDATE "ProviderRequest" SET "inquireAt" = "createdAt" WHERE "environmentId" = $1 AND id = $2 AND asks = 1 AND result IS NULL RETURNING id`;
    const rows = await query(put, [liveId, this.#id]);
    if (rows.length !== 1) throw new Error('The provider was not asked once without an answer.');
    await wakeEnvironment(query, liveId, new Date(0));
  };

  end = async ({ live }: Place): Promise<void> => {
    await eventually(() => this.#rail.bank.made.has(this.#id));
    this.state = await eventually(
      () => live.graphql<State>(state),
      ({ payouts }) => payouts.edges[0]?.node.status === this.#ends,
    );
  };

  close = async (): Promise<void> => undefined;
}
