import { defineCommand, type FieldsProps, isIn, subscriptionId } from './command.ts';
import { CommandChangePlanDocument } from './commands.graphql';
import {
  isRecurring,
  none,
  OfferField,
  useCommandWords,
  useIntervalOptions,
  usePlanPrices,
} from './fields.tsx';
import { GroupPlans } from './group-plans.tsx';
import { Select } from './lazy-fields.ts';
import { usePlans } from './plans.ts';

type Values = { readonly planId: string; readonly interval: string; readonly offerId: string };

function Fields({ values, change, subject }: FieldsProps<Values>) {
  const { changePlan: words } = useCommandWords();
  const plans = usePlans();
  const { subscription } = subject;
  const current = plans.find(({ id }) => id === subscription?.catalogPlan.id);
  const group = current?.planGroup?.id;
  const pricesOf = usePlanPrices();
  const currency = subscription?.currency ?? 'usd';
  const members = plans
    .filter((plan) => plan.id === subscription?.catalogPlan.id || (group && plan.planGroup?.id === group))
    .toSorted((a, b) => a.sortOrder - b.sortOrder);
  const plan = plans.find(({ id }) => id === values.planId);
  const intervals = useIntervalOptions(plan, currency).filter(({ value }) => isRecurring(value));
  const choosePlan = (planId: string) => {
    const prices = plans.find(({ id }) => id === planId)?.prices ?? [];
    const has = prices.some(({ billingInterval }) => billingInterval === values.interval);
    const first = prices.find(({ isDefault }) => isDefault) ?? prices[0];
    change({ planId, interval: has ? values.interval : (first?.billingInterval ?? '') });
  };
  return (
    <>
      {current !== undefined && members.length < 2 && <GroupPlans plan={current} />}
      <Select
        name="newPlanId"
        label={words.plan}
        options={members.map((member) => ({
          value: member.id,
          label: member.name,
          help:
            member.id === current?.id
              ? [pricesOf(member, currency), words.current].filter(Boolean).join(' · ')
              : pricesOf(member, currency),
        }))}
        value={values.planId}
        onChange={choosePlan}
      />
      {intervals.length > 0 && (
        <Select
          name="newBillingInterval"
          label={words.interval}
          options={intervals}
          value={values.interval === '' ? null : values.interval}
          onChange={(interval) => change({ interval })}
        />
      )}
      <OfferField label={words.offer} value={values.offerId} onChange={(offerId) => change({ offerId })} />
    </>
  );
}

export const changePlan = defineCommand({
  name: 'changePlan',
  group: 'subscription',
  applies: (subject) => isIn(subject, 'trialing', 'active', 'past_due'),
  initial: ({ subscription }): Values => ({
    planId: subscription?.catalogPlan.id ?? '',
    interval: subscription?.billingInterval ?? '',
    offerId: none,
  }),
  Fields,
  input: ({ planId, interval, offerId }, subject) => {
    const { subscription } = subject;
    const isSame =
      planId === subscription?.catalogPlan.id && interval === (subscription.billingInterval ?? '');
    if (planId === '' || isSame) return null;
    return {
      id: subscriptionId(subject),
      newPlanId: planId,
      ...(isRecurring(interval) && { newBillingInterval: interval }),
      ...(offerId !== none && { offerId }),
    };
  },
  preview: (input) => ({ changePlan: input }),
  document: CommandChangePlanDocument,
  result: ({ subscriptionChangePlan: answer }) => ({
    ...('checkoutUrl' in answer && { link: answer.checkoutUrl }),
  }),
});
