import type { ResultOf } from '../../../ui/documents.ts';
import { usePage } from '../../data/current-page.ts';
import { dayText, moneyText } from '../../format.ts';
import { webAddress } from '../../parts/frame.tsx';
import { Badge, Item, List, Plain, Quiet } from '../parts.tsx';
import { ScheduledChange } from '../pending.tsx';
import styles from '../portal.module.css';
import { useOwn } from '../portal-words.ts';
import { MoveDocument } from '../steps.graphql';
import { priceText, type Speaking, type Standing } from '../texts.ts';
import { type SectionProps, sectionOf } from './kind.ts';
import { PlanSectionDocument } from './plan.graphql';

type Portal = ResultOf<typeof PlanSectionDocument>['portal'];
type Option = NonNullable<Portal['subscription']>['planOptions'][number];

/** Describes the price of a plan option, and when the option takes effect. */
function optionText({ page, own }: Speaking, option: Option, { currencyDecimals }: Standing): string {
  const priced = { ...option, currencyDecimals };
  const now =
    option.amountDue === 0
      ? own.plan.nowNothing
      : own.plan.now({ amount: moneyText(page, priced, option.amountDue) });
  const later =
    option.timing === 'scheduled' ? [own.plan.later({ day: dayText(page, option.effectiveDate) })] : [];
  return [priceText({ page, own }, priced), now, ...later].join(' · ');
}

/** True if the subscription is scheduled to change to this option. */
const isScheduled = ({ scheduledPlanChange, billingInterval }: Standing, option: Option): boolean =>
  scheduledPlanChange?.newPlanId === option.planId &&
  (scheduledPlanChange.newBillingInterval ?? billingInterval) === option.billingInterval;

/** Prices of units above the included amounts of the current plan. */
const Rates = ({ rates }: Pick<NonNullable<Portal['subscription']>, 'rates'>) =>
  rates.length === 0 ? null : (
    <dl id="plan-rates" class={styles.facts}>
      {rates.flatMap(({ featureName, text }) => [
        <dt key={`${featureName} is`}>{featureName}</dt>,
        <dd key={featureName}>{text}</dd>,
      ])}
    </dl>
  );

function Plans({ portal, actions }: SectionProps<Portal>) {
  const page = usePage();
  const own = useOwn();
  const speaking = { page, own };
  const { subscription, settings } = portal;
  const options = subscription?.planOptions ?? [];
  if (subscription === null || !settings.changePlan || options.length === 0)
    return (
      <Plain>
        <Quiet>{settings.changePlan ? own.plan.none : own.plan.off({ merchant: page.merchant })}</Quiet>
        {subscription === null ? null : (
          <>
            <Rates rates={subscription.rates} />
            <ScheduledChange subscription={subscription} actions={actions} />
          </>
        )}
      </Plain>
    );
  const choose = (option: Option): void => {
    const { planId, planName, billingInterval, timing, effectiveDate } = option;
    const input = { planId, billingInterval: billingInterval === 'one_time' ? null : billingInterval };
    const price = priceText(speaking, { ...option, currencyDecimals: subscription.currencyDecimals });
    const when =
      timing === 'scheduled' ? own.plan.scheduled({ day: dayText(page, effectiveDate) }) : own.plan.atOnce;
    actions.buy({
      action: 'planChange',
      mutation: MoveDocument,
      input,
      title: own.plan.changeTo({ plan: planName }),
      before: `${price}. ${when}`,
      label: own.plan.change,
      done:
        timing === 'scheduled'
          ? own.plan.noted({ plan: planName, day: dayText(page, effectiveDate) })
          : own.plan.done({ plan: planName }),
      // If the change requires a payment first, opens the checkout for the payment.
      next: ({ portalPlanChange }) => {
        const address = webAddress(portalPlanChange.checkoutUrl);
        if (address !== null) location.assign(address);
      },
    });
  };
  return (
    <Plain>
      <Quiet>{own.plan.text}</Quiet>
      <p id="present-plan">
        {own.plan.present({ plan: subscription.planName, price: priceText(speaking, subscription) })}
      </p>
      <Rates rates={subscription.rates} />
      <ScheduledChange subscription={subscription} actions={actions} />
      <List id="moves-list">
        {options.map((option) => (
          <Item
            key={`${option.planId} ${option.billingInterval}`}
            name={option.planName}
            text={optionText(speaking, option, subscription)}
            mark={isScheduled(subscription, option) ? <Badge tone="plain">{own.plan.chosen}</Badge> : null}
            action={
              isScheduled(subscription, option)
                ? null
                : {
                    label: own.plan.choose,
                    isBusy: actions.steps.isBusy,
                    act: () => choose(option),
                  }
            }
          />
        ))}
      </List>
    </Plain>
  );
}

/** Section with the plans that the customer can change to. A preview shows the effects before the change. */
export const plan = sectionOf(PlanSectionDocument, Plans);
