import { checkoutSettingsOf } from '../../../domain/pages/page-settings.ts';
import { misfitOf } from '../../../domain/payments/instruments/effective.ts';
import { defaultInstrument, instrumentOf } from '../../../domain/payments/instruments/registry.ts';
import type { BillingInterval } from '../../../domain/rows/enums.ts';
import { simulatedDebits } from '../../../providers/sandbox-debits.ts';
import { simulatedPush } from '../../../providers/sandbox-push.ts';
import type { Context } from '../../../request/context.ts';
import { loadOrganization } from '../../organization/organizations/store.ts';
import type { ConnectionRow } from '../../payments/connections/store.ts';

/** Way to pay that a page offers. */
export type OfferedInstrument = { readonly instrument: string };

/** Ways to pay that an organization enabled in addition to cards. */
export type EnabledInstruments = {
  /** True if the organization offers bank debits. */
  readonly debits: boolean;
  /** True if the organization offers payments that the payer starts. */
  readonly push: boolean;
  /** True if the organization asks customers to pay renewals, so that nothing needs to be charged later. */
  readonly collectsByPayer: boolean;
};

/** Charge on a page, and the conditions that restrict its instruments. */
type Offer = {
  readonly livemode: boolean;
  /** Account that collects the payment. `null` means the platform's payment provider. */
  readonly connection: ConnectionRow | null;
  /** True if the payment takes effect immediately, such as for a plan change. */
  readonly isImmediate: boolean;
  /** Billing interval that is charged later. `null` if nothing is charged later. */
  readonly interval: BillingInterval | null;
  readonly enabled: EnabledInstruments;
};

/**
 * Returns the instruments that a page offers, cards first (INS-5). Other instruments are offered in the sandbox if the country, the
 * currency, and the amount fit. Payments that take effect immediately can't be made by instruments that confirm later. Payments that
 * the payer starts need an amount, and are offered only if renewals can be paid without a stored payment method.
 */
export function offeredInstruments(
  charge: Parameters<typeof misfitOf>[1],
  { livemode, connection, isImmediate, interval, enabled }: Offer,
): OfferedInstrument[] {
  const isSimulated = !livemode && connection === null && !isImmediate;
  const isPaidLater = interval === null || interval === 'one_time' || enabled.collectsByPayer;
  const hasAmount = charge.amountMinor !== null && charge.amountMinor > 0n;
  const offered = [
    ...(enabled.debits ? simulatedDebits : []),
    ...(enabled.push && isPaidLater && hasAmount ? simulatedPush : []),
  ];
  const fitting = isSimulated ? offered.filter((name) => misfitOf(instrumentOf(name), charge) === null) : [];
  return [defaultInstrument, ...fitting].map((instrument) => ({ instrument }));
}

/** Returns the ways to pay that the organization enabled in addition to cards. */
export async function enabledInstruments(ctx: Context): Promise<EnabledInstruments> {
  const { pageSettings, collectByPayer } = await loadOrganization(ctx);
  const { bankDebits, pushPayments } = checkoutSettingsOf(pageSettings);
  return { debits: bankDebits, push: pushPayments, collectsByPayer: collectByPayer };
}
