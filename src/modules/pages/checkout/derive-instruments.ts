import { checkoutSettingsOf } from '../../../domain/pages/page-settings.ts';
import { misfitOf } from '../../../domain/payments/instruments/effective.ts';
import { defaultInstrument, instrumentOf } from '../../../domain/payments/instruments/registry.ts';
import { simulatedDebits } from '../../../providers/sandbox-debits.ts';
import type { Context } from '../../../request/context.ts';
import { loadOrganization } from '../../organization/organizations/store.ts';
import type { ConnectionRow } from '../../payments/connections/store.ts';

/** Way to pay that a checkout offers. */
export type OfferedInstrument = { readonly instrument: string };

/**
 * Returns the instruments that a checkout offers, cards first (INS-5). Bank debits are offered in the sandbox if the country, the
 * currency, and the amount fit. Plan changes take effect immediately, so that they can't be paid by instruments that confirm later.
 */
export function offeredInstruments(
  charge: Parameters<typeof misfitOf>[1],
  {
    livemode,
    connection,
    isPlanChange,
    isEnabled,
  }: {
    readonly livemode: boolean;
    /** Account that collects the payment. `null` means the platform's payment provider. */
    readonly connection: ConnectionRow | null;
    readonly isPlanChange: boolean;
    /** True if the organization enabled bank debits. */
    readonly isEnabled: boolean;
  },
): OfferedInstrument[] {
  const debits = !isEnabled || livemode || connection !== null || isPlanChange ? [] : simulatedDebits;
  return [defaultInstrument, ...debits.filter((name) => misfitOf(instrumentOf(name), charge) === null)].map(
    (instrument) => ({ instrument }),
  );
}

/** Returns true if the organization offers bank debits at checkouts. */
export const offersDebits = async (ctx: Context): Promise<boolean> =>
  checkoutSettingsOf((await loadOrganization(ctx)).pageSettings).bankDebits;
