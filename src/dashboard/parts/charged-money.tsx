import type { ComponentProps } from 'react';
import { Money } from '../kit/values.tsx';
import { chargedAmount } from './charged-amount.ts';

type Charge = Parameters<typeof chargedAmount>[0] & Pick<ComponentProps<typeof Money>, 'currency'>;

/** What was charged in the currency of the charge; a dash where that is not known. */
export function ChargedMoney({ charge }: { readonly charge: Charge }) {
  const minor = chargedAmount(charge);
  return minor === null ? '–' : <Money minor={minor} currency={charge.currency} />;
}
