import { useMemo } from 'react';
import { moneyText } from '../../../ui/format/money.ts';
import { usePlans } from '../../commands/plans.ts';
import { useData } from '../../data/hooks.ts';
import type { FilterField } from '../../kit/list/filters.ts';
import { useKit } from '../../kit/provider.tsx';
import { choiceField, namedField } from '../../lists/fields.ts';
import { subscriptionStatuses } from '../../parts/billing/subscription-statuses.ts';
import { useCurrencies } from '../../parts/countries.ts';
import { useSubscriptionWords } from '../../parts/subscription-words.ts';
import { useTerms } from '../../parts/terms.ts';
import { SubscriptionFilterChoicesDocument } from './filters.graphql';
import { type Choices, intervals } from './list-variables.ts';

type Named = { readonly id: string; readonly name: string };

const none: readonly Named[] = [];
const idsOf = (things: readonly Named[]): readonly string[] => things.map(({ id }) => id);

/** Returns the prices of all plans, labeled with plan, interval and amount. */
function usePrices(): readonly Named[] {
  const plans = usePlans();
  const terms = useTerms();
  const { locale } = useKit();
  return useMemo(
    () =>
      plans.flatMap(({ name, prices }) =>
        prices.map(({ id, billingInterval, price }) => ({
          id,
          name: `${name} · ${terms.interval[billingInterval]} · ${moneyText(price, 'usd', locale)}`,
        })),
      ),
    [plans, terms, locale],
  );
}

/** Returns the list's filter fields with their options. */
export function useFields(): { readonly fields: readonly FilterField[]; readonly choices: Choices } {
  const { filters } = useSubscriptionWords();
  const terms = useTerms();
  const plans = usePlans();
  const prices = usePrices();
  const currencies = useCurrencies();
  const { data } = useData(SubscriptionFilterChoicesDocument, {});
  const markets = data?.markets.nodes ?? none;
  const offers = data?.offers.nodes ?? none;
  return useMemo(() => {
    const fields: FilterField[] = [
      choiceField('status', filters.status, subscriptionStatuses, terms.subscriptionStatus),
      namedField('plan', filters.plan, plans),
      namedField('price', filters.price, prices, { isPartial: true }),
      namedField('market', filters.market, markets, { isPartial: true }),
      namedField('offer', filters.offer, offers, { isPartial: true }),
      choiceField('interval', filters.interval, intervals, terms.interval, { isPartial: true }),
      {
        id: 'currency',
        label: filters.currency,
        kind: 'choice',
        isLoaded: true,
        options: currencies.map((value) => ({ value, label: value.toUpperCase() })),
      },
      { id: 'renews', label: filters.renews, kind: 'date' },
      { id: 'created', label: filters.created, kind: 'date' },
    ];
    const choices = { plans: idsOf(plans), currencies };
    return { fields, choices };
  }, [filters, terms, plans, prices, markets, offers, currencies]);
}
