import { useDeferredValue } from 'react';
import { dateText } from '../../../ui/format/dates.ts';
import { moneyText } from '../../../ui/format/money.ts';
import { useData } from '../../data/hooks.ts';
import { Callout } from '../../kit/callout.tsx';
import { RadioGroup } from '../../kit/choice.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Rejection } from '../../shell/rejection.tsx';
import { useWords } from '../../words/words.ts';
import { RefundPreviewDocument, type RefundPreviewQuery } from './preview.graphql';
import { refundableOf, type TransactionView } from './transaction-view.ts';

/** Effect of a refund on the subscription: the subscription continues, ends with its current period, or ends immediately. */
export type Effect = 'keep' | 'end' | 'now';

/** Returns the input fields for an effect. Without an effect, the service decides. */
export const cancellationOf = (effect: Effect | null) =>
  effect === null
    ? {}
    : { cancelSubscription: effect !== 'keep', ...(effect === 'end' && { cancelAtPeriodEnd: true }) };

type Subscription = NonNullable<TransactionView['subscription']>;

/** Statuses of a subscription that a refund can also cancel. */
const endable: ReadonlySet<string> = new Set(['trialing', 'active', 'past_due']);

/** Returns the end of the current period if the subscription can end with it. `null` if it can only end immediately. */
const periodEndOf = ({ status, billingInterval, currentPeriod }: Subscription): string | null =>
  status !== 'past_due' && billingInterval !== null && billingInterval !== 'one_time'
    ? (currentPeriod?.end ?? null)
    : null;

type Previewed = NonNullable<RefundPreviewQuery['subscriptionPreview']>['subscription'];

/** Returns the effect that the service previews. */
const previewedEffect = (previewed: Previewed): Effect =>
  previewed?.status === 'canceled' ? 'now' : previewed?.cancelAtPeriodEnd === true ? 'end' : 'keep';

type EffectsProps = {
  readonly transaction: TransactionView;
  readonly amount: number;
  readonly effect: Effect | null;
  readonly onEffect: (effect: Effect) => void;
};

/** Shows the effects of a refund, as previewed by the API, and the choice to cancel the subscription. */
export function RefundEffects({ transaction, amount, effect, onEffect }: EffectsProps) {
  const { locale } = useKit();
  const words = useWords('payments');
  const { id, currency, subscription } = transaction;
  const shownAmount = useDeferredValue(amount);
  const { data, error } = useData(RefundPreviewDocument, {
    command: { transactionRefund: { id, amount: shownAmount, ...cancellationOf(effect) } },
  });
  const rest = refundableOf(transaction) - amount;
  const money = (minor: number) => moneyText(minor, currency, locale);
  const preview = data?.subscriptionPreview ?? null;
  const revoked = preview?.refund?.revokedCreditAmount ?? 0;
  if (preview?.rejection) return <Callout tone="negative">{preview.rejection.message}</Callout>;
  return (
    <>
      <Callout>
        {rest === 0
          ? words.refundWhole({ amount: money(amount) })
          : words.refundPartial({ amount: money(amount), rest: money(rest) })}
      </Callout>
      {revoked > 0 && <Callout>{words.refundRevokes({ amount: money(revoked) })}</Callout>}
      {subscription !== null && endable.has(subscription.status) && (
        <EffectChoice
          subscription={subscription}
          effect={effect ?? previewedEffect(preview?.subscription ?? null)}
          onEffect={onEffect}
        />
      )}
      <Rejection error={error} />
    </>
  );
}

type ChoiceProps = {
  readonly subscription: Subscription;
  readonly effect: Effect;
  readonly onEffect: (effect: Effect) => void;
};

function EffectChoice({ subscription, effect, onEffect }: ChoiceProps) {
  const settings = useKit();
  const { refundEffects: words } = useWords('payments');
  const end = periodEndOf(subscription);
  return (
    <RadioGroup
      label={words.label({ plan: subscription.plan.name })}
      look="cards"
      value={effect}
      onChange={(value) => onEffect(value as Effect)}
      options={[
        { value: 'keep', label: words.keep, help: words.keepHelp },
        ...(end === null
          ? []
          : [{ value: 'end', label: words.end, help: words.endHelp({ date: dateText(end, settings) }) }]),
        { value: 'now', label: words.now, help: words.nowHelp },
      ]}
    />
  );
}
