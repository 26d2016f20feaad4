import { dateText } from '../../../ui/format/dates.ts';
import { moneyText } from '../../../ui/format/money.ts';
import { addressOf } from '../../address.ts';
import { Copy } from '../../kit/copy.tsx';
import { FactList } from '../../kit/fact-list.tsx';
import { Link } from '../../kit/link.tsx';
import { useKit } from '../../kit/provider.tsx';
import { useSubscriptionWords } from '../subscription-words.ts';
import { useCardText, useTerms } from '../terms.ts';
import type { SubscriptionTermsFragment } from './terms.graphql';

type Subscription = Pick<SubscriptionTermsFragment, 'plan' | 'currency' | 'billingInterval'>;

/** Returns a function that formats a subscription's price with its interval, such as "$49.00 a month". */
export function usePriceText(): (subscription: Subscription) => string {
  const terms = useTerms();
  const { locale } = useKit();
  return ({ plan, currency, billingInterval }) => {
    if (billingInterval === null) return terms.free;
    return terms.perInterval[billingInterval]({ amount: moneyText(plan.basePrice, currency, locale) });
  };
}

type Props = {
  readonly subscription: SubscriptionTermsFragment;
  /** True to omit the customer, for example on the customer's own page. */
  readonly isOnCustomer?: boolean;
};

export function TermsList({ subscription, isOnCustomer = false }: Props) {
  const { page: words } = useSubscriptionWords();
  const cardText = useCardText();
  const settings = useKit();
  const price = usePriceText();
  const { customer, paymentMethod, market, nextBillingDate } = subscription;
  return (
    <FactList
      look="stacked"
      items={[
        !isOnCustomer && {
          label: words.customer,
          value: (
            <Link href={addressOf('customer', { id: customer.id })}>
              {customer.fullName || customer.email}
            </Link>
          ),
        },
        { label: words.plan, value: subscription.plan.name },
        { label: words.price, value: price(subscription) },
        {
          label: words.nextCharge,
          value: nextBillingDate ? dateText(nextBillingDate, settings) : words.none,
        },
        {
          label: words.card,
          value: paymentMethod ? cardText(paymentMethod) : words.noCard,
        },
        { label: words.currency, value: subscription.currency.toUpperCase() },
        market && { label: words.market, value: market.name },
        { label: words.since, value: dateText(subscription.startDate, settings) },
        { label: words.id, value: <Copy value={subscription.id} short /> },
      ]}
    />
  );
}
